"""Tables of one crawl: on SQLite in a separate file, on PostgreSQL in a separate schema, so that a crawl can be deleted as a unit."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    UniqueConstraint,
    text,
)
from sqlalchemy.schema import SchemaItem

from findable.capture.crawl import Reason
from findable.capture.status_classes import OK
from findable.store.schema.table_parts import Bytewise

FORMAT = 6
"""Version of these tables; stores of other versions are refused."""

METADATA = MetaData()
HAS_PLAIN_TEXT = text("plain_text != 0")
"""Condition for pages with a hash of their visible text, in this form in the index for it."""


def _table(name: str, *parts: SchemaItem, **options: Any) -> Table:
    return Table(name, METADATA, *parts, **options)


def _numbered_table(name: str, *parts: SchemaItem) -> Table:
    """Return a table with an ``id``."""
    return _table(name, Column("id", Integer, primary_key=True), *parts)


def _keyed_table(name: str, *parts: SchemaItem) -> Table:
    """Return a table with an ``id`` of things that a hash identifies."""
    return _numbered_table(name, Column("key", BigInteger, nullable=False, unique=True), *parts)


def _table_of_urls(name: str, *parts: SchemaItem) -> Table:
    """Return a table with one row for a URL, with its ``id``."""
    return _table(name, Column("id", Integer, primary_key=True, autoincrement=False), *parts)


STATE = _table(
    "crawl_state",
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("format", Integer, nullable=False),
    Column("state", LargeBinary, nullable=False),
    Column("site", LargeBinary, nullable=False, default=b""),
)
HOLDER = _table("crawl_holder", Column("id", Integer, primary_key=True, autoincrement=False), Column("attempt", Integer, nullable=False))
"""Table of the job attempt that may write to the store; older attempts are refused."""
URL = _keyed_table(
    "crawl_url",
    Column("url", Bytewise, nullable=False),
    Column("state", SmallInteger, nullable=False),
    Column("refusal", String, nullable=False, default=""),
    Column("detail", String, nullable=False, default=""),
    Column("depth", Integer, nullable=False),
    Column("found_by", Integer, nullable=False),
    Column("source", Integer, nullable=False, default=0),
    Column("place", Integer, nullable=False),
    Column("has_query", Boolean, nullable=False),
    Column("series", Integer, nullable=False, default=0),
    Index("crawl_url_waiting", "state", "has_query", "place", "id"),
    Index("crawl_url_series", "series"),
)
PAGE = _table_of_urls(
    "crawl_page",
    Column("status", Integer, nullable=False),
    Column("failure", String, nullable=False),
    Column("reason", String, nullable=False),
    Column("is_html", Boolean, nullable=False),
    Column("location", Integer, nullable=False),
    Column("canonical", Integer, nullable=False),
    Column("title", BigInteger, nullable=False),
    Column("description", BigInteger, nullable=False),
    Column("heading", BigInteger, nullable=False),
    Column("text", BigInteger, nullable=False),
    Column("plain_text", BigInteger, nullable=False),
    Column("stated", BigInteger, nullable=False, default=0),  # hash of the values that crawl comparisons read from the record
    Column("lang", String, nullable=False),
    Column("words", Integer, nullable=False),
    Column("first_byte_ms", Float, nullable=False),
    Column("score", Integer),
    Column("media_type", String, nullable=False, default=""),
    Column("canonical_kind", String, nullable=False, default=""),
    Column("versions_count", Integer, nullable=False, default=0),  # number of declared language versions
    Column("segments", BigInteger, nullable=False, default=0),  # one bit for each segment of the settings
    Column("requested_at", BigInteger, nullable=False, default=0),  # last request, seconds since 1970; 0 if unknown
    Column("changed_at", BigInteger, nullable=False, default=0),  # first request with the present content
    Index("crawl_page_plain_text", "plain_text", sqlite_where=HAS_PLAIN_TEXT),  # a complete one would be scanned instead of the table
)
"""Table of the requested URLs. It is narrow, because lists read all its rows for a filter or a sort order."""
RECORD = _table_of_urls(
    "crawl_record",
    Column("record", LargeBinary, nullable=False),
    Column("blocks", LargeBinary, nullable=False),
    Column("resources", LargeBinary, nullable=False, default=b""),
)
"""Table of the records of the requested URLs, and of their blocks of links and of resources."""
VERDICT = _table_of_urls("crawl_verdict", Column("verdicts", LargeBinary, nullable=False))
"""Table of the verdicts of HTML pages: one byte for each check of the crawl, once it is settled with the checks that need other pages."""
TEXT = _table_of_urls("crawl_text", Column("text", LargeBinary, nullable=False))
RESPONSE = _table_of_urls("crawl_response", Column("response", LargeBinary, nullable=False))
EXTRACTED = _table(
    "crawl_extracted",
    Column("rule", BigInteger, primary_key=True, autoincrement=False),
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("found", Integer, nullable=False),
    Column("text", String, nullable=False),
)
"""Table of the results of extractors, by the hash of the rule: one value per line. Pages whose result is unknown have no row."""
BLOCK = _keyed_table(
    "crawl_block",
    Column("links", LargeBinary, nullable=False),
    Column("landmark", String, nullable=False),
    Column("selector", String, nullable=False),
    Column("depth", Integer, nullable=False),
    Column("resources", LargeBinary, nullable=False, default=b""),
)
RESOURCE = _keyed_table(
    "crawl_resource",
    Column("url", Bytewise, nullable=False),
    Column("used_as", SmallInteger, nullable=False),
    Column("is_own", Boolean, nullable=False),
    Column("state", SmallInteger, nullable=False),
    Column("status", Integer, nullable=False, default=0),
    Column("failure", String, nullable=False, default=""),
    Column("detail", String, nullable=False, default=""),
    Column("media_type", String, nullable=False, default=""),
    Column("size_bytes", BigInteger),
    Column("is_missing_host", Boolean, nullable=False, default=False),
    Index("crawl_resource_waiting", "state", "used_as", "id"),
)
"""Table of stylesheets, scripts and images that pages load, and of requested external links. Blocks refer to their numbers."""
TEMPORARY = _table_of_urls("crawl_temporary", Column("since", String, nullable=False))
"""Table of temporary redirects that an earlier crawl found with the same target, with the time of the first such crawl."""
ANCHOR = _keyed_table(
    "crawl_anchor",
    Column("text", String, nullable=False),
)
SERIES = _keyed_table(
    "crawl_series",
    Column("kind", String, nullable=False),
    Column("pattern", String, nullable=False),
    Column("found", Integer, nullable=False),
    Column("fetched", Integer, nullable=False),
    Column("barren", Integer, nullable=False),
    Column("shapes", String, nullable=False),
    Column("closed", Boolean, nullable=False),
)
SESSION = _numbered_table(
    "crawl_session",
    Column("name", String, nullable=False),
    Column("page", BigInteger, nullable=False),
    Column("value", BigInteger, nullable=False),
    UniqueConstraint("name", "page", "value"),
)
SETTLED = _table_of_urls(
    "crawl_settled",
    Column("depth", Integer, nullable=False),
    Column("inlinks", Integer, nullable=False, default=0),  # number of pages with a followed link to the URL
    Column("content_inlinks", Integer),  # with one in their main content; NULL if no page declares its main content
    Column("linked_from", Integer, nullable=False, default=0),  # number of pages with any link to the URL
    Column("link_score", Integer, nullable=False, default=0),
    Column("template", Integer, nullable=False, default=0),
    Column("similar", Integer, nullable=False, default=0),
    Column("area", Integer, nullable=False, default=0),  # number of the area of the report with the URL; 0 for none
)
BLOCK_PAGES = _table(
    "crawl_block_pages",
    Column("block", Integer, primary_key=True, autoincrement=False),
    Column("pages", LargeBinary, nullable=False),
)
INLINKS = _table(
    "crawl_inlinks",
    Column("target", Integer, primary_key=True, autoincrement=False),
    Column("blocks", LargeBinary, nullable=False),
)
ANSWER = _table_of_urls(
    "crawl_answer",
    Column("verdicts", LargeBinary, nullable=False),
    Column("findings", LargeBinary),
)
"""Table of findings that depend on the position of a page in the settled crawl. Settling does not change the record of the page."""
REPORT = _numbered_table(
    "crawl_report",
    Column("ruleset", String, nullable=False),
    Column("report", LargeBinary, nullable=False),
)
FINDING = _numbered_table(
    "crawl_finding",
    Column("key", String, nullable=False),
    Column("finding", LargeBinary, nullable=False),
    Column("check_id", String, nullable=False),
    Column("is_note", Boolean, nullable=False),
    Column("pages_count", Integer, nullable=False),
    Index("crawl_finding_key", "key"),
)
FINDING_PAGE = _table(
    "crawl_finding_page",
    Column("finding", Integer, primary_key=True, autoincrement=False),
    Column("page", Integer, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)
"""Table of the pages of each finding: a link in the footer of 10,000 pages is one finding with 10,000 rows."""
COMPARISON = _numbered_table(
    "crawl_comparison",
    Column("name", String, nullable=False, unique=True),
    Column("is_main", Boolean, nullable=False),
    Column("is_done", Boolean, nullable=False),
    Column("last_url", String, nullable=False),
    Column("changes_count", Integer, nullable=False),
    Column("comparison", LargeBinary, nullable=False),
)
"""Table of comparisons with earlier crawls: one row each, without page changes."""
CHANGE = _table(
    "crawl_change",
    Column("comparison", Integer, primary_key=True, autoincrement=False),
    Column("rank", Integer, primary_key=True, autoincrement=False),  # position by kind of change, then by link score
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("page", Integer, nullable=False),
    Column("before", String, nullable=False),
    Column("after", String, nullable=False),
    sqlite_with_rowid=False,
)

BOT_HITS = _table_of_urls(
    "crawl_bot_hits",
    Column("bot_hits", Integer, nullable=False),
    Column("google_hits", Integer, nullable=False),
    Column("ai_hits", Integer, nullable=False),
    Column("bot_first", Integer),  # days since 1970
    Column("bot_last", Integer),
)
"""Table of the requests of bots for the URLs of the crawl, as the logs of its project were counted last. Other URLs have no row."""

RECORDED_PAGES = PAGE.join(RECORD, RECORD.c.id == PAGE.c.id)
"""Requested URLs with their records, without the URLs themselves."""
PAGES = PAGE.join(URL, URL.c.id == PAGE.c.id)
"""Requested URLs."""
SETTLED_PAGES = PAGES.join(SETTLED, SETTLED.c.id == PAGE.c.id)
"""Requested URLs with their position in the settled crawl."""
ALL_PAGES = PAGES.outerjoin(SETTLED, SETTLED.c.id == PAGE.c.id)
"""Requested URLs, with their position if the crawl is settled."""
ALL_URLS = URL.outerjoin(PAGE, PAGE.c.id == URL.c.id).outerjoin(SETTLED, SETTLED.c.id == URL.c.id)
"""Known URLs, requested or not."""
WITH_RECORD = RECORD.c.id == PAGE.c.id
"""Condition that joins pages with their records."""
WITH_VERSIONS = WITH_RECORD & (PAGE.c.versions_count > 0)
"""Condition that joins pages with language versions with their records; other records are not read."""
INDEXABLE = (PAGE.c.is_html, PAGE.c.reason == "")
"""Conditions for pages that search engines may index."""
REFRESHING = (PAGE.c.is_html, PAGE.c.status == OK, PAGE.c.reason == Reason.REDIRECT.value)
"""Conditions of pages that redirect by a refresh of 0 seconds."""
