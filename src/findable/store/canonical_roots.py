"""Canonical links of a settled crawl, compared with each other, with texts and with the site's origin, as raw data for site checks."""

from collections.abc import Iterator

from msgspec.structs import replace
from sqlalchemy import func, select

from findable.capture.crawl import Reason
from findable.capture.site_graph import LIST_LIMIT, URL_LIMIT
from findable.capture.site_signals import CanonicalCluster, CanonicalSignals
from findable.crawl.found_by import FoundBy
from findable.crawl.site.canonicals import CanonicalLink, Topic, diverging_ends, pages_with_parameters, unlike_pages, variant_origins
from findable.store.crawl_pairs import CanonicalReading
from findable.store.crawl_reading import AT_ONCE
from findable.store.crawl_schema import INDEXABLE, PAGE, PAGES, RECORD, URL, WITH_RECORD
from findable.store.packed_pages import unpacked_record
from findable.urls import origin_part


class CanonicalRoots(CanonicalReading):
    """Computes `CanonicalSignals` of one crawl."""

    def signals(self) -> CanonicalSignals:
        """Return canonical links that contradict other signals."""
        origin = origin_part(self._state.settings.start_url)
        with_parameters_count, without = pages_with_parameters(self._with_parameters(), _topic)
        clusters = list(self._clusters())
        unlike = unlike_pages(self._to_indexable_pages(), _topic)
        pairs = self.pairs([(page, target) for page, target, _ in unlike.first])
        return CanonicalSignals(
            origin=origin,
            declared_count=self.count(PAGE.c.canonical != 0),
            with_parameters_count=with_parameters_count,
            without_canonical=without,
            clusters=tuple(clusters[:LIST_LIMIT]),
            clusters_count=len(clusters),
            unlike=tuple(replace(pair, similarity=share) for pair, (*_, share) in zip(pairs, unlike.first, strict=True)),
            unlike_count=unlike.count,
            variants=(
                *variant_origins(self._declared_urls(FoundBy.CANONICAL), origin, is_hreflang=False),
                *variant_origins(self._declared_urls(FoundBy.HREFLANG), origin, is_hreflang=True),
            ),
        )

    def _with_parameters(self) -> Iterator[tuple[str, bytes]]:
        """Yield the URLs and records of the indexable pages with parameters."""
        chosen = select(URL.c.url, RECORD.c.record).select_from(PAGES.join(RECORD, WITH_RECORD))
        chosen = chosen.where(*INDEXABLE, URL.c.has_query, self.not_endless)
        yield from self._connection.execute(chosen.order_by(URL.c.url)).yield_per(AT_ONCE)

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
            first = diverging_ends(
                [(member.id, member.canonical) for member in members], self._canonicals, lambda end: self.url_row(end).url
            )
            if not first:
                continue
            pairs = tuple(self.pairs([(page, target) for target, page in first.items()][:URL_LIMIT]))
            record = self._connection.execute(select(RECORD.c.record).where(RECORD.c.id == members[0].id)).scalar_one()
            yield CanonicalCluster(_topic(record).title, len(members), pairs, len(first))

    def _to_indexable_pages(self) -> Iterator[CanonicalLink]:
        """Yield the canonical links to an indexable page other than the start page."""
        target, end, record = URL.alias(), PAGE.alias(), RECORD.alias()
        columns = (
            PAGE.c.id,
            PAGE.c.canonical,
            URL.c.url,
            target.c.url.label("target"),
            RECORD.c.record,
            record.c.record.label("target_record"),
        )
        joined = PAGES.join(RECORD, WITH_RECORD).join(target, target.c.id == PAGE.c.canonical)
        joined = joined.join(end, end.c.id == PAGE.c.canonical).join(record, record.c.id == end.c.id)
        chosen = select(*columns).select_from(joined).where(PAGE.c.is_html, end.c.is_html, end.c.reason == "")
        is_other = target.c.url != self._state.settings.start_url
        for row in self._connection.execute(chosen.where(is_other).order_by(URL.c.url)).yield_per(AT_ONCE):
            yield CanonicalLink(*row)

    # --- origins

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


def _topic(record: bytes) -> Topic:
    return unpacked_record(record, Topic)
