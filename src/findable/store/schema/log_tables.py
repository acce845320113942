"""Tables of requests of bots, counted in access logs. They contain no IP address, user agent or line of a log."""

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, SmallInteger, Text

from findable.store.schema.table_parts import Bytewise, Seconds, numbered_table, references, table, where

log_import = numbered_table(
    "log_import",
    references("project", nullable=False),
    Column("source", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("head_hash", Text, nullable=False),
    Column("head_bytes", Integer, nullable=False),
    Column("offset", Seconds, nullable=False),  # decoded bytes that are read
    Column("tail_hash", Text, nullable=False),
    Column("first_at", Seconds, nullable=False),
    Column("last_at", Seconds, nullable=False),
    Column("lines", Seconds, nullable=False),
    Column("unreadable", Seconds, nullable=False),
    Column("without_request", Seconds, nullable=False),
    Column("days", Text, nullable=False),  # JSON list of days with lines
    Column("imported_at", Seconds, nullable=False),
    Index("ix_log_import_project", "project_id", "last_at"),
)

log_folder = table(
    "log_folder",
    references("project", primary_key=True),
    Column("name", Text, primary_key=True),  # of the setting log_folders
    Column("due_at", Seconds, nullable=False),
    Column("read_at", Seconds),  # begin of the last pass; files that changed later are read next
    Column("problems", Text, nullable=False),  # JSON object: problem by name of the file
    sqlite_with_rowid=False,
)

log_url = table(
    "log_url",
    references("project", primary_key=True),
    Column("id", Integer, primary_key=True, autoincrement=False),  # counted within the project, so that its rows are read in order
    Column("url_key", BigInteger, nullable=False),
    Column("url", Bytewise, nullable=False),
    Column("pattern", BigInteger),  # key of the row in which URLs with the same parameters are folded; null without parameters
    Column("kind", SmallInteger, nullable=False),  # HitKind
    Column("last_day", Integer, nullable=False),  # days since 1970 of the newest request, which may be up to a month later
    Index("uq_log_url_key", "project_id", "url_key", unique=True),
    Index("ix_log_url_pattern", "project_id", "pattern", **where("pattern IS NOT NULL")),
    sqlite_with_rowid=False,
)

log_day = table(
    "log_day",
    references("log_import", primary_key=True),
    Column("day", Integer, primary_key=True),  # days since 1970, UTC
    Column("bot", Text, primary_key=True),
    Column("verification", Text, primary_key=True),
    Column("statuses", Text, nullable=False),  # JSON list of the number of requests by class of status
    Column("data", LargeBinary, nullable=False),  # packed: requests by URL and class of status
    sqlite_with_rowid=False,
)

log_result = table(
    "log_result",
    references("project", primary_key=True),
    Column("name", Text, primary_key=True),
    Column("version", Text, nullable=False),  # of the logs, and of the crawl that they were joined with
    Column("first_day", Integer, nullable=False),  # days since 1970 of the first counted day
    Column("counted_at", Seconds, nullable=False),
    Column("size", Seconds, nullable=False),  # number of counted entries
    Column("data", LargeBinary, nullable=False),
)
"""Table of what was counted over all URLs of the last days, until the logs change."""
