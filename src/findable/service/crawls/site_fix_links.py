"""Links for the person who fixes one finding of a site. What a page alone shows can be checked again on each of the first pages."""

from findable.checks.engine import find_check
from findable.errors import require_found
from findable.recheck import OldFinding
from findable.reports.reported_finding import AGAINST
from findable.service.crawls import crawl_access
from findable.service.crawls.crawl_access import CRAWLS
from findable.service.crawls.crawl_views import crawl_view
from findable.service.reports.finding_rechecks import recheck_job
from findable.service.reports.fix_links import PAGES_SHOWN, FixView, require_token, shared_row
from findable.service.runtime.service import Service
from findable.vocabulary import FETCHED, Subject


def open_site_fix(service: Service, public_id: str, check: str, token: str) -> FixView:
    """Return the finding of a site behind a link (blocking). Raises NotFound."""
    expires_at = require_token(service, CRAWLS, public_id, check, token)
    known = require_found(find_check(check))
    with service.store.read() as session:
        row, presentation = shared_row(session, CRAWLS, public_id)
        crawl = crawl_view(require_found(session.crawls.by_id(row.id)), service.crawl_events)
    report = require_found(crawl_access.report(service, crawl))
    open_findings = [item for item in report.open if item.id == check and item.verdict in AGAINST]
    places = (one.url for item in open_findings for one in item.evidence if one.url)
    pages = tuple(dict.fromkeys(places))[:PAGES_SHOWN]
    can_recheck = known.subject is Subject.PAGE and known.sources <= FETCHED
    with service.store.read() as session:
        olds = [OldFinding(url, check, open_findings[0].verdict) for url in pages] if can_recheck else []
        jobs = tuple(recheck_job(session, crawl.account_id, crawl.project_id, old) for old in olds)
    found = tuple(item.as_reported for item in open_findings)
    return FixView(known, found, crawl.url, pages, report.summary.cms, presentation, expires_at, jobs)
