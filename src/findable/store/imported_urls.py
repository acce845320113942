"""Writer of an imported table of URLs to the store of a crawl: responses, titles and depths, without links, texts and verdicts."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from findable.crawl.found_by import FoundBy
from findable.crawl.link_graph import NOWHERE
from findable.crawl.packed_verdicts import pack_in_order
from findable.crawl.record import PageRecord, ReadPage
from findable.crawl.url_keys import url_key
from findable.formats.crawler_exports import UrlOfTable
from findable.store.crawl_frontier import DONE
from findable.store.crawl_schema import PAGE, RECORD, SETTLED, URL, VERDICT
from findable.store.packed_pages import packed_record
from findable.store.page_writer import page_row
from findable.values import batches_of

AT_ONCE = 1000


def write_urls(connection: Connection, urls: Mapping[str, UrlOfTable], checks: Sequence[str]) -> None:
    """Write the URLs of a table to an empty store. ``checks``: ids of the checks of the crawl; none has a verdict."""
    no_verdicts = pack_in_order({}, tuple(checks))
    unique = {url_key(url): url for url in urls}.values()
    for rows in batches_of(enumerate(unique, 1), AT_ONCE):
        pages = [(number, url, urls[url], _record(url, urls[url], no_verdicts)) for number, url in rows]
        connection.execute(URL.insert(), [_url_row(number, url, found) for number, url, found, _ in pages])
        connection.execute(PAGE.insert(), [page_row(number, ReadPage(record), {}, 0) for number, _, _, record in pages])
        records = [{"id": number, "record": packed_record(record), "blocks": b"", "resources": b""} for number, _, _, record in pages]
        connection.execute(RECORD.insert(), records)
        connection.execute(VERDICT.insert(), [{"id": number, "verdicts": record.verdicts} for number, _, _, record in pages])
        connection.execute(
            SETTLED.insert(), [{"id": number, "depth": NOWHERE if found.depth is None else found.depth} for number, _, found, _ in pages]
        )


def _record(url: str, found: UrlOfTable, no_verdicts: bytes) -> PageRecord:
    media_type, verdicts = ("text/html", no_verdicts) if found.is_html else ("", b"")
    return PageRecord(url, found.status, media_type=media_type, reason=found.reason, title=found.title, verdicts=verdicts)


def _url_row(number: int, url: str, found: UrlOfTable) -> dict[str, Any]:
    return {
        "id": number,
        "key": url_key(url),
        "url": url,
        "state": DONE,
        "depth": found.depth or 0,
        "found_by": FoundBy.LIST.value,
        "place": 0,
        "has_query": "?" in url,
    }
