"""What extra requests around the page told."""

import pytest

from findable.artifacts.responses.canonical_response import CanonicalTarget
from findable.artifacts.responses.not_found_probe import NotFoundProbe
from findable.artifacts.responses.probed_page import read_probed
from findable.artifacts.site.host_variants import HostVariants
from findable.artifacts.site.language_versions import LanguageVersions
from findable.vocabulary import Verdict
from tests.checks.harness import answer, artifacts, page


def test_a_probed_page_is_read_like_any_other() -> None:
    html = page(head='<title>x</title><meta name="robots" content="noindex"><link rel="canonical" href="/b">')
    made = read_probed(answer("https://www.example.com/a", body=html, headers=[["Content-Type", "text/html"]]))

    assert made is not None
    assert made.noindex is not None
    assert made.canonical is not None
    assert made.canonical.target == "https://www.example.com/b"


def test_an_error_page_is_parsed_but_not_judged() -> None:
    made = read_probed(answer("https://www.example.com/a", 404, page()))

    assert made is not None
    assert made.head is None
    assert made.tree is not None


def test_nothing_received_is_nothing_read() -> None:
    assert read_probed(None) is None
    assert read_probed(answer("https://www.example.com/a", failure="timeout")) is None


@pytest.mark.parametrize("kind", [HostVariants, NotFoundProbe])
def test_what_was_not_asked_is_unknown(kind: type) -> None:
    made = artifacts(page()).get(kind)

    assert made.verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("kind", [CanonicalTarget, LanguageVersions])
def test_what_need_not_be_asked_is_inapplicable(kind: type) -> None:
    made = artifacts(page()).get(kind)

    assert made.verdict is Verdict.INAPPLICABLE
