"""Old and new values of a page between two reports."""

from findable.crawl.changes import ChangeKind
from findable.monitor.changed_values import changed_values
from findable.reports.analysis import analyse
from findable.reports.report import Report
from tests.checks.harness import capture, page

URL = "https://example.com/bread"
TITLE = "<title>Bread and rolls from our own oven</title>"


def report(head: str = TITLE, body: str = "<h1>Bread</h1><p>And rolls every day.</p>", *, status: int = 200) -> Report:
    return analyse(capture(page(head=head, body=body), url=URL, status=status))


def values(before: Report, after: Report) -> list[tuple[ChangeKind, str, str]]:
    return [(one.kind, one.before, one.after) for one in changed_values(before, after)]


def test_an_unchanged_page_has_no_changed_values() -> None:
    assert values(report(), report()) == []


def test_the_decisive_change_is_first_with_its_reason() -> None:
    after = report('<title>Rolls</title><meta name="robots" content="noindex">')
    assert values(report(), after) == [
        (ChangeKind.BECAME_NON_INDEXABLE, "", "noindex"),
        (ChangeKind.ROBOTS, "", "noindex"),
        (ChangeKind.TITLE, "Bread and rolls from our own oven", "Rolls"),
    ]


def test_an_error_page_has_a_changed_status_and_no_changed_texts() -> None:
    found = values(report(), report("<title>Gone</title>", "<h1>Gone</h1>", status=400))
    assert found == [(ChangeKind.BECAME_NON_INDEXABLE, "", "status"), (ChangeKind.STATUS, "200", "400")]


def test_a_longer_text_is_a_changed_number_of_words() -> None:
    after = report(body="<h1>Bread</h1><p>And rolls every day, also on Sunday.</p>")
    ((kind, before, words),) = values(report(), after)
    assert kind is ChangeKind.TEXT
    assert int(words) == int(before) + 3
