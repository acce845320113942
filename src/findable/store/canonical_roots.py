"""Canonical links of a settled crawl, compared with each other, with texts and with the site's origin, as raw data for site checks."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import func, select

from findable.artifacts.page.main_sketch import UNLIKE_BELOW
from findable.capture.crawl import Group, Reason
from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT, CanonicalPair
from findable.capture.site_signals import CanonicalCluster, CanonicalSignals, VariantOrigin
from findable.crawl.settle import chain_of
from findable.crawl.site.counted import Counted, CountedPages
from findable.crawl.url_keys import FoundBy, without_page_number, without_version
from findable.formats.sketches import estimate
from findable.store.crawl_pairs import CanonicalReading, is_origin_variant
from findable.store.crawl_reading import AT_ONCE
from findable.store.crawl_schema import INDEXABLE, PAGE, PAGES, RECORD, URL, WITH_RECORD
from findable.store.packed_pages import unpacked_record
from findable.urls import origin_part


class _TopicRecord(Struct, frozen=True):
    """Part of a record that shows the topic of a page."""

    title: str = ""
    declares_canonical: bool = False
    sketch: bytes = b""


class CanonicalRoots(CanonicalReading):
    """Computes `CanonicalSignals` of one crawl."""

    def signals(self) -> CanonicalSignals:
        """Return canonical links that contradict other signals."""
        with_parameters_count, without = self._with_parameters()
        clusters = list(self._clusters())
        unlike, unlike_count = self._pairs_with_other_texts()
        return CanonicalSignals(
            origin=self._origin,
            declared_count=self.count(PAGE.c.canonical != 0),
            with_parameters_count=with_parameters_count,
            without_canonical=without,
            clusters=tuple(clusters[:LIST_LIMIT]),
            clusters_count=len(clusters),
            unlike=unlike,
            unlike_count=unlike_count,
            variants=tuple(self._variants()),
        )

    @property
    def _origin(self) -> str:
        return origin_part(self._state.settings.start_url)

    def _with_parameters(self) -> tuple[int, Group | None]:
        """Return the number of indexable pages with parameters, and those without a canonical link."""
        chosen = select(URL.c.url, RECORD.c.record).select_from(PAGES.join(RECORD, WITH_RECORD))
        chosen = chosen.where(*INDEXABLE, URL.c.has_query, self.not_endless)
        count = 0
        without = CountedPages()
        for row in self._connection.execute(chosen.order_by(URL.c.url)).yield_per(AT_ONCE):
            if without_page_number(row.url) != row.url:
                continue
            count += 1
            if not _text(row.record).declares_canonical:
                without.add(row.url)
        return count, without.as_group("without_canonical")

    # --- texts

    def _clusters(self) -> Iterator[CanonicalCluster]:
        """Yield pages with one text whose canonical links lead to different pages.

        Several indexable pages with one text are duplicates, regardless of the canonical links of other pages.
        """
        declares = PAGE.c.reason == Reason.CANONICAL.value
        grouped = select(PAGE.c.text, PAGE.c.lang).where(PAGE.c.is_html, declares, PAGE.c.text != 0, PAGE.c.canonical != 0)
        several = grouped.group_by(PAGE.c.text, PAGE.c.lang).having(func.count(PAGE.c.canonical.distinct()) > 1)
        for row in self._connection.execute(several.order_by(func.count().desc(), PAGE.c.text).limit(LIST_LIMIT)).all():
            same = (PAGE.c.is_html, PAGE.c.text == row.text, PAGE.c.lang == row.lang)
            if self.count(*same, PAGE.c.reason == "") > 1:
                continue
            chosen = select(PAGE.c.id, PAGE.c.canonical).join(URL, URL.c.id == PAGE.c.id).where(*same, declares, PAGE.c.canonical != 0)
            members = self._connection.execute(chosen.order_by(URL.c.url).limit(LIST_LIMIT)).all()
            ends = {member.canonical: chain_of(member.canonical, self._canonicals.get)[0][-1] for member in members}
            targets = {self.url_row(end).url for end in ends.values()}
            if len({without_version(url) for url in targets}) < 2:  # noqa: PLR2004 - two URLs of one page in several versions
                continue
            first: dict[int, int] = {}
            for member in members:
                first.setdefault(ends[member.canonical], member.id)
            pairs = tuple(self.pair(page, target) for target, page in list(first.items())[:URL_LIMIT])
            record = self._connection.execute(select(RECORD.c.record).where(RECORD.c.id == members[0].id)).scalar_one()
            yield CanonicalCluster(_text(record).title, len(members), pairs, len(targets))

    def _pairs_with_other_texts(self) -> tuple[tuple[CanonicalPair, ...], int]:
        """Return canonical links to an indexable page with different content, and their number.

        Variants, paginated pages and older versions are excluded, because their links are intended; another root reports canonical links to
        the home page.
        """
        found = Counted[tuple[int, int, float]](LIST_LIMIT)
        for row in self._to_indexable_pages():
            one, other = _text(row.record), _text(row.target_record)
            if not one.sketch or not other.sketch or one.title == other.title:
                continue
            similarity = estimate(one.sketch, other.sketch)
            if similarity < UNLIKE_BELOW:
                found.add((row.id, row.canonical, round(similarity, 2)))
        pairs = self.pairs([(page, target) for page, target, _ in found.first])
        return tuple(replace(pair, similarity=similarity) for pair, (*_, similarity) in zip(pairs, found.first, strict=True)), found.count

    def _to_indexable_pages(self) -> Iterator[Any]:
        """Yield the canonical links that lead from a page to an indexable page of another path."""
        target, end, record = URL.alias(), PAGE.alias(), RECORD.alias()
        columns = (
            PAGE.c.id,
            PAGE.c.canonical,
            URL.c.url,
            RECORD.c.record,
            target.c.url.label("target"),
            record.c.record.label("target_record"),
        )
        joined = PAGES.join(RECORD, WITH_RECORD).join(target, target.c.id == PAGE.c.canonical)
        joined = joined.join(end, end.c.id == PAGE.c.canonical).join(record, record.c.id == end.c.id)
        chosen = select(*columns).select_from(joined).where(PAGE.c.is_html, end.c.is_html, end.c.reason == "")
        is_other = target.c.url != self._state.settings.start_url
        for row in self._connection.execute(chosen.where(is_other).order_by(URL.c.url)).yield_per(AT_ONCE):
            is_choice = row.url.partition("?")[0] == row.target.partition("?")[0]
            is_list = without_page_number(row.url) == without_page_number(row.target)
            if not is_choice and not is_list and without_version(row.url) != without_version(row.target):
                yield row

    # --- origins

    def _variants(self) -> Iterator[VariantOrigin]:
        """Yield the origins in URLs of pages that differ from the site's origin only by scheme or ``www.``."""
        for way in (FoundBy.CANONICAL, FoundBy.HREFLANG):
            pairs: defaultdict[str, Counted[tuple[str, str]]] = defaultdict(Counted)
            for page, url in self._declared_urls(way):
                origin = origin_part(url)
                if origin_part(page) == self._origin and is_origin_variant(origin, self._origin):
                    pairs[origin].add((page, url))
            for origin, found in sorted(pairs.items()):
                yield VariantOrigin(origin, way is FoundBy.HREFLANG, tuple(found.first), found.count)

    def _declared_urls(self, way: FoundBy) -> Iterator[tuple[str, str]]:
        """Yield (page URL, declared URL) of canonical links; each URL of hreflang links only once, with one page that declares it."""
        if way is FoundBy.CANONICAL:
            target = URL.alias()
            declared = select(URL.c.url, target.c.url.label("target")).join(PAGE, PAGE.c.id == URL.c.id)
            joined = declared.join(target, target.c.id == PAGE.c.canonical).order_by(URL.c.url)
            for row in self._connection.execute(joined).yield_per(AT_ONCE):
                yield row.url, row.target
            return
        source = URL.alias()
        chosen = select(URL.c.url, source.c.url.label("page")).join(source, source.c.id == URL.c.source)
        for row in self._connection.execute(chosen.where(URL.c.found_by.op("&")(int(way)) != 0).order_by(URL.c.id)).yield_per(AT_ONCE):
            yield row.page, row.url


def _text(record: bytes) -> _TopicRecord:
    return unpacked_record(record, _TopicRecord)
