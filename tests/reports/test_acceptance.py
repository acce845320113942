"""Accepted findings leave the score, with a reason and an end."""

import pytest
from msgspec import structs

from findable.errors import SettingError
from findable.reports.acceptance import Acceptance, read_acceptances
from findable.reports.analysis import analyse, can_be_rescored, with_acceptances
from findable.reports.report import Report
from tests.checks.harness import capture, page
from tests.reports import report_json

DAY = "2026-11-01"
PAGES = {
    "untitled": page(head=""),
    "noindex": page(head='<title>A page that nobody finds</title><meta name="robots" content="noindex">'),
    "sound": page(),
    "built by script": '<!doctype html><html><head><title>App</title></head><body><div id="root"></div><script src="/app.js"></script></body></html>',
    "empty": "",
}


def untitled(*acceptances: Acceptance) -> dict[str, object]:
    return report_json(analyse(capture(page(head="")), acceptances=acceptances))


def row(made: dict[str, object]) -> dict[str, object]:
    return next(item for item in made["results"] if item["id"] == "title-present")  # type: ignore[attr-defined]  # JSON is an object to the type checker


def test_an_accepted_finding_leaves_the_score() -> None:
    made = untitled(Acceptance("title-present", "a test page"))

    assert row(made)["verdict"] == "failed"
    assert row(made)["accepted"] == {"reason": "a test page", "until": "", "by": ""}
    assert row(made)["lost"] == 0
    assert made["score"] > untitled()["score"]  # type: ignore[operator]  # JSON is an object to the type checker


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


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
@pytest.mark.parametrize(
    "acceptances",
    [
        (),
        (Acceptance("title-present", "known"),),
        (Acceptance("noindex", "a test page", until="2026-12-31", by="Ada"), Acceptance("https", "never failed")),
        (Acceptance("noindex", "other evidence", key="noindex:0"),),
        tuple(Acceptance(check, "all of it") for check in ("meta-description", "html-lang", "h1-present", "favicon", "canonical-self")),
    ],
    ids=lambda acceptances: "+".join(one.check for one in acceptances) or "none",
)
def test_accepting_later_gives_the_same_as_accepting_before(html: str, acceptances: tuple[Acceptance, ...]) -> None:
    seen = capture(html)
    plain = Report.from_bytes(analyse(seen).to_bytes())
    whole = tuple(Acceptance(check, "all of it") for check in ("title-present", "noindex", "viewport"))

    assert can_be_rescored(plain)
    assert with_acceptances(plain, acceptances, DAY) == analyse(seen, acceptances=acceptances)
    assert with_acceptances(with_acceptances(plain, whole, DAY), acceptances, DAY) == analyse(seen, acceptances=acceptances)


def test_it_ends_when_its_last_day_is_over() -> None:
    acceptance = Acceptance("title-present", "until then", until="2026-11-30")
    plain = analyse(capture(page(head="")))

    assert row(report_json(with_acceptances(plain, [acceptance], "2026-11-30")))["accepted"]
    assert with_acceptances(with_acceptances(plain, [acceptance], DAY), [acceptance], "2026-12-01") == plain


def test_findings_of_another_ruleset_are_not_judged_by_this_one() -> None:
    plain = analyse(capture(page()))
    old = structs.replace(plain, engine=structs.replace(plain.engine, ruleset="2019-01"))

    assert not can_be_rescored(old)
    with pytest.raises(ValueError, match="2019-01"):
        with_acceptances(old, [], DAY)


def test_an_accepted_finding_leaves_its_category_too() -> None:
    def categories(*acceptances: Acceptance) -> dict[str, object]:
        made = untitled(*acceptances)
        return {item["id"]: item for item in made["categories"]}["content"]  # type: ignore[attr-defined,no-any-return]  # JSON is an object to the type checker

    accepted = categories(Acceptance("title-present", "a test page"))
    assert accepted["score"] > categories()["score"]  # type: ignore[operator]  # JSON is an object to the type checker
    assert accepted["counts"]["failed"] == categories()["counts"]["failed"] - 1  # type: ignore[index]  # JSON is an object to the type checker


def test_a_page_that_is_not_meant_for_search_says_so_and_is_not_faulted_for_it() -> None:
    seen = capture(PAGES["noindex"])
    meant, hidden = (report_json(analyse(seen, not_for_search=flag)) for flag in (False, True))
    rows = {item["id"]: item["verdict"] for item in hidden["results"]}

    assert (meant["not_for_search"], hidden["not_for_search"]) == (False, True)
    assert {rows[check] for check in ("noindex", "sitemap-lists-page", "canonical-self", "robots-txt-allows")} == {"inapplicable"}
    assert meant["result"] == "bad"
    assert hidden["score"] > meant["score"]


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
        ('[[accept]]\ncheck = "title-present"\nreason = "x"\nwhy = "y"\n', "has unknown fields: why"),
    ],
)
def test_a_wrong_file_is_named(text: str, complaint: str) -> None:
    with pytest.raises(SettingError, match=complaint):
        read_acceptances(text, "accept.toml")
