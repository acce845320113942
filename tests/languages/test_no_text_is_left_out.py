"""Nothing of ours is shown that was not looked up: in the terminal, in Markdown."""

from collections.abc import Iterator
from typing import Any

import pytest

from findable.checks.engine import all_checks
from findable.cli.report_text import check_lines, report_lines
from findable.cli.terminal import Terminal
from findable.export.markdown import to_markdown
from findable.export.pdf_content import template_data
from findable.export.pdf_sheet import Sheet
from findable.reports.analysis import analyse
from findable.reports.report import Report
from tests.checks.harness import capture
from tests.languages.pseudo import PSEUDO, untranslated

BODY = """<!doctype html><html lang="en"><head><title>Zorb – Quux</title><link rel="canonical" href="/other"></head>
<body><h1>Zorb</h1><h3>Quux</h3><p>Zorb quux frobnicates.</p><img src="/zorb.png"><a href="/quux">read more</a>
<form action="http://quux.example/"><input name="zorb"></form></body></html>"""
TERMINAL = Terminal(columns=100_000, say=PSEUDO)


@pytest.fixture(scope="module")
def made() -> Report:
    return analyse(capture(BODY, links={"https://www.example.com/quux": 404}, assets={"https://www.example.com/zorb.png": 404}))


def data_of(made: Report) -> list[str]:
    """What the report quotes or names by an id: it is the same in every language."""
    quoted = [
        str(getattr(item, name))
        for finding in made.findings
        for item in finding.evidence
        for name in item.__struct_fields__
        if name != "note"
    ]
    ids = [*(finding.id for finding in made.findings), *made.not_asked]
    sources = [finding.source(PSEUDO) for finding in made.findings]
    values = [str(finding.params) for finding in made.findings]
    return [made.requested_url, BODY, *quoted, *ids, *sources, *values, *NAMES]


NAMES = ("html http https robots txt findable ruleset Open Graph",)


def test_the_terminal_looks_everything_up(made: Report) -> None:
    lines = report_lines(made, TERMINAL, verbose=True) + report_lines(made, TERMINAL)

    assert untranslated("\n".join(lines), *data_of(made), "--all") == []


def test_markdown_looks_everything_up(made: Report) -> None:
    text = "\n".join(line for line in to_markdown(made, PSEUDO).splitlines() if not line.startswith("    "))

    assert untranslated(text, *data_of(made)) == []


@pytest.mark.parametrize("check_id", ["title-length", "favicon"])
def test_a_check_is_explained_in_the_language(check_id: str) -> None:
    text = "\n".join(line for line in check_lines(check_id, TERMINAL) if not line.startswith("    "))

    assert untranslated(text, check_id, "content technical", all_checks()[check_id].documentation.how) == []


def test_what_is_not_looked_up_is_seen(made: Report) -> None:
    english = report_lines(made, Terminal(columns=100_000), verbose=True)

    assert {"Rated", "Fix"} <= set(untranslated("\n".join(english), *data_of(made)))


def test_the_pdf_looks_everything_up(made: Report) -> None:
    sheet = template_data(made, Sheet(PSEUDO, tables=True))

    assert untranslated("\n".join(leaves(sheet)), *data_of(made), "Findable UTC {page} {pages}", *facts_of(made)) == []


def leaves(value: Any, name: str = "") -> Iterator[str]:
    """Every text that is drawn; codes that only steer the layout are left out."""
    if isinstance(value, dict) and not (value.get("kind") == "code" or value.get("code") is True):
        for key, item in value.items():
            if key not in STEERING:
                yield from leaves(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item, name)
    elif isinstance(value, str):
        yield value.replace("\u200b", "").replace("\u00ad", "")


STEERING = {"lang", "dir", "kind", "mark", "verdict", "rating", "link", "href", "shape", "color", "code", "state"}


def facts_of(made: Report) -> list[str]:
    """What tables show of the page."""
    return [str(made.facts)]
