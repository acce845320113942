"""Raw data (roots) for site checks about a whole settled crawl: summary, links, redirects, canonical links and sitemap."""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from msgspec.structs import replace
from sqlalchemy import and_, func, or_, select

from findable.capture.crawl import CrawlEnd, CrawlSummary, Group, Readings, Reason, Refusal, TrapKind
from findable.capture.site_graph import (
    LIST_LIMIT,
    URL_LIMIT,
    CrawledCanonicals,
    CrawledLinks,
    CrawledRedirects,
    CrawledSitemap,
    Redirects,
    TemporaryRedirect,
)
from findable.capture.status_classes import OK, REFUSALS
from findable.crawl.common_folder import common_folder
from findable.crawl.found_by import FoundBy
from findable.crawl.page_numbers import PAGE_MARKS
from findable.crawl.record import PageRecord
from findable.crawl.site.canonicals import faulty_canonicals, other_site
from findable.crawl.site.counted import group_of_pages
from findable.crawl.site.links import LinkedUrl, faulty_links
from findable.crawl.site.redirects import Chain, crawled_redirects
from findable.store.crawl_frontier import CARRIED, DUE, REFUSED, REQUESTED, WAITING
from findable.store.crawl_pairs import CanonicalReading
from findable.store.crawl_reading import AT_ONCE
from findable.store.crawl_schema import ALL_PAGES, INDEXABLE, PAGE, RECORD, RESPONSE, SETTLED, SETTLED_PAGES, TEMPORARY, URL
from findable.store.dialect import stream_rows
from findable.store.packed_pages import unpacked_record
from findable.store.resource_roots import ResourceRoots
from findable.urls import origin_part, path_of
from findable.values import batches_of

_HIDDEN = (
    URL.c.state == REFUSED,
    URL.c.refusal == Refusal.TRAP.value,
    URL.c.detail.in_((TrapKind.COUNTER.value, TrapKind.CALENDAR.value, TrapKind.PARAMETERS.value)),
)
"""Conditions of URLs that a series hides which seemed endless."""


class CrawlRoots(CanonicalReading):
    """Computes the roots of one crawl about the whole site.

    Args:
        connection: connection for reading.
        state: state of the crawl.
    """

    # --- summary

    def summary(self) -> CrawlSummary:
        """Return the summary of the crawled site."""
        pages = select(func.count()).where(PAGE.c.is_html, PAGE.c.status == OK)
        resources = ResourceRoots(self._connection, self._state)
        by_status = select(PAGE.c.status, func.count()).group_by(PAGE.c.status).order_by(PAGE.c.status)
        return CrawlSummary(
            start_url=self._state.settings.start_url,
            captured_at=self._state.ended_at or self._state.started_at,
            pages_count=self._connection.execute(pages).scalar_one(),
            indexable_count=self.count(*INDEXABLE),
            by_status=tuple((row[0], row[1]) for row in self._connection.execute(by_status)),
            not_indexable=tuple(self.groups(PAGE.c.reason, PAGE.c.is_html, PAGE.c.reason != "")),
            orphans=self.group("orphans", *self.orphaned()),
            not_in_sitemap=self.group("not_in_sitemap", *self.missing_in_sitemap()),
            left_out=tuple(self._left_out()),
            hidden_count=self._connection.execute(select(func.count()).where(*_HIDDEN)).scalar_one(),
            ended_by=self._state.ended_by or CrawlEnd.STOPPED,
            is_limited=self._state.settings.is_limited,
            resources=resources.requested_resources(),
            stored_count=self._connection.execute(select(func.count()).select_from(RESPONSE)).scalar_one() or None,
            external=resources.requested_external() if self._state.settings.external else None,
            start=self.start_page if self._state.start is not None else None,
            canonical_to=self._canonical_site(),
            cms=self.cms(),
            readings=self._readings() if self._state.settings.rolling is not None else None,
        )

    def _readings(self) -> Readings:
        """Return the requests that a rolling crawl is made of."""
        counted = select(
            func.count().filter(URL.c.state.in_(REQUESTED)),
            func.count().filter(URL.c.state.in_((CARRIED, DUE))),
            func.count().filter(URL.c.state == WAITING),
            func.count().filter(URL.c.state == CARRIED, URL.c.detail != ""),
            func.coalesce(func.min(PAGE.c.requested_at), 0),
        )
        return Readings(*self._connection.execute(counted.select_from(URL.outerjoin(PAGE, PAGE.c.id == URL.c.id))).one())

    def cms(self) -> str:
        """Return the content management system of the first page that was read."""
        chosen = select(RECORD.c.record).join(PAGE, PAGE.c.id == RECORD.c.id).where(PAGE.c.is_html, PAGE.c.status == OK)
        first = self._connection.execute(chosen.order_by(PAGE.c.id).limit(1)).scalar_one_or_none()
        return "" if first is None else unpacked_record(first, PageRecord).cms

    def _canonical_site(self) -> str:
        """Return the origin of the one other site that pages declare as canonical; empty for none, or several."""
        target = URL.alias()
        declared = select(target.c.url).select_from(PAGE.join(target, target.c.id == PAGE.c.canonical))
        chosen = declared.where(PAGE.c.is_html, PAGE.c.reason == Reason.CANONICAL.value)
        return other_site(self._connection.execute(chosen).yield_per(AT_ONCE).scalars(), self._state.settings.start_url)

    def orphaned(self) -> tuple[Any, ...]:
        """Return the conditions of an orphaned page: indexable, without a path of links from the start page.

        A page that another one declares as canonical is none. Without a crawled start page, only pages without links count.
        """
        other = PAGE.alias()
        declared = select(other.c.canonical).where(other.c.canonical != 0)
        is_listed = URL.c.found_by.op("&")(int(FoundBy.SITEMAP | FoundBy.LIST)) != 0
        is_start = URL.c.url == self._state.settings.start_url
        is_unlinked = and_(SETTLED.c.inlinks == 0, SETTLED.c.linked_from == 0)
        start = select(PAGE.c.id).join(URL, URL.c.id == PAGE.c.id).where(is_start, PAGE.c.is_html, PAGE.c.status == OK)
        if self._state.settings.follows_links and self._connection.execute(start).first() is not None:
            is_unlinked = or_(is_unlinked, and_(SETTLED.c.depth < 0, SETTLED.c.inlinks > 0))
        return *INDEXABLE, is_listed, is_unlinked, ~is_start, PAGE.c.id.not_in(declared)

    def missing_in_sitemap(self) -> tuple[Any, ...]:
        """Return the conditions of an indexable, linked page that no sitemap lists; later pages of lists are exempt."""
        in_sitemap = URL.c.found_by.op("&")(int(FoundBy.SITEMAP))
        of_host = URL.c.url.startswith(f"{origin_part(self._state.settings.start_url)}/", autoescape=True)
        later_page = or_(*(URL.c.url.contains(mark, autoescape=True) for mark in PAGE_MARKS))
        return *INDEXABLE, in_sitemap == 0, of_host, ~later_page, SETTLED.c.inlinks > 0, self.not_endless

    def _left_out(self) -> Iterator[Group]:
        counted = select(URL.c.refusal, func.count()).where(URL.c.state == REFUSED, URL.c.refusal != Refusal.SCOPE.value)
        for refusal, count in self._connection.execute(counted.group_by(URL.c.refusal).order_by(URL.c.refusal)).all():
            rows = select(URL.c.url).where(URL.c.state == REFUSED, URL.c.refusal == refusal).order_by(URL.c.url).limit(URL_LIMIT)
            yield Group(refusal, count, tuple(row.url for row in self._connection.execute(rows)))

    # --- links

    def links(self) -> CrawledLinks:
        """Return the linked internal URLs with a problem, by kind of problem."""
        total = select(func.sum(SETTLED.c.linked_from)).join(URL, URL.c.id == SETTLED.c.id).where(URL.c.refusal != Refusal.SCOPE.value)
        links_count = self._connection.execute(total).scalar_one() or 0
        pages_count = self.count(PAGE.c.is_html, PAGE.c.status == OK)
        links, start_url = self._linked_urls(), self._state.settings.start_url
        return faulty_links(links, start_url, self.target, pages_count=pages_count, links_count=links_count)

    def _linked_urls(self) -> Iterator[LinkedUrl]:
        """Yield the linked URLs of the site that may have a problem, those linked from the most pages first."""
        columns = (URL.c.id, URL.c.url, URL.c.refusal, PAGE.c.status, PAGE.c.failure, PAGE.c.reason, PAGE.c.location, SETTLED.c.linked_from)
        declared = URL.alias()
        joined = URL.join(SETTLED, SETTLED.c.id == URL.c.id).outerjoin(PAGE, PAGE.c.id == URL.c.id)
        joined = joined.outerjoin(declared, declared.c.id == PAGE.c.canonical)
        chosen = (
            select(*columns, declared.c.url.label("canonical_url"))
            .select_from(joined)
            .where(SETTLED.c.linked_from > 0, URL.c.refusal != Refusal.SCOPE.value, _MAY_BE_FAULTY)
            .order_by(SETTLED.c.linked_from.desc(), URL.c.url)
        )
        for row in self._connection.execute(chosen).yield_per(AT_ONCE):
            yield LinkedUrl(*row)

    # --- redirects and canonicals

    def redirects(self) -> CrawledRedirects:
        """Return chains, loops and temporary redirects."""
        known_days_count = self._days_since(self._state.known_since) if self._state.known_since else None
        found = crawled_redirects(self._redirects, self._redirect_chain)
        return replace(found, known_days_count=known_days_count, temporary=tuple(self._temporary()))

    def _temporary(self) -> Iterator[TemporaryRedirect]:
        """Yield the temporary redirects that earlier crawls also found, oldest first."""
        target = URL.alias()
        joined = TEMPORARY.join(PAGE, PAGE.c.id == TEMPORARY.c.id).join(URL, URL.c.id == PAGE.c.id)
        joined = joined.join(target, target.c.id == PAGE.c.location).outerjoin(SETTLED, SETTLED.c.id == PAGE.c.id)
        columns = (URL.c.url, target.c.url.label("target"), PAGE.c.status, TEMPORARY.c.since, SETTLED.c.linked_from)
        oldest = select(*columns).select_from(joined).order_by(TEMPORARY.c.since, URL.c.url).limit(LIST_LIMIT)
        for row in self._connection.execute(oldest):
            yield TemporaryRedirect(row.url, row.target, row.status, self._days_since(row.since), row.linked_from or 0)

    def _days_since(self, moment: str) -> int:
        return (datetime.fromisoformat(self._state.started_at) - datetime.fromisoformat(moment)).days

    def _redirect_chain(self, chain: Chain, is_loop: bool) -> Redirects:  # noqa: FBT001 - as `crawled_redirects` calls it
        rows = [self.url_row(number) for number in chain]
        return Redirects(tuple((row.url, row.status or 0) for row in rows), is_loop, rows[0].linked_from or 0)

    def canonicals(self) -> CrawledCanonicals:
        """Return canonical links to another page."""
        pairs = (pair for links in batches_of(self._canonicals.items(), AT_ONCE) for pair in self.pairs(links))
        return faulty_canonicals(pairs, self._state.settings.start_url, len(self._canonicals))

    # --- sitemap

    def sitemap(self) -> CrawledSitemap:
        """Return sitemap entries compared with the crawl."""
        in_sitemap = URL.c.found_by.op("&")(int(FoundBy.SITEMAP)) != 0
        entries = self._connection.execute(select(func.count()).where(in_sitemap)).scalar_one()
        if not entries:
            return CrawledSitemap(0)
        not_ok = tuple(self.groups(PAGE.c.status, in_sitemap, PAGE.c.status != OK, PAGE.c.status.not_in(REFUSALS)))
        disallowed = select(URL.c.url).where(in_sitemap, URL.c.refusal == Refusal.ROBOTS.value).order_by(URL.c.url)
        urls = [row.url for row in self._connection.execute(disallowed)]
        noindex = self.group("noindex", in_sitemap, PAGE.c.reason == Reason.NOINDEX.value)
        return CrawledSitemap(
            entries_count=entries,
            not_ok=not_ok,
            not_ok_count=sum(group.pages_count for group in not_ok),
            noindex=noindex,
            noindex_template=self._noindex_template(in_sitemap) if noindex is not None else None,
            canonicalised=self.group("canonicalised", in_sitemap, PAGE.c.reason == Reason.CANONICAL.value),
            disallowed=Group("disallowed", len(urls), tuple(urls[:URL_LIMIT])) if urls else None,
            missing=self.group("missing", *self.missing_in_sitemap()),
        )

    def _noindex_template(self, in_sitemap: Any) -> Group | None:
        """Return the noindex pages that share a template with a noindex sitemap entry, and the other noindex entries of sitemaps."""
        is_noindex = PAGE.c.reason == Reason.NOINDEX.value
        listed = select(SETTLED.c.template).select_from(ALL_PAGES).where(in_sitemap, is_noindex, SETTLED.c.template > 0).distinct()
        chosen = (is_noindex, or_(in_sitemap, SETTLED.c.template.in_(self._connection.execute(listed).scalars().all())))
        rows = stream_rows(self._connection, select(URL.c.url).select_from(ALL_PAGES).where(*chosen).order_by(URL.c.url))
        return group_of_pages(url for (url,) in rows)

    def template_names(self) -> Iterator[tuple[int, str]]:
        """Yield the id and the name of each template."""
        chosen = select(SETTLED.c.template, URL.c.url).select_from(SETTLED_PAGES).where(PAGE.c.is_html, PAGE.c.status == OK)
        rows = self._connection.execute(chosen.order_by(SETTLED.c.template, URL.c.url)).yield_per(AT_ONCE)
        for template, pages in groupby(rows, key=attrgetter("template")):
            yield template, common_folder(path_of(page.url) for page in pages)


_MAY_BE_FAULTY = or_(
    URL.c.refusal != "",
    URL.c.url.startswith("http:"),
    URL.c.url.contains("?"),
    PAGE.c.status != OK,
    PAGE.c.failure != "",
    PAGE.c.reason != "",
    PAGE.c.location != 0,
)
"""Condition that all URLs with a problem (`crawl.site.links.link_faults`) meet, so that a site without problems is not read."""
