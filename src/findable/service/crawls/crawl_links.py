"""Share links of crawls."""

from typing import Any

from findable.service.crawls.crawl_access import owned_crawl
from findable.service.crawls.crawl_views import crawl_view
from findable.service.reports.guest_access import Shared
from findable.service.runtime.service import Service
from findable.service.values.audit_values import AuditAction
from findable.service.values.caller import Caller
from findable.service.values.presentation import SITE_SECTIONS
from findable.store.link_statements import LinkRow
from findable.store.store_protocol import Session


class CrawlLinks:
    """`report_links.Shareable` of crawls."""

    sections = SITE_SECTIONS
    shared, changed = AuditAction.CRAWL_SHARED, AuditAction.CRAWL_CHANGED

    def get_owned(self, session: Session, caller: Caller, number: int) -> Shared:
        """Return the caller's own crawl."""
        return owned_crawl(session, caller, number)

    def link(self, session: Session, number: int) -> LinkRow | None:
        """Return the link settings of a crawl."""
        return session.links.for_crawl(number)

    def etag(self, service: Service, session: Session, caller: Caller, number: int) -> str:
        """Return the ETag of the crawl, without quotes. Raises NotFound, Forbidden."""
        return crawl_view(owned_crawl(session, caller, number), service.crawl_events).etag

    def change(self, session: Session, number: int, moment: int, **columns: Any) -> None:
        """Set columns of the crawl's link."""
        named = {"is_listed" if name == "listed" else name: value for name, value in columns.items()}
        session.crawls.change(number, moment, **named)

    def has_run(self, session: Session, number: int, run: int) -> bool:
        """Return False, because a crawl has no runs."""
        del session, number, run
        return False


CRAWLS = CrawlLinks()
