"""Accepted findings leave the score, with a reason and an end."""

import pytest

from findable.errors import SettingError
from findable.reports.acceptance import Acceptance, read_acceptances
from findable.reports.model import analyse, report
from tests.checks.harness import capture, page


def untitled(*acceptances: Acceptance) -> dict[str, object]:
    return report(analyse(capture(page(head="")), acceptances=acceptances))


def row(made: dict[str, object]) -> dict[str, object]:
    return next(item for item in made["results"] if item["id"] == "title-present")  # type: ignore[attr-defined]


def test_an_accepted_finding_leaves_the_score() -> None:
    made = untitled(Acceptance("title-present", "a test page"))

    assert row(made)["verdict"] == "failed"
    assert row(made)["accepted"] == {"reason": "a test page", "until": "", "by": ""}
    assert row(made)["lost"] == 0
    assert made["score"] > untitled()["score"]  # type: ignore[operator]


@pytest.mark.parametrize(
    "acceptance",
    [
        Acceptance("title-present", "over", until="2026-10-31"),
        Acceptance("title-present", "elsewhere", url="https://other.example/*"),
        Acceptance("title-present", "other evidence", key="title-present:0123"),
    ],
    ids=lambda acceptance: acceptance.reason,
)
def test_it_does_not_hold(acceptance: Acceptance) -> None:
    assert row(untitled(acceptance))["accepted"] is None


def test_it_holds_on_its_last_day_for_its_pattern_and_key() -> None:
    key = str(row(untitled())["key"])
    made = untitled(Acceptance("title-present", "fine", until="2026-11-01", url="https://www.example.com/shop/*", key=key))

    assert row(made)["accepted"] is not None


def test_a_file_is_read() -> None:
    text = '[[accept]]\ncheck = "title-present"\nreason = "known"\nuntil = 2027-01-31\nurl = "https://example.com/*"\n'

    assert read_acceptances(text, "accept.toml") == [Acceptance("title-present", "known", "2027-01-31", "https://example.com/*")]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[[accept", "is not TOML"),
        ('[[accept]]\ncheck = "nonsense"\nreason = "x"\n', "there is no check “nonsense”"),
        ('[[accept]]\ncheck = "title-present"\n', "needs a reason"),
        ('[[accept]]\ncheck = "title-present"\nreason = "x"\nuntil = "soon"\n', "until is not a date"),
        ('[[accept]]\ncheck = "title-present"\nreason = "x"\nwhy = "y"\n', "does not know why"),
    ],
)
def test_a_wrong_file_is_named(text: str, complaint: str) -> None:
    with pytest.raises(SettingError, match=complaint):
        read_acceptances(text, "accept.toml")
