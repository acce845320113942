"""Accepted findings of sites. They apply to all crawls of a project until they are withdrawn or expire.

A finding of a site has the same key in each crawl, made of its check and its cause.
"""

from findable.errors import require_found
from findable.service.accounts.permissions import writing
from findable.service.crawls import crawl_access, site_hits
from findable.service.crawls.crawl_access import owned_crawl, terms_of
from findable.service.crawls.crawl_reports import decode_report, rating_columns
from findable.service.results.acceptances import EVERYWHERE, accept_finding, reopen_finding, valid_columns
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import NewAcceptance
from findable.store.crawl_row import CrawlRow
from findable.store.rows import AcceptanceRow
from findable.store.store_protocol import Session
from findable.wording import later

MAX_RATED_CRAWLS = 50
"""Number of last crawls of a project whose ratings in lists are updated after a change of acceptances; reports are always updated."""
ENDED_PROJECTS = 5
_TOO_MANY = later("A project has at most %(most)s accepted findings of its site.")


def accept(service: Service, caller: Caller, crawl_id: int, key: str, new: NewAcceptance) -> None:
    """Accept a finding of the site, or change its reason and end date. Raises NotFound (crawl, finding), ValidationFailed."""
    report = require_found(site_hits.report(service, crawl_access.get(service, caller, crawl_id)))
    finding = require_found(next((one for one in report.findings if one.key == key), None))
    with writing(service, caller) as session:
        row = owned_crawl(session, caller, crawl_id)
        place = {"check_name": finding.id, "pattern": EVERYWHERE, "report_id": None, "finding_key": key}
        accept_finding(session, caller, row, valid_columns(new, session.moment) | place, _accepted(session, row, key), _TOO_MANY)
        _update_ratings(session, row.project_id)


def withdraw(service: Service, caller: Caller, crawl_id: int, key: str) -> None:
    """Withdraw an acceptance. Raises NotFound."""
    with writing(service, caller) as session:
        row = owned_crawl(session, caller, crawl_id)
        reopen_finding(session, caller, row, _accepted(session, row, key), finding=key)
        _update_ratings(session, row.project_id)


def _accepted(session: Session, row: CrawlRow, key: str) -> list[AcceptanceRow]:
    return [one for one in session.acceptances.of_crawls(row.project_id) if one.finding_key == key]


def end_acceptances(service: Service) -> bool:
    """Delete a few acceptances that have expired, and update the ratings of their projects' crawls; return whether there may be more."""
    with service.store.write() as session:
        ended = session.acceptances.expired_for_crawls(session.day, ENDED_PROJECTS)
        for project_id, ids in ended.items():
            session.acceptances.remove(ids)
            _update_ratings(session, project_id)
    return len(ended) == ENDED_PROJECTS


def _update_ratings(session: Session, project_id: int) -> None:
    """Store the ratings of the last crawls of a project for lists, with today's acceptances."""
    terms = terms_of(session, project_id)
    for crawl_id in session.crawls.rated_of_project(project_id, MAX_RATED_CRAWLS):
        encoded = session.crawls.report(crawl_id)
        if encoded is not None:
            session.crawls.change(crawl_id, session.moment, **rating_columns(decode_report(encoded).with_accepted(terms)))
