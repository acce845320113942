"""Tables of projects and their settings."""

from sqlalchemy import Column, ForeignKey, Index, Integer, LargeBinary, SmallInteger, Text

from findable.store.schema.table_parts import (
    Bytewise,
    Id,
    Seconds,
    counts_and_defaults,
    key,
    link_terms,
    numbered_table,
    references,
    table,
    where,
)

project = numbered_table(
    "project",
    references("account", nullable=False),
    Column("name", Bytewise, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("deleted_at", Seconds),
    *counts_and_defaults(),
    *link_terms(),
    Column("not_for_search", Text),  # JSON list of patterns; null for none
    Column("segments", Text),  # JSON: URL patterns of site segments by name; null for none
    Column("extractors", Text),  # JSON: rules of extracted columns by name; null for none
    Column("top_urls", Text),  # JSON: start page and pages with the highest link score, which always get a full run; null before a crawl
    # random part of the share link
    Column("public_id", Bytewise),
    Column("privacy", SmallInteger, nullable=False, default=1, server_default="1"),
    Column("password_hash", Text),
    Column("password_version", Integer, nullable=False, default=0, server_default="0"),
    Column("browser_options", Text),  # JSON: options of browser visits; null for the defaults
    Column("identity", LargeBinary),  # headers for requests to its origin, encrypted JSON; null for none
    # sum of the newest scores of its pages, number of these pages, and score limit set by the start page (null for none)
    Column("page_scores", Integer, nullable=False, default=0, server_default="0"),
    Column("scored_pages", Integer, nullable=False, default=0, server_default="0"),
    Column("start_cap", SmallInteger),
    Column("retention", Text),  # JSON: how long runs are stored; null for the defaults
    Column("reports_bytes", Seconds, nullable=False, default=0, server_default="0"),  # size of runs, saved pages and images
    Column("measured_at", Seconds, nullable=False, default=0, server_default="0"),  # time of the measurement; 0 for never
    Column("tracker", Text),  # JSON: kind and URL of its issue tracker; null for none
    Column("title", Text),  # display name; null: the host
    Column("client_name", Text),  # name of the client; null for none
    Column("tags", Text),  # JSON list; null for none
    Column("watch_answered", SmallInteger, nullable=False, default=0, server_default="0"),  # 1: somebody answered the offer to watch it
    Column("owner_id", Id, ForeignKey("person.id", ondelete="SET NULL")),  # person responsible for the site; null for nobody
    Column("icon", LargeBinary),  # hash of the icon of the site; null for none
    Index("uq_project_alive_name", "account_id", "name", unique=True, **where("deleted_at IS NULL")),
    Index("uq_project_public_id", "public_id", unique=True),
    Index("ix_project_icon", "icon", **where("icon IS NOT NULL")),
    Index("ix_project_created", "account_id", "created_at", "id"),
    Index("ix_project_measured", "measured_at", "id", **where("deleted_at IS NULL")),
    Index("ix_project_deleted", "account_id", "deleted_at", **where("deleted_at IS NOT NULL")),
)

project_role = table(
    "project_role",
    references("person", primary_key=True),
    references("project", primary_key=True, index=True),
    Column("role", Text, nullable=False),  # viewer, member or owner
    Column("created_at", Seconds, nullable=False),
    sqlite_with_rowid=False,
)

acceptance = table(
    "acceptance",
    key(),
    references("project", nullable=False, index=True),
    references("report", index=True),  # null: an acceptance for the crawls of the project, or for its URLs that match the pattern
    Column("of_crawls", SmallInteger, nullable=False, default=0, server_default="0"),  # 1: applies to the crawls of the project
    Column("check_name", Text, nullable=False),
    Column("pattern", Text, nullable=False),
    Column("finding_key", Text, nullable=False),  # empty: the acceptance applies to any evidence
    Column("reason", Text, nullable=False),
    Column("until", Text, nullable=False),  # last day (ISO 8601); empty for no end
    Column("accepted_by", Text, nullable=False),
    Column("person_id", Id, ForeignKey("person.id", ondelete="SET NULL")),
    Column("created_at", Seconds, nullable=False),
)

marker = numbered_table(
    "marker",
    references("project", nullable=False),
    Column("at", Seconds, nullable=False),
    Column("label", Text, nullable=False),
    Index("ix_marker_project", "project_id", "at"),
)

project_day = table(
    "project_day",
    references("project", primary_key=True),
    Column("day", Integer, primary_key=True),  # days since 1970, UTC
    Column("score", SmallInteger, nullable=False),  # score of its pages at the end of the day
    Column("ruleset", Text),  # ruleset of the newest results; null if it is not known
    sqlite_with_rowid=False,
)

url_data = table(
    "url_data",
    references("project", primary_key=True),
    Column("source", Text, primary_key=True),
    Column("day", Text, nullable=False),  # day of the metrics (ISO 8601); empty for none
    Column("columns", Text, nullable=False),  # JSON list of the names of the metrics
    Column("rows", Integer, nullable=False),
    Column("skipped", Integer, nullable=False),  # rows whose URL could not be read
    Column("uploaded_at", Seconds, nullable=False),
    Column("data", LargeBinary, nullable=False),  # packed: metrics by URL
    Column("data_hash", LargeBinary),  # SHA-256 of data, which identifies the version in caches
)
