"""Queue of the resources and external links that a crawl requests.

The queue is a table: after a crash, entries without a result are requested again.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, update

from findable.capture.crawl import Refusal
from findable.crawl.blocks import BlockResource, UsedAs
from findable.crawl.found_by import FoundBy
from findable.crawl.settings import CrawlSettings
from findable.crawl.url_keys import url_key
from findable.crawl.visits import ResourceVisit, WaitingResource
from findable.limits import MAX_EXTERNAL, MAX_KNOWN_RESOURCES
from findable.store.crawl_frontier import DONE, DOUBTFUL, REFUSED, WAITING
from findable.store.crawl_schema import RESOURCE, URL
from findable.store.dialect import insert_missing
from findable.store.rows_by_id import parts, rows_in
from findable.urls import host_of

EXTERNAL_PER_HOST = 100
"""Maximum number of requested external links per host."""
LINKED_OUTSIDE = (URL.c.refusal == Refusal.SCOPE.value, URL.c.found_by.op("&")(int(FoundBy.LINK | FoundBy.NOFOLLOW_LINK)) != 0)
"""Conditions for linked URLs outside the crawl."""
AT_ONCE = 1000


class ResourceTable:
    """Resources and external links of one crawl, within one transaction."""

    def __init__(self, connection: Connection, settings: CrawlSettings) -> None:
        self._connection = connection
        self._settings = settings

    def add(self, blocks: Iterable[Iterable[BlockResource]]) -> dict[str, int]:
        """Add new resources of blocks; return the numbers of all resources by URL, except those beyond MAX_KNOWN_RESOURCES."""
        used: dict[int, BlockResource] = {}
        for item in (item for block in blocks for item in block):
            used[url_key(item.url)] = item
        if not used:
            return {}
        known = self._numbers(used)
        rows = [self._row(key, item.url, item.used_as) for key, item in used.items() if key not in known]
        last = self._connection.execute(select(func.max(RESOURCE.c.id))).scalar() or 0
        if rows and last < MAX_KNOWN_RESOURCES:
            insert_missing(self._connection, RESOURCE, rows[: MAX_KNOWN_RESOURCES - last])
            known |= self._numbers([row["key"] for row in rows])
        return {used[key].url: number for key, number in known.items()}

    def take(self) -> list[WaitingResource]:
        """Return all resources and external links to request; once none are left, those to request again for confirmation."""
        if self._settings.external:
            self._plan_external()
        return [*self._entries_in_state(WAITING)] or [*self._entries_in_state(DOUBTFUL)]

    def put(self, visits: Sequence[ResourceVisit]) -> None:
        """Store the results of requests of resources."""
        names = ("status", "failure", "detail", "media_type", "size_bytes", "is_missing_host")
        rows = [
            {f"new_{name}": getattr(visit, name) for name in names}
            | {"number": visit.waiting.number, "new_state": DOUBTFUL if visit.is_doubtful else DONE}
            for visit in visits
        ]
        changed: dict[str, Any] = {name: bindparam(f"new_{name}") for name in (*names, "state")}
        self._connection.execute(update(RESOURCE).where(RESOURCE.c.id == bindparam("number")).values(changed), rows)

    def _row(self, key: int, url: str, used_as: UsedAs) -> dict[str, Any]:
        is_own = self._settings.is_own(url)
        is_asked = used_as is UsedAs.LINK or (is_own and self._settings.max_resources > 0)
        return {"key": key, "url": url, "used_as": int(used_as), "is_own": is_own, "state": WAITING if is_asked else REFUSED}

    def _numbers(self, keys: Iterable[int]) -> dict[int, int]:
        rows = rows_in(self._connection, select(RESOURCE.c.key, RESOURCE.c.id), RESOURCE.c.key, keys)
        return {row.key: row.id for row in rows}

    def _entries_in_state(self, state: int) -> Iterator[WaitingResource]:
        """Yield the entries in a state; resources only up to the limit, stylesheets before scripts before images."""
        loaded = RESOURCE.c.used_as < int(UsedAs.LINK)
        done = select(func.count()).where(RESOURCE.c.state.in_((DONE, DOUBTFUL)), loaded)
        left = self._settings.max_resources - self._connection.execute(done).scalar_one() if state == WAITING else None
        chosen = select(RESOURCE.c.id, RESOURCE.c.url, RESOURCE.c.used_as, RESOURCE.c.is_own).where(RESOURCE.c.state == state)
        ordered = chosen.order_by(RESOURCE.c.used_as, RESOURCE.c.id)
        for part in (ordered.where(loaded).limit(left), ordered.where(~loaded)):
            for row in self._connection.execute(part):
                yield WaitingResource(row.id, row.url, UsedAs(row.used_as), row.is_own, confirms=state == DOUBTFUL)

    def _plan_external(self) -> None:
        """Add external links in the order of discovery, up to MAX_EXTERNAL, and EXTERNAL_PER_HOST to one host."""
        planned = select(RESOURCE.c.url).where(RESOURCE.c.used_as.op("&")(int(UsedAs.LINK)) != 0)
        hosts = Counter(host_of(url) for url in self._connection.execute(planned).scalars())
        most = MAX_EXTERNAL - hosts.total()
        known = select(RESOURCE.c.key).where(RESOURCE.c.used_as.op("&")(int(UsedAs.LINK)) != 0)
        linked = select(URL.c.key, URL.c.url).where(*LINKED_OUTSIDE, URL.c.key.not_in(known)).order_by(URL.c.id)
        new: dict[int, str] = {}
        for row in self._connection.execute(linked).yield_per(AT_ONCE) if most > 0 else ():
            host = host_of(row.url)
            if hosts[host] < EXTERNAL_PER_HOST and row.url.startswith(("http:", "https:")):
                hosts[host] += 1
                new[row.key] = row.url
            if len(new) == most:
                break
        for part in parts(list(new)):
            insert_missing(self._connection, RESOURCE, [self._row(key, new[key], UsedAs.LINK) for key in part])
            loaded = update(RESOURCE).where(RESOURCE.c.key.in_(part), RESOURCE.c.used_as < int(UsedAs.LINK))
            self._connection.execute(loaded.where(RESOURCE.c.state == REFUSED).values(state=WAITING))
            self._connection.execute(loaded.values(used_as=RESOURCE.c.used_as.op("|")(int(UsedAs.LINK))))
