"""Newest results of the sites that got worse."""

from collections.abc import Mapping

import pytest
from sqlalchemy import Engine, event

from findable.clock import now
from findable.reports.earlier_score import WEEK
from findable.service.projects import home, projects, worse_reports
from findable.service.projects.worse_reports import WorseReport
from findable.service.projects.worse_sites import WorseSite, worse_sites
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from tests.service import samples

FAILS: Mapping[str, str] = {**samples.VERDICTS, "noindex": "failed", "title-length": "warned"}


def fall(service: Service, caller: Caller, *urls: str) -> None:
    for url in urls:
        samples.made(service, caller, url, samples.seen(93, {**samples.VERDICTS, "title-length": "passed"}))
        samples.made(service, caller, url, samples.seen(49, FAILS))


def worse(service: Service, caller: Caller) -> tuple[WorseSite, ...]:
    return worse_sites(home.get(service, caller).changes.worse)


def newest(service: Service, caller: Caller) -> tuple[WorseReport, ...]:
    return worse_reports.newest_of(service, caller, worse(service, caller), now() - WEEK)


def test_pages_of_a_project_without_a_crawl_show_their_report(service: Service, caller: Caller) -> None:
    fall(service, caller, "https://a.example/", "https://a.example/2")
    (found,) = newest(service, caller)
    assert found.pages is not None
    assert (found.pages.score, found.pages.scored_pages, found.site, found.new) == (49, 2, None, ())
    assert "noindex" in {finding.check for finding in found.pages.new}
    assert found.new_warnings == ("title-length",)


def test_a_project_that_was_deleted_meanwhile_has_no_report(service: Service, caller: Caller) -> None:
    fall(service, caller, "https://a.example/")
    sites = worse(service, caller)
    projects.delete(service, caller, "a.example")
    assert worse_reports.newest_of(service, caller, sites, now() - WEEK) == (WorseReport(),)


@pytest.mark.parametrize("pages", [1, 6])
def test_the_number_of_statements_does_not_grow_with_the_pages(service: Service, caller: Caller, pages: int) -> None:
    fall(service, caller, *(f"https://a.example/{number}" for number in range(pages)))
    sites = worse(service, caller)
    executed: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        executed.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        worse_reports.newest_of(service, caller, sites, now() - WEEK)
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert len(executed) < 15, executed
