"""Raw data (roots) for site checks about a whole settled crawl: summary, links, redirects, canonical links and sitemap."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import and_, func, or_, select

from findable.capture.crawl import CrawlEnd, CrawlSummary, Group, Readings, Reason, Refusal, TrapKind
from findable.capture.site_graph import (
    LIST_LIMIT,
    URL_LIMIT,
    CanonicalPair,
    CrawledCanonicals,
    CrawledLinks,
    CrawledRedirects,
    CrawledSitemap,
    Redirects,
    TemporaryRedirect,
)
from findable.capture.status_classes import ERRORS, OK, REFUSALS, SERVER_ERRORS
from findable.crawl.record import PageRecord
from findable.crawl.settle import chain_of, common_folder
from findable.crawl.site.counted import Counted, group_of_pages
from findable.crawl.url_keys import FoundBy, without_page_number, without_version
from findable.store.crawl_frontier import CARRIED, DUE, REFUSED, REQUESTED, WAITING
from findable.store.crawl_pairs import CanonicalReading, is_origin_variant
from findable.store.crawl_reading import AT_ONCE
from findable.store.crawl_schema import ALL_PAGES, INDEXABLE, PAGE, RECORD, RESPONSE, SETTLED, SETTLED_PAGES, TEMPORARY, URL
from findable.store.dialect import stream_rows
from findable.store.packed_pages import unpacked_record
from findable.store.resource_roots import ResourceRoots
from findable.urls import has_tracking, origin_part, path_of, same_host
from findable.values import batches_of

_PAGE_MARKS = ("/page/", *(f"{mark}{name}=" for mark in "?&" for name in ("page", "paged", "pg", "seite", "p", "start", "offset")))


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
        found: set[str] = set()
        target = URL.alias()
        declared = select(target.c.url).select_from(PAGE.join(target, target.c.id == PAGE.c.canonical))
        for (url,) in self._connection.execute(declared.where(PAGE.c.is_html, PAGE.c.reason == Reason.CANONICAL.value)).yield_per(AT_ONCE):
            found.add(origin_part(url))
            if len(found) > 1 or same_host(url, self._state.settings.start_url):
                return ""
        return next(iter(found), "")

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
        later_page = or_(*(URL.c.url.contains(mark, autoescape=True) for mark in _PAGE_MARKS))
        return *INDEXABLE, in_sitemap == 0, of_host, ~later_page, SETTLED.c.inlinks > 0, self.not_endless

    def _left_out(self) -> Iterator[Group]:
        counted = select(URL.c.refusal, func.count()).where(URL.c.state == REFUSED, URL.c.refusal != Refusal.SCOPE.value)
        for refusal, count in self._connection.execute(counted.group_by(URL.c.refusal).order_by(URL.c.refusal)).all():
            rows = select(URL.c.url).where(URL.c.state == REFUSED, URL.c.refusal == refusal).order_by(URL.c.url).limit(URL_LIMIT)
            yield Group(refusal, count, tuple(row.url for row in self._connection.execute(rows)))

    # --- links

    def links(self) -> CrawledLinks:
        """Return the linked internal URLs with a problem, by kind of problem."""
        kinds: defaultdict[str, Counted[int]] = defaultdict(lambda: Counted(LIST_LIMIT))
        linked: Counter[str] = Counter()
        for row in self._linked_urls():
            for kind in self._kinds_of(row):
                kinds[kind].add(row.id)
                linked[kind] += row.linked_from
        lists: dict[str, Any] = {}
        total = select(func.sum(SETTLED.c.linked_from)).join(URL, URL.c.id == SETTLED.c.id).where(URL.c.refusal != Refusal.SCOPE.value)
        for kind, found in kinds.items():
            lists[kind] = tuple(map(self.target, found.first))
            lists[f"{kind}_count"] = found.count
        return CrawledLinks(
            pages_count=self.count(PAGE.c.is_html, PAGE.c.status == OK),
            links_count=self._connection.execute(total).scalar_one() or 0,
            broken_links_count=linked["broken"],
            redirected_links_count=linked["redirected"],
            canonicalised_links_count=linked["canonicalised"],
            **lists,
        )

    def _linked_urls(self) -> Iterator[Any]:
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
        yield from self._connection.execute(chosen).yield_per(AT_ONCE)

    def _kinds_of(self, row: Any) -> Iterator[str]:
        """Yield the kinds of problems of a linked URL."""
        if row.refusal == Refusal.ROBOTS.value:
            yield "disallowed"
        if self._state.settings.start_url.startswith("https:") and row.url.startswith("http:"):
            yield "plain_http"
        if has_tracking(row.url):
            yield "tracking"
        if row.status is not None:
            yield from self._kinds_of_response(row)

    def _kinds_of_response(self, row: Any) -> Iterator[str]:
        if row.failure:
            yield "unreachable"
        elif row.status >= SERVER_ERRORS:
            yield "server_errors"
        elif row.status >= ERRORS:
            if row.status not in REFUSALS:
                yield "broken"
        elif row.location or row.reason == Reason.REDIRECT.value:
            if row.status != OK:  # A refresh is a finding about the page that has it, not about each link to it.
                yield "redirected"
        elif row.reason == Reason.CANONICAL.value and self._is_duplicate(row.url, row.canonical_url or ""):
            yield "canonicalised"

    def _is_duplicate(self, url: str, canonical_url: str) -> bool:
        """Return whether a link should lead to the canonical URL.

        Sort orders, filters, variants of a product, pages of a list and older versions are linked on purpose, and a copy of a site links to
        itself. If a page declares the start page as canonical, the canonical URL is wrong.
        """
        start = self._state.settings.start_url
        is_of_start = canonical_url != start or url.partition("?")[0].rpartition("/")[0] == start.partition("?")[0].rpartition("/")[0]
        is_choice = url.partition("?")[0] == canonical_url or without_page_number(url).rstrip("/") == canonical_url.rstrip("/")
        is_copy = origin_part(url) != origin_part(canonical_url)
        return is_of_start and not is_choice and not is_copy and without_version(url) != without_version(canonical_url)

    # --- redirects and canonicals

    def redirects(self) -> CrawledRedirects:
        """Return chains, loops and temporary redirects. A chain that is the end of a longer one is not listed."""
        inner = set(self._redirects.values())
        chains: list[Redirects] = []
        loops: dict[frozenset[int], Redirects] = {}
        for number in sorted(self._redirects):
            chain, is_loop = chain_of(number, self._redirects.get)
            if is_loop:
                circle = frozenset(chain[chain.index(chain[-1]) :])
                if circle not in loops or number not in circle:
                    loops[circle] = self._redirect_chain(chain, is_loop=True)
            elif len(chain) > 2 and number not in inner:  # noqa: PLR2004 - two redirects
                chains.append(self._redirect_chain(chain, is_loop=False))
        chains.sort(key=lambda item: (-len(item.hops), -item.inlinks_count, item.hops))
        circles = sorted(loops.values(), key=lambda item: item.hops)
        return CrawledRedirects(
            len(self._redirects),
            tuple(chains[:LIST_LIMIT]),
            len(chains),
            tuple(circles[:LIST_LIMIT]),
            len(circles),
            known_days_count=self._days_since(self._state.known_since) if self._state.known_since else None,
            temporary=tuple(self._temporary()),
        )

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

    def _redirect_chain(self, chain: Iterable[int], *, is_loop: bool) -> Redirects:
        rows = [self.url_row(number) for number in chain]
        return Redirects(tuple((row.url, row.status or 0) for row in rows), is_loop, rows[0].linked_from or 0)

    def canonicals(self) -> CrawledCanonicals:
        """Return canonical links to another page."""
        lists: defaultdict[str, Counted[CanonicalPair]] = defaultdict(lambda: Counted(LIST_LIMIT))
        for links in batches_of(self._canonicals.items(), AT_ONCE):
            for pair in self.pairs(links):
                for kind in _canonical_faults(pair, self._state.settings.start_url):
                    lists[kind].add(pair)
        values: dict[str, Any] = {}
        for kind, pairs in lists.items():
            values[kind] = tuple(sorted(pairs.first, key=lambda pair: pair.url))
            values[f"{kind}_count"] = pairs.count
        return CrawledCanonicals(len(self._canonicals), **values)

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
"""Condition that all URLs with a problem meet, so that a site without problems is not read."""


def _canonical_faults(pair: CanonicalPair, home: str) -> Iterator[str]:
    """Yield the kinds of problems of a canonical link."""
    if is_origin_variant(origin_part(pair.url), origin_part(pair.target)):
        return  # a wrong origin in all canonical links, which CanonicalSignals reports
    if pair.target == home:
        yield "to_home"
    if not pair.target_known or pair.target_status in REFUSALS or pair.target_reason == Reason.CHALLENGE.value:
        return
    if pair.target_canonical:
        yield "chains"
    elif pair.target_reason:
        yield "not_indexable"
