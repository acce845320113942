"""Frontier of a crawl: known URLs and the order of requests. The frontier is a table, so memory use stays constant."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple, replace
from sqlalchemy import Connection, bindparam, case, func, or_, select, update

from findable.capture.crawl import Refusal, TrapKind
from findable.crawl.followed_urls import USER_LISTED, Candidate, refusal_of
from findable.crawl.order import priority, shares
from findable.crawl.state import CrawlState
from findable.crawl.traps import SESSION_VALUES, Series, SeriesName, facets_of, series_of, session_values
from findable.crawl.url_keys import text_key, url_key
from findable.crawl.url_parameters import parameter_names, without_parameters
from findable.crawl.visits import WaitingUrl
from findable.formats.session_ids import path_session
from findable.store.crawl_schema import PAGE, SERIES, SESSION, URL
from findable.store.dialect import insert_missing, write_rows
from findable.store.rows_by_id import parts, rows_in

WAITING, TAKEN, DONE, REFUSED, DOUBTFUL, CONFIRMING, CARRIED, DUE = range(8)
"""States of URLs. Pages of the earlier crawl are CARRIED, and DUE if a rolling crawl requests them again."""
REQUESTED = (DONE, DOUBTFUL, TAKEN, CONFIRMING)
BEFORE_NEW, AFTER_NEW = -1, 1_000_000
"""Places of due pages: before, and from which on after, URLs that were never requested."""
_SEPARATOR = " "


class QueuedUrl(Struct, frozen=True):
    """URL that is already in the frontier."""

    number: int
    depth: int
    found_by: int
    refusal: str


class AddedUrls(Struct, frozen=True):
    """Result of adding URLs: the ids of all by URL, and the new URLs to request with the ids of their series."""

    numbers: Mapping[str, int]
    fresh: Sequence[tuple[Candidate, int]]


class Frontier:
    """Frontier of one crawl, within one transaction."""

    def __init__(self, connection: Connection, state: CrawlState) -> None:
        self._connection = connection
        self.state = state
        self._names = frozenset(state.session_names)

    def take(self, count: int, new_count: int) -> list[WaitingUrl]:
        """Return the next URLs, and mark them as taken; ``new_count``: maximum number of URLs that were never requested."""
        due = self._due(count)
        rows = [row for row in due if row.place < AFTER_NEW]
        rows += self._new(min(new_count, count - len(rows)))
        rows += [row for row in due if row.place >= AFTER_NEW][: count - len(rows)]
        self.set_state([row.id for row in rows], TAKEN)
        return [WaitingUrl(row.id, row.url, row.depth) for row in rows]

    def _due(self, count: int) -> list[Any]:
        """Return the next pages of the earlier crawl to request again."""
        rows = (row for has_query in (False, True) for row in self._in_state(DUE, has_query=has_query, count=count))
        return sorted(rows, key=lambda row: (row.place, row.id))[:count]

    def _new(self, count: int) -> list[Any]:
        """Return the next URLs that were never requested."""
        if count <= 0:
            return []
        _, with_query = shares(count)
        rows = self._in_state(WAITING, has_query=True, count=with_query)
        rows = [*self._in_state(WAITING, has_query=False, count=count - len(rows)), *rows]
        if len(rows) < count:
            known = {row.id for row in rows}
            rows += [row for row in self._in_state(WAITING, has_query=True, count=count) if row.id not in known][: count - len(rows)]
        return sorted(rows, key=lambda row: (row.place, row.id))

    def take_unconfirmed(self, count: int) -> list[WaitingUrl]:
        """Return URLs that must be requested again to confirm their response, and mark them as taken."""
        rows = self._connection.execute(
            select(URL.c.id, URL.c.url, URL.c.depth).where(URL.c.state == DOUBTFUL).order_by(URL.c.id).limit(count)
        )
        found = [WaitingUrl(row.id, row.url, row.depth, confirms=True) for row in rows]
        self.set_state([item.number for item in found], CONFIRMING)
        return found

    def _in_state(self, state: int, *, has_query: bool, count: int) -> list[Any]:
        chosen = select(URL.c.id, URL.c.url, URL.c.depth, URL.c.place).where(URL.c.state == state, URL.c.has_query == has_query)
        return list(self._connection.execute(chosen.order_by(URL.c.place, URL.c.id).limit(count)))

    def set_state(self, numbers: Sequence[int], state: int, **reason: str) -> None:
        """Set the state of URLs by id; ``reason``: new values of the columns ``refusal`` and ``detail``."""
        for part in parts(numbers):
            self._connection.execute(update(URL).where(URL.c.id.in_(part)).values(state=state, **reason))

    def release(self) -> None:
        """Queue the URLs again that a killed crawl had taken from the frontier."""
        self._connection.execute(update(URL).where(URL.c.state.in_((TAKEN, CONFIRMING))).values(state=_RELEASED))
        has_page = URL.c.id.in_(select(PAGE.c.id))
        self._connection.execute(update(URL).where(URL.c.state == WAITING, has_page).values(state=DUE))

    def admit(self, candidates: Iterable[Candidate]) -> AddedUrls:
        """Add new URLs, and record further ways in which known URLs were found."""
        merged: dict[int, Candidate] = {}
        keys: dict[str, int] = {}
        for candidate in candidates:
            key = keys.get(candidate.url)
            if key is None:
                key = keys[candidate.url] = url_key(without_parameters(candidate.url, self._names))
            first = merged.get(key)
            if first is not None:
                if first.found_by == candidate.found_by and first.depth <= candidate.depth:
                    continue
                found_by, depth = first.found_by | candidate.found_by, min(first.depth, candidate.depth)
                candidate = Candidate(first.url, found_by, depth, first.source)  # noqa: PLW2901 - merges both sources of the URL
            merged[key] = candidate
        self._add_path_sessions(keys)
        known = self._known_urls(merged)
        fresh = {key: candidate for key, candidate in merged.items() if key not in known}
        self._update_known((known[key], candidate) for key, candidate in merged.items() if key in known)
        numbers = {key: one.number for key, one in known.items()}
        added = self._add(fresh, numbers) if fresh else []
        return AddedUrls({url: numbers[key] for url, key in keys.items()}, added)

    def unknown(self, urls: Iterable[str]) -> list[str]:
        """Return the URLs that are not in the frontier."""
        by_key = {url_key(without_parameters(url, self._names)): url for url in urls}
        known = self._known_urls(by_key)
        return [url for key, url in by_key.items() if key not in known]

    def numbers(self, urls: Iterable[str]) -> dict[str, int]:
        """Return the ids of those URLs that are in the frontier, by URL."""
        keys = {url: url_key(without_parameters(url, self._names)) for url in urls}
        known = self._known_urls(set(keys.values()))
        return {url: known[key].number for url, key in keys.items() if key in known}

    def _known_urls(self, keys: Iterable[int]) -> dict[int, QueuedUrl]:
        rows = rows_in(self._connection, select(URL.c.key, URL.c.id, URL.c.depth, URL.c.found_by, URL.c.refusal), URL.c.key, keys)
        return {key: QueuedUrl(number, depth, found_by, refusal) for key, number, depth, found_by, refusal in rows}

    def _update_known(self, pairs: Iterable[tuple[QueuedUrl, Candidate]]) -> None:
        changes = []
        for known, candidate in pairs:
            # Plain integers: each IntFlag operation is a function call.
            found_by, depth = known.found_by | int(candidate.found_by), min(known.depth, candidate.depth)
            if found_by != known.found_by or depth != known.depth:
                changes.append({"number": known.number, "ways": found_by, "clicks": depth, "queue": priority(depth, found_by)})
        if changes:
            changed: dict[str, Any] = {"found_by": bindparam("ways"), "depth": bindparam("clicks"), "place": bindparam("queue")}
            self._connection.execute(update(URL).where(URL.c.id == bindparam("number")).values(changed), changes)
        most = self.state.settings.depth
        nearer = [change["number"] for change in changes if most is not None and change["clicks"] <= most]
        for part in parts(nearer):
            again = update(URL).where(URL.c.id.in_(part), URL.c.refusal == Refusal.DEPTH.value)
            self._connection.execute(again.values(state=WAITING, refusal=""))

    def _add(self, fresh: Mapping[int, Candidate], numbers: dict[int, int]) -> list[tuple[Candidate, int]]:
        """Insert new URLs and add their ids to ``numbers``. Only one worker may write, because the ids follow the last one."""
        last = self._connection.execute(_LAST_URL).scalar() or 0
        refusals = [refusal_of(candidate, self.state.settings) for candidate in fresh.values()]
        inside = [candidate for candidate, refusal in zip(fresh.values(), refusals, strict=True) if refusal is None]
        series = self._count_series(inside)
        rows, added = [], []
        for number, ((key, candidate), refusal) in enumerate(zip(fresh.items(), refusals, strict=True), last + 1):
            numbers[key] = number
            url, depth, found_by = candidate.url, candidate.depth, int(candidate.found_by)
            of_series, closed = series.get(url, (0, ""))
            if refusal is None and closed and not candidate.is_user_listed:
                refusal, detail = Refusal.TRAP, closed  # noqa: PLW2901 - other URLs of the series caused the refusal
            else:
                detail = TrapKind.GROWING_PATH.value if refusal is Refusal.TRAP else ""
            state, why = (WAITING, "") if refusal is None else (REFUSED, refusal.value)
            place = priority(depth, found_by)
            rows.append((number, key, url, state, why, detail, depth, found_by, candidate.source, place, "?" in url, of_series))
            if refusal is None:
                added.append((candidate, of_series))
        write_rows(self._connection, _INSERT_URL, _URL_COLUMNS, rows)
        self._find_session_parameters(inside)
        return added

    # --- endless series

    def _count_series(self, candidates: Iterable[Candidate]) -> dict[str, tuple[int, str]]:
        """Count URLs of series; return (id of the series, kind of trap if the series is closed) by URL."""
        own: dict[str, SeriesName] = {}
        facets: dict[str, SeriesName] = {}
        for candidate in candidates:
            if (name := series_of(candidate.url)) is not None:
                own[candidate.url] = name
            if (name := facets_of(candidate.url)) is not None:
                facets[candidate.url] = name
        rows = self._series_rows({*own.values(), *facets.values()})
        found: dict[str, tuple[int, str]] = {}
        for url, name in own.items():
            row = rows[name]
            row.found += 1
            found[url] = (row.id, row.kind if row.closed else "")
        for url, name in facets.items():
            row = rows[name]
            row.found += 1
            row.add_shape(url)
            if not row.closed and row.counts.is_endless:
                row.closed = True
                self._refuse_combinations(name, row.kind)
            if row.closed:
                found[url] = (found[url][0], row.kind)
        self._store_series(rows.values())
        return found

    def _refuse_combinations(self, name: SeriesName, kind: str) -> None:
        """Refuse the queued URLs with two or more parameters on the same path."""
        start = name.pattern.removesuffix("{}")
        both = update(URL).where(URL.c.url.startswith(start, autoescape=True), URL.c.url.contains("&"), URL.c.state == WAITING)
        self._connection.execute(both.values(state=REFUSED, refusal=Refusal.TRAP.value, detail=kind))

    def _series_rows(self, names: Iterable[SeriesName]) -> dict[SeriesName, "SeriesRow"]:
        by_key = {text_key(f"{name.kind} {name.pattern}"): name for name in names}
        if not by_key:
            return {}
        rows = rows_in(self._connection, select(SERIES), SERIES.c.key, by_key)
        found = {by_key[row.key]: SeriesRow(*row) for row in rows}
        if len(found) < len(by_key):
            new = ((key, name) for key, name in by_key.items() if name not in found)
            last = self._connection.execute(_LAST_SERIES).scalar() or 0
            found |= {
                name: SeriesRow(number, key, name.kind, name.pattern, is_new=True) for number, (key, name) in enumerate(new, last + 1)
            }
        return found

    def _store_series(self, rows: Iterable["SeriesRow"]) -> None:
        changed = list(rows)
        new, known = [row.values for row in changed if row.is_new], [row.changes for row in changed if not row.is_new]
        if new:
            write_rows(self._connection, _INSERT_SERIES, _SERIES_COLUMNS, new)
        if known:
            write_rows(self._connection, _UPDATE_SERIES, _CHANGES, known)
        for row in changed:
            row.is_new = False

    def count_pages(self, pages: Iterable[tuple["SeriesRow", bool | None]]) -> None:
        """Count fetched pages of series, and refuse the queued URLs of a series that turns out to be endless.

        None instead of a flag: it is unknown whether the page added anything new, so it only counts as fetched.
        """
        changed: dict[int, SeriesRow] = {}
        for row, barren in pages:
            changed[row.id] = row
            row.fetched += 1
            if barren is not None:
                row.barren = row.barren + 1 if barren else 0
            if row.counts.is_endless and not row.closed:
                row.closed = True
                rest = update(URL).where(URL.c.series == row.id, URL.c.state == WAITING, URL.c.found_by.op("&")(int(USER_LISTED)) == 0)
                self._connection.execute(rest.values(state=REFUSED, refusal=Refusal.TRAP.value, detail=row.kind))
        self._store_series(changed.values())

    def series_of(self, numbers: Sequence[int]) -> dict[int, "SeriesRow"]:
        """Return the series by URL id, for URLs that belong to one; URLs of one series share a `SeriesRow`."""
        members = rows_in(self._connection, select(URL.c.id, URL.c.series).where(URL.c.series != 0), URL.c.id, numbers)
        found = {row.id: row.series for row in members}
        rows = rows_in(self._connection, select(SERIES), SERIES.c.id, sorted(set(found.values())))
        series = {row.id: SeriesRow(*row) for row in rows}
        return {number: series[row] for number, row in found.items()}

    # --- session ids

    def _find_session_parameters(self, candidates: Iterable[Candidate]) -> None:
        """Find session parameters, which have several values for the same page."""
        rows = [
            {"name": name, "page": url_key(without_parameters(url, frozenset({name}))), "value": text_key(value)}
            for url, name, value in session_values((candidate.source, candidate.url) for candidate in candidates)
            if name not in self._names
        ]
        if not rows:
            return
        insert_missing(self._connection, SESSION, rows)
        counted = select(SESSION.c.name).group_by(SESSION.c.name, SESSION.c.page).having(func.count() >= SESSION_VALUES).distinct()
        names = {row.name for row in self._connection.execute(counted)} - self._names
        for name in sorted(names):
            self._ignore_parameter(name)

    def _add_path_sessions(self, urls: Iterable[str]) -> None:
        """Store the first URLs with different session ids in their path. Each is equivalent to the URL without the id."""
        found = {session: url for url in urls if (session := path_session(url)) is not None}
        if not found:
            return
        of_kind = select(func.count()).select_from(SERIES).where(SERIES.c.kind == TrapKind.SESSION_ID.value)
        if self._connection.execute(of_kind).scalar_one() < SESSION_VALUES:
            names = (SeriesName(TrapKind.SESSION_ID, f"{name}={value} {url}") for (name, value), url in found.items())
            self._store_series(self._series_rows(dict.fromkeys(islice(names, SESSION_VALUES))).values())

    def _ignore_parameter(self, name: str) -> None:
        """Ignore a session parameter when URLs are compared, also in URLs that are already known."""
        self._names |= {name}
        self.state = with_session_names(self.state, self._names)
        chosen = select(URL.c.id, URL.c.url, URL.c.state).where(
            or_(URL.c.url.contains(f"?{name}=", autoescape=True), URL.c.url.contains(f"&{name}=", autoescape=True))
        )
        rows = sorted(self._connection.execute(chosen.order_by(URL.c.id)), key=lambda row: (row.state == WAITING, row.id))
        taken = set(self._known_urls({url_key(without_parameters(row.url, self._names)) for row in rows}))
        for row in rows:
            key = url_key(without_parameters(row.url, self._names))
            if key not in taken:
                taken.add(key)
                self._connection.execute(update(URL).where(URL.c.id == row.id).values(key=key))
            elif row.state == WAITING:
                self.set_state([row.id], REFUSED, refusal=Refusal.TRAP.value, detail=TrapKind.SESSION_ID.value)


_LAST_URL = select(func.max(URL.c.id))
_INSERT_URL = URL.insert()
_URL_COLUMNS = tuple(column.name for column in URL.c)
_LAST_SERIES = select(func.max(SERIES.c.id))
_INSERT_SERIES = SERIES.insert()
_SERIES_COLUMNS = tuple(column.name for column in SERIES.c)
_CHANGING = ("found", "fetched", "barren", "shapes", "closed")
_CHANGES = (*(f"new_{name}" for name in _CHANGING), "number")
_UPDATE_SERIES = update(SERIES).where(SERIES.c.id == bindparam("number")).values({name: bindparam(f"new_{name}") for name in _CHANGING})


_RELEASED = case((URL.c.state == CONFIRMING, DOUBTFUL), else_=WAITING)


class SeriesRow(Struct):
    """Series of URLs that is being changed: the columns of its row."""

    id: int
    key: int
    kind: str
    pattern: str
    found: int = 0
    fetched: int = 0
    barren: int = 0
    shapes: str = ""
    closed: bool = False
    is_new: bool = False
    """Whether it is not stored yet."""

    def add_shape(self, url: str) -> None:
        """Count the set of parameters of a URL."""
        shape = f"{text_key(' '.join(parameter_names(url))):x}"
        shapes = self.shapes.split(_SEPARATOR) if self.shapes else []
        if shape not in shapes and len(shapes) < MAX_SHAPES:
            self.shapes = _SEPARATOR.join((*shapes, shape))

    @property
    def counts(self) -> Series:
        """Counts by which a series is recognized as endless."""
        shapes_count = self.shapes.count(_SEPARATOR) + 1 if self.shapes else 0
        return Series(TrapKind(self.kind), self.found, self.fetched, self.barren, shapes_count)

    @property
    def changes(self) -> tuple[Any, ...]:
        """Parameters of the UPDATE statement of this series."""
        return self.found, self.fetched, self.barren, self.shapes, self.closed or self.counts.is_endless, self.id

    @property
    def values(self) -> tuple[Any, ...]:
        """Parameters of the INSERT statement of this series."""
        return astuple(self)[:-1]


MAX_SHAPES = 16


def with_session_names(state: CrawlState, names: Iterable[str]) -> CrawlState:
    """Return the state with these session parameters instead of its earlier ones."""
    return replace(state, session_names=tuple(sorted(names)))
