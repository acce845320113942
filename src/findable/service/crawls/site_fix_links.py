"""Links for the person who fixes one finding of a site. What a page check shows can be checked again on each of the first pages."""

from collections.abc import Sequence
from contextlib import suppress

from msgspec.structs import replace

from findable.crawl.page_selection import PageSelection
from findable.errors import CrawlUnreadable, NotFound, require_found
from findable.recheck import OldFinding, page_check_of
from findable.reports.reported_finding import AGAINST, ReportedFinding
from findable.reports.site_faults import SiteFault
from findable.reports.site_report import SiteFinding
from findable.service.crawls import crawl_access
from findable.service.crawls.crawl_access import CRAWLS
from findable.service.crawls.crawl_lists import PageQuery, pages_of
from findable.service.crawls.crawl_views import crawl_view
from findable.service.results.fix_links import PAGES_SHOWN, FixView, linked_row
from findable.service.results.rechecks import recheck_job
from findable.service.runtime.service import Service
from findable.service.values.crawl_values import CrawlView


def open_site_fix(service: Service, public_id: str, check: str, token: str) -> FixView:
    """Return the finding of a site behind a link (blocking). Raises NotFound."""
    with service.store.read() as session:
        row, known, presentation, expires_at = linked_row(service, session, CRAWLS, public_id, check, token)
    crawl = crawl_view(row, service.crawl_events)
    report = require_found(crawl_access.report(service, crawl))
    open_findings = tuple(item for item in report.open if item.id == check and item.verdict in AGAINST)
    fault = SiteFault(open_findings) if open_findings else None
    urls = _pages_of(service, crawl, open_findings)
    pages = urls[:PAGES_SHOWN]
    page_check = page_check_of(known)
    with service.store.read() as session:
        olds = [OldFinding(url, page_check.id, fault.verdict) for url in pages] if page_check and fault else []
        jobs = tuple(recheck_job(session, crawl.account_id, crawl.project_id, old) for old in olds)
    more = max(fault.pages_count, len(urls)) - len(pages) if fault and pages else 0
    found = (_with_all_evidence(fault),) if fault else ()
    return FixView(known, found, crawl.url, pages, report.summary.cms, presentation, expires_at, jobs, more)


def _with_all_evidence(fault: SiteFault) -> ReportedFinding:
    """Return a fault as one finding, with the evidence of all of its groups."""
    groups = [one.as_reported for one in fault.groups]
    evidence = tuple(piece for one in groups for piece in one.evidence)
    return replace(fault.as_reported, evidence=evidence, evidence_count=sum(one.evidence_count for one in groups))


def _pages_of(service: Service, crawl: CrawlView, findings: Sequence[SiteFinding]) -> tuple[str, ...]:
    """Return the URLs of the pages of findings, at most PAGES_SHOWN of each; those of the evidence if the pages are no longer stored."""
    with suppress(NotFound, CrawlUnreadable), crawl_access.open_store_of(service, crawl) as handle:
        lists = (pages_of(handle, PageQuery(PageSelection(finding=one.key), per_page=PAGES_SHOWN)).items for one in findings)
        return tuple(dict.fromkeys(row.url for rows in lists for row in rows))
    return tuple(dict.fromkeys(piece.url for one in findings for piece in one.evidence if piece.url))
