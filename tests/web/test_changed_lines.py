"""Rows of what got worse: one for each cause."""

import itertools
from datetime import UTC, datetime

from findable.checks.engine import all_checks
from findable.service.projects import change_overview
from findable.service.projects.change_overview import ChangedView
from findable.web.pages.shared.lines import ChangedLine, worse_lines
from findable.wording import wording

NOINDEX, TITLE, BROKEN = "noindex", "title-present", "links-internal-broken"


def changed(path: str, *new: str, project: str = "a.example", is_site: bool = False) -> ChangedView:
    url = f"https://{project}/{path}"
    return ChangedView(project, url, "", f"/{path}", is_site, datetime(2026, 11, 24, tzinfo=UTC), 90, 49, new, (), len(new), 0, 0)


def lines(*views: ChangedView) -> list[tuple[str, str]]:
    def short(line: ChangedLine) -> tuple[str, str]:
        return line.href, line.others

    return [short(line) for line in worse_lines(views, wording("en"), UTC)]


def test_pages_and_their_site_with_one_cause_are_the_row_of_the_site() -> None:
    pages = changed("one", NOINDEX, TITLE), changed("two", NOINDEX)
    site = changed("site", BROKEN, NOINDEX, is_site=True)
    assert lines(pages[0], site, pages[1]) == [("/site", "the same in the reports of 2 pages")]
    assert lines(site, pages[0]) == [("/site", "the same in the report of 1 page")]


def test_a_start_page_that_left_the_index_is_one_row_with_its_site() -> None:
    site = changed("", "site-start-page", is_site=True)
    assert lines(changed("", NOINDEX, BROKEN), site) == [("/", "the same in the report of 1 page")]
    assert lines(changed("other", NOINDEX), site) == [("/other", ""), ("/", "")]
    links = changed("", "site-links-broken", is_site=True)
    assert lines(changed("page", BROKEN), links) == [("/", "the same in the report of 1 page")]


def test_checks_that_find_the_same_exist() -> None:
    named = {*change_overview._ON_SITE, *change_overview._OF_START_PAGE, *itertools.chain(*change_overview._ON_SITE.values())}
    assert named <= all_checks().keys()


def test_causes_that_differ_are_rows_of_their_own() -> None:
    site = changed("site", BROKEN, is_site=True)
    views = (
        changed("one", NOINDEX),
        site,
        changed("fell"),
        changed("lower", is_site=True),
        changed("other", BROKEN, project="b.example"),
    )
    assert lines(*views) == [("/one", ""), ("/site", ""), ("/fell", ""), ("/lower", ""), ("/other", "")]


def test_pages_with_the_same_new_problems_are_one_row() -> None:
    assert lines(changed("one", NOINDEX), changed("two", NOINDEX), changed("three", NOINDEX, TITLE)) == [
        ("/one", "the same on 1 more page"),
        ("/three", ""),
    ]
