"""Current tables. Older databases are migrated by migrations/."""

from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
)
from sqlalchemy.types import BigInteger

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Id = BigInteger().with_variant(Integer, "sqlite")
"""Type of ids: SQLite only counts up in a column of type INTEGER."""
Seconds = BigInteger
Bytewise = Text().with_variant(Text(collation="C"), "postgresql")
"""Text compared byte by byte, so that lists have the same order on every database."""

KEPT_IDS: Any = {"sqlite_autoincrement": True}
"""Option that never reuses an id, not even after the newest row was deleted."""


def _key() -> Column[int]:
    return Column("id", Id, primary_key=True)


def _to(table: str, **options: Any) -> Column[int]:
    return Column(f"{table}_id", Id, ForeignKey(f"{table}.id", ondelete="CASCADE"), **options)


def _shared_by_link() -> tuple[Column[Any], ...]:
    """Return the columns of what belongs to a project and is shared by a link."""
    return (
        Column("public_id", Bytewise, nullable=False, unique=True),
        _to("account", nullable=False),
        _to("project", nullable=False),
        Column("url", Bytewise, nullable=False),
        Column("scheme_guessed", SmallInteger, nullable=False),
        Column("privacy", SmallInteger, nullable=False),
        Column("password_hash", Text),
        Column("password_version", Integer, nullable=False, default=0, server_default="0"),
        Column("status", Text, nullable=False),
        Column("version", Integer, nullable=False, default=1, server_default="1"),
    )


account = Table(
    "account",
    metadata,
    _key(),
    Column("email", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("reports", Integer, nullable=False, default=0, server_default="0"),
    Column("good", Integer, nullable=False, default=0, server_default="0"),
    Column("decent", Integer, nullable=False, default=0, server_default="0"),
    Column("bad", Integer, nullable=False, default=0, server_default="0"),
    Column("projects", Integer, nullable=False, default=0, server_default="0"),
    # What holds for its projects that set nothing themselves.
    Column("brand_name", Text),
    Column("brand_color", Text),
    Column("brand_logo", LargeBinary),
    Column("language", Text),
    Column("default_privacy", SmallInteger),  # of new reports and crawls; null: as the form or request says
    **KEPT_IDS,
)

person = Table(
    "person",
    metadata,
    _key(),
    _to("account", nullable=False, index=True),
    Column("email", Text, nullable=False, unique=True),
    Column("password_hash", Text),
    Column("created_at", Seconds, nullable=False),
    Column("disabled_at", Seconds),
    Column("name", Text, nullable=False, default="", server_default=""),
    Column("role", Text, nullable=False, default="owner", server_default="owner"),  # owner, member, viewer or projects
    Column("language", Text),  # null: language of the browser
    Column("time_zone", Text),  # IANA name; null for UTC
    Column("seen_at", Seconds),  # last request of a session
    Column("visited_at", Seconds),  # end of the visit before the present one
    Column("is_operator", SmallInteger, nullable=False, default=0, server_default="0"),  # of the service: sees all accounts
    **KEPT_IDS,
)

session = Table(
    "session",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    _to("person", nullable=False, index=True),
    Column("created_at", Seconds, nullable=False),
    Column("expires_at", Seconds, nullable=False),
    Column("last_seen_at", Seconds),
    Column("user_agent", Text),
    Column("network", Text),  # of the IP address that signed in: /24 or /56
    Column("proxied_email", Text),  # as the proxy named the person who signed in; null for sessions that began otherwise
)

identity = Table(
    "identity",
    metadata,
    Column("issuer", Text, primary_key=True),  # of the OpenID provider; "proxy" for a trusted proxy
    Column("subject", Text, primary_key=True),
    _to("person", nullable=False, index=True),
    Column("created_at", Seconds, nullable=False),
)

invitation = Table(
    "invitation",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    _to("account", nullable=False, index=True),
    Column("role", Text, nullable=False),
    Column("email", Text),  # null: anyone who has the link
    Column("invited_by", Id, ForeignKey("person.id", ondelete="SET NULL")),
    _to("project", index=True),  # null: the role is in the whole account
    Column("created_at", Seconds, nullable=False),
    Column("expires_at", Seconds, nullable=False),
    Column("used_at", Seconds),
)

one_time_link = Table(
    "one_time_link",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    _to("person", nullable=False, index=True),
    Column("created_at", Seconds, nullable=False),
    Column("expires_at", Seconds, nullable=False),
    Column("used_at", Seconds),
)

api_key = Table(
    "api_key",
    metadata,
    _key(),
    _to("account", nullable=False, index=True),
    _to("person", nullable=False, index=True),
    Column("prefix", Text, nullable=False, unique=True),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("expires_at", Seconds),
    Column("revoked_at", Seconds),
    Column("last_used_at", Seconds),
    **KEPT_IDS,
)

project = Table(
    "project",
    metadata,
    _key(),
    _to("account", nullable=False),
    Column("name", Bytewise, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("deleted_at", Seconds),
    Column("reports", Integer, nullable=False, default=0, server_default="0"),
    Column("good", Integer, nullable=False, default=0, server_default="0"),
    Column("decent", Integer, nullable=False, default=0, server_default="0"),
    Column("bad", Integer, nullable=False, default=0, server_default="0"),
    Column("not_for_search", Text),  # JSON list of patterns; null for none
    Column("brand_name", Text),
    Column("brand_color", Text),  # #rrggbb
    Column("brand_logo", LargeBinary),  # hash of an image
    Column("language", Text),  # of its reports; null: as the account, "reader": language of the reader
    Column("default_privacy", SmallInteger),  # of new reports and crawls; null: as the account
    Column("segments", Text),  # JSON of parts of the site by name; null for none
    Column("extractors", Text),  # JSON of the columns of its crawls by name; null for none
    Column("top_urls", Text),  # JSON: start page and pages with the highest link score, which are always run in full; null before a crawl
    Column("alert_rules", Text),  # JSON: rules that are on or off other than by default; null for none
    # the link for the client
    Column("public_id", Bytewise),
    Column("privacy", SmallInteger, nullable=False, default=1, server_default="1"),
    Column("password_hash", Text),
    Column("password_version", Integer, nullable=False, default=0, server_default="0"),
    Column("link_expires_at", Seconds),  # end of guest access; null: never
    Column("is_listed", SmallInteger, nullable=False, default=0, server_default="0"),  # search engines may list the public page
    Column("client", Text),  # the owner's note for the client, JSON; null for none
    Column("browser", Text),  # how reports use a browser; null: not at all
    Column("identity", LargeBinary),  # headers for requests to its own origin, encrypted JSON; null for none
    # sum of the newest score of each page, their number, and the limit that the start page sets (null for none)
    Column("page_scores", Integer, nullable=False, default=0, server_default="0"),
    Column("scored_pages", Integer, nullable=False, default=0, server_default="0"),
    Column("start_cap", SmallInteger),
    Column("retention", Text),  # JSON: for how long runs are kept; null for the defaults
    Column("reports_bytes", Seconds, nullable=False, default=0, server_default="0"),  # of runs, saved pages and images
    Column("measured_at", Seconds, nullable=False, default=0, server_default="0"),  # when that was measured; 0 for never
    **KEPT_IDS,
)
_ALIVE = project.c.deleted_at.is_(None)
Index("uq_project_alive_name", project.c.account_id, project.c.name, unique=True, sqlite_where=_ALIVE, postgresql_where=_ALIVE)
Index("uq_project_public_id", project.c.public_id, unique=True)
Index("ix_project_created", project.c.account_id, project.c.created_at, project.c.id)
Index("ix_project_measured", project.c.measured_at, project.c.id, sqlite_where=_ALIVE, postgresql_where=_ALIVE)
Index("ix_project_deleted", project.c.account_id, project.c.deleted_at, sqlite_where=~_ALIVE, postgresql_where=~_ALIVE)

project_role = Table(
    "project_role",
    metadata,
    Column("person_id", Id, ForeignKey("person.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("project_id", Id, ForeignKey("project.id", ondelete="CASCADE"), primary_key=True, autoincrement=False, index=True),
    Column("role", Text, nullable=False),  # viewer, member or owner
    Column("created_at", Seconds, nullable=False),
    sqlite_with_rowid=False,
)

report = Table(
    "report",
    metadata,
    _key(),
    *_shared_by_link(),
    Column("created_at", Seconds, nullable=False),
    Column("updated_at", Seconds, nullable=False),
    Column("runs", Integer, nullable=False, default=0, server_default="0"),
    # the shown run: copied, so that a list reads this table alone
    Column("run", Integer),
    Column("generated_at", Seconds),
    Column("result", Text),
    Column("score", SmallInteger),
    Column("coverage", SmallInteger),
    Column("check_set", Integer),
    Column("summary", Text),
    Column("error", Text),
    Column("last_error", Text),
    Column("previous_report", Id),
    Column("previous_run", Integer),
    Column("previous_result", Text),
    Column("previous_score", SmallInteger),
    # sort keys: never null, so that missing values come last in both directions
    Column("generated_up", Seconds, nullable=False),
    Column("generated_down", Seconds, nullable=False),
    Column("result_up", SmallInteger, nullable=False),
    Column("result_down", SmallInteger, nullable=False),
    Column("accepted_end", Seconds),  # when the first acceptance that affects the shown run ends
    Column("listed", SmallInteger, nullable=False, default=0, server_default="0"),  # search engines may list the public page
    Column("link_expires_at", Seconds),  # end of guest access; null: never
    Column("client", Text),  # the owner's note for the client, JSON; null for none
    Column("is_page", SmallInteger, nullable=False, default=1, server_default="1"),  # it stands for its page: the newest of the URL
    Column("merged_into", Id),  # report of the same URL that replaced it; null for none
    # checks with a problem or warning that the previous run did not have, and the reverse, JSON; null without a comparable one
    Column("new_findings", Text),
    Column("fixed_findings", Text),
    Column("cap", SmallInteger),  # lowest limit of the score of the shown run; null for none
    Column("browser", Text),  # how its runs use a browser; null: as the project says
    **KEPT_IDS,
)
# The set of checks is part of these two indexes, so that passed reports are counted without reading the table.
Index("ix_report_account", report.c.account_id, report.c.id, report.c.check_set)
Index("ix_report_generated_up", report.c.account_id, report.c.generated_up, report.c.id)
Index("ix_report_generated_down", report.c.account_id, report.c.generated_down, report.c.id)
Index("ix_report_url", report.c.account_id, report.c.url, report.c.id)
Index("ix_report_result_up", report.c.account_id, report.c.result_up, report.c.id)
Index("ix_report_result_down", report.c.account_id, report.c.result_down, report.c.id)
UNFINISHED = report.c.status != literal_column("'done'")
"""Condition for unfinished reports, written literally so that the planner can use partial indexes."""
Index("ix_report_unfinished", report.c.account_id, report.c.status, report.c.id, sqlite_where=UNFINISHED, postgresql_where=UNFINISHED)
Index(
    "ix_report_unfinished_url",
    report.c.account_id,
    report.c.status,
    report.c.url,
    report.c.id,
    sqlite_where=UNFINISHED,
    postgresql_where=UNFINISHED,
)
DUPLICATE: ColumnElement[bool] = literal_column("is_page = 0")
"""Condition for reports that do not stand for their page, written literally so that the planner can use the index."""
Index(
    "ix_report_duplicate",
    report.c.account_id,
    report.c.project_id,
    report.c.result_up,
    sqlite_where=DUPLICATE,
    postgresql_where=DUPLICATE,
)
_MERGED = report.c.merged_into.is_not(None)
Index("ix_report_merged", report.c.merged_into, sqlite_where=_MERGED, postgresql_where=_MERGED)
Index("ix_report_updated", report.c.account_id, report.c.updated_at)
_ENDS = report.c.accepted_end.is_not(None)
Index("ix_report_accepted_end", report.c.accepted_end, sqlite_where=_ENDS, postgresql_where=_ENDS)
Index("ix_report_project", report.c.project_id, report.c.id, report.c.check_set)
Index("ix_report_project_generated", report.c.project_id, report.c.generated_down, report.c.id)
Index("ix_report_project_url", report.c.project_id, report.c.url, report.c.id)
Index("ix_report_project_result_up", report.c.project_id, report.c.result_up, report.c.id)
Index("ix_report_project_result_down", report.c.project_id, report.c.result_down, report.c.id)

report_merge = Table(
    "report_merge",
    metadata,
    _key(),
    _to("report", nullable=False, index=True),  # into which the others were merged
    Column("created_at", Seconds, nullable=False, index=True),
    Column("undo", Text, nullable=False),  # JSON: what the merge changed
    **KEPT_IDS,
)

run = Table(
    "run",
    metadata,
    _key(),
    _to("report", nullable=False),
    Column("number", Integer, nullable=False),
    Column("account_id", Id, nullable=False),
    Column("url", Bytewise, nullable=False),
    Column("profile", Text, nullable=False),
    Column("started_at", Seconds, nullable=False),
    Column("finished_at", Seconds, nullable=False),
    Column("result", Text),
    Column("score", SmallInteger),
    Column("coverage", SmallInteger),
    Column("engine", Text),
    Column("analysis", LargeBinary),
    Column("saved_hash", LargeBinary),
    Column("error", Text),
    Column("rescored_from", Integer),  # number of the run whose saved page was rescored
    Column("failed", SmallInteger),  # number of problems and warnings
    Column("warned", SmallInteger),
    Column("icon", LargeBinary),  # hashes of images
    Column("card", LargeBinary),
    Column("phone", LargeBinary),  # screenshots
    Column("desktop", LargeBinary),
    UniqueConstraint("report_id", "number"),
    **KEPT_IDS,
)
Index("ix_run_history", run.c.account_id, run.c.url, run.c.profile, run.c.id)
_SAVED = run.c.saved_hash.is_not(None)
Index("ix_run_saved", run.c.saved_hash, sqlite_where=_SAVED, postgresql_where=_SAVED)
_ICON, _CARD = run.c.icon.is_not(None), run.c.card.is_not(None)
Index("ix_run_icon", run.c.icon, sqlite_where=_ICON, postgresql_where=_ICON)
Index("ix_run_card", run.c.card, sqlite_where=_CARD, postgresql_where=_CARD)
_PHONE, _DESKTOP = run.c.phone.is_not(None), run.c.desktop.is_not(None)
Index("ix_run_phone", run.c.phone, sqlite_where=_PHONE, postgresql_where=_PHONE)
Index("ix_run_desktop", run.c.desktop, sqlite_where=_DESKTOP, postgresql_where=_DESKTOP)
Index("ix_run_saved_age", run.c.finished_at, sqlite_where=_SAVED, postgresql_where=_SAVED)
Index("ix_run_finished", run.c.finished_at)

check_name = Table("check_name", metadata, _key(), Column("name", Text, nullable=False, unique=True))

check_set = Table(
    "check_set",
    metadata,
    _key(),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("not_asked", Text, nullable=False),
)

check_set_member = Table(
    "check_set_member",
    metadata,
    Column("check_id", Id, ForeignKey("check_name.id"), primary_key=True),
    Column("set_id", Id, ForeignKey("check_set.id"), primary_key=True),
)

finding = Table(
    "finding",
    metadata,
    _to("report", primary_key=True),
    Column("check_id", Id, primary_key=True),
    Column("account_id", Id, nullable=False),
    Column("verdict", SmallInteger, nullable=False),
    Column("result", SmallInteger),  # of the report, by its position in RESULTS from 1; stored for failed and warned findings only
    Column("is_accepted", SmallInteger, nullable=False, default=0, server_default="0"),
    sqlite_with_rowid=False,
)
Index("ix_finding_verdict", finding.c.account_id, finding.c.check_id, finding.c.verdict, finding.c.report_id)
_RATED = finding.c.result.is_not(None)
Index(
    "ix_finding_result",
    finding.c.account_id,
    finding.c.check_id,
    finding.c.verdict,
    finding.c.result,
    finding.c.report_id,
    sqlite_where=_RATED,
    postgresql_where=_RATED,
)

acceptance = Table(
    "acceptance",
    metadata,
    _key(),
    _to("project", nullable=False, index=True),
    _to("report", index=True),  # null: applies to the project's URLs that match the pattern, or to its crawls
    Column("of_crawls", SmallInteger, nullable=False, default=0, server_default="0"),  # applies to the crawls of the project
    Column("check_name", Text, nullable=False),
    Column("pattern", Text, nullable=False),
    Column("finding_key", Text, nullable=False),  # empty: any evidence
    Column("reason", Text, nullable=False),
    Column("until", Text, nullable=False),  # last day, ISO; empty for no end
    Column("accepted_by", Text, nullable=False),
    Column("person_id", Id, ForeignKey("person.id", ondelete="SET NULL")),
    Column("created_at", Seconds, nullable=False),
)

blob = Table(
    "blob",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    Column("created_at", Seconds, nullable=False),
)

picture = Table(
    "picture",
    metadata,
    Column("hash", LargeBinary, primary_key=True),  # SHA-256 of data
    Column("data", LargeBinary, nullable=False),  # a small PNG encoded by Findable
    Column("width_px", Integer, nullable=False),
    Column("height_px", Integer, nullable=False),
    Column("created_at", Seconds, nullable=False),
)

batch = Table(
    "batch",
    metadata,
    _key(),
    _to("account", nullable=False),
    Column("source", Text, nullable=False),  # URL of the sitemap; empty for a list of URLs
    Column("members", Integer, nullable=False),
    Column("left_out", Integer, nullable=False),  # URLs beyond the limit
    Column("created_at", Seconds, nullable=False),
    Column("duplicates", Integer, nullable=False, default=0, server_default="0"),  # URLs that occurred before
    Column("fed", Integer, nullable=False, default=0, server_default="0"),  # members before this position have reports
    Column("schedule_id", Id),  # schedule that made it, whose URLs get runs of their reports; null for a person
    # settings of the new reports
    Column("privacy", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("password_hash", Text),
    Column("makes_new", SmallInteger, nullable=False, default=0, server_default="0"),  # also for URLs that have a report
    **KEPT_IDS,
)
Index("ix_batch_account", batch.c.account_id, batch.c.id)
WAITING: ColumnElement[bool] = literal_column("fed < members")
Index("ix_batch_waiting", batch.c.account_id, batch.c.id, sqlite_where=WAITING, postgresql_where=WAITING)

batch_member = Table(
    "batch_member",
    metadata,
    Column("batch_id", Id, ForeignKey("batch.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("url", Bytewise, nullable=False),
    Column("report_id", Id, ForeignKey("report.id", ondelete="SET NULL"), index=True),
    Column("refused", Text),  # reason why it has no report; null if it has one
    Column("scheme_guessed", SmallInteger, nullable=False, default=0, server_default="0"),
    sqlite_with_rowid=False,
)

schedule = Table(
    "schedule",
    metadata,
    _key(),
    _to("account", nullable=False),
    _to("project", nullable=False, index=True),
    Column("what", Text, nullable=False),  # reports or crawl
    Column("every", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("time_zone", Text, nullable=False),
    Column("settings", Text, nullable=False),  # JSON
    Column("created_at", Seconds, nullable=False),
    Column("planned_at", Seconds, nullable=False),  # next moment of the rule
    Column("due_at", Seconds, nullable=False),  # that moment and the jitter; the end of the lease while the schedule is run
    # of the last turn
    Column("last_at", Seconds),
    Column("last_is_late", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("last_batch", Id),
    Column("last_crawl", Id),
    Column("last_problem", Text),  # code of the reason why nothing was run
    **KEPT_IDS,
)
Index("ix_schedule_due", schedule.c.due_at, schedule.c.id)
Index("ix_schedule_account", schedule.c.account_id, schedule.c.id)

page_watch = Table(
    "page_watch",
    metadata,
    Column("report_id", Id, ForeignKey("report.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("account_id", Id, nullable=False),
    Column("project_id", Id, nullable=False),
    Column("facts", Text),  # JSON, which later runs are compared with; null before the page was loaded
    Column("seen_at", Seconds, nullable=False),
    Column("is_reached", SmallInteger, nullable=False),  # whether its host responded at the last run
    Column("again_at", Seconds),  # when it is run again to confirm what was seen
    Column("fingerprint", LargeBinary),  # of the last full run; null if it cannot be compared
    Column("full_at", Seconds),  # last full run
)

unchanged_run = Table(
    "unchanged_run",
    metadata,
    Column("report_id", Id, ForeignKey("report.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("at", Seconds, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)
Index("ix_page_watch_project", page_watch.c.account_id, page_watch.c.project_id, page_watch.c.seen_at)
_AGAIN = page_watch.c.again_at.is_not(None)
Index("ix_page_watch_again", page_watch.c.again_at, page_watch.c.report_id, sqlite_where=_AGAIN, postgresql_where=_AGAIN)

site_watch = Table(
    "site_watch",
    metadata,
    Column("project_id", Id, ForeignKey("project.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("facts", Text),  # JSON, which later runs are compared with
    Column("crawl_id", Id),
    Column("crawl", Text),  # JSON, which later crawls are compared with
)

alert = Table(
    "alert",
    metadata,
    _key(),
    _to("account", nullable=False),
    _to("project", index=True),  # null: the network of this service
    Column("rule", Text, nullable=False),
    Column("cause", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("state", Text, nullable=False),  # JSON
    Column("details", Text, nullable=False),  # JSON: values of the message
    Column("created_at", Seconds, nullable=False),
    Column("opened_at", Seconds),
    Column("closed_at", Seconds),
    Column("next_at", Seconds),  # when there may be something to tell; null for never
    Column("pages_count", Integer, nullable=False, default=0, server_default="0"),  # most subjects at one time
    Column("examples", Text, nullable=False),  # JSON list of URLs
    Column("is_over", SmallInteger, nullable=False, default=0, server_default="0"),
    **KEPT_IDS,
)
_LIVE = alert.c.is_over == literal_column("0")
Index(
    "uq_alert_live",
    alert.c.account_id,
    alert.c.project_id,
    alert.c.rule,
    alert.c.cause,
    unique=True,
    sqlite_where=_LIVE,
    postgresql_where=_LIVE,
)
Index("ix_alert_account", alert.c.account_id, alert.c.id)
_TELLS = alert.c.next_at.is_not(None)
Index("ix_alert_next", alert.c.next_at, alert.c.id, sqlite_where=_TELLS, postgresql_where=_TELLS)

alert_subject = Table(
    "alert_subject",
    metadata,
    Column("alert_id", Id, ForeignKey("alert.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("subject_id", Id, primary_key=True, autoincrement=False),  # of a report; 0 for the site
    Column("phase", Text, nullable=False),
    Column("runs", SmallInteger, nullable=False),
    sqlite_with_rowid=False,
)
Index("ix_alert_subject_subject", alert_subject.c.subject_id, alert_subject.c.alert_id)

marker = Table(
    "marker",
    metadata,
    _key(),
    _to("project", nullable=False),
    Column("at", Seconds, nullable=False),
    Column("label", Text, nullable=False),
    **KEPT_IDS,
)
Index("ix_marker_project", marker.c.project_id, marker.c.at)

crawl = Table(
    "crawl",
    metadata,
    _key(),
    *_shared_by_link(),
    Column("is_stopping", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("created_at", Seconds, nullable=False),
    Column("updated_at", Seconds, nullable=False),
    Column("started_at", Seconds),
    Column("finished_at", Seconds),
    Column("deleted_at", Seconds),  # its store is deleted next
    Column("settings", Text, nullable=False),  # JSON, without the list of URLs
    Column("listed", LargeBinary),  # packed JSON list of URLs; null for none
    # results so far
    Column("ended_by", Text),
    Column("error", Text),
    Column("result", Text),
    Column("score", SmallInteger),
    Column("provisional", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("coverage", SmallInteger),  # per cent of the URLs found that were requested
    Column("requests", Integer, nullable=False, default=0, server_default="0"),  # URLs that were requested
    Column("size_bytes", Seconds, nullable=False, default=0, server_default="0"),  # of its store
    Column("counts", Text),  # JSON
    Column("findings", Text),  # JSON: number by verdict
    Column("report", LargeBinary),  # packed JSON of the site report
    Column("previous_crawl", Id),
    Column("is_listed", SmallInteger, nullable=False, default=0, server_default="0"),  # search engines may list the public page
    Column("link_expires_at", Seconds),  # end of guest access; null: never
    Column("client", Text),  # the owner's note for the client, JSON; null for none
    **KEPT_IDS,
)
_STORED = crawl.c.deleted_at.is_(None)
Index("ix_crawl_account", crawl.c.account_id, crawl.c.id, sqlite_where=_STORED, postgresql_where=_STORED)
Index("ix_crawl_project", crawl.c.project_id, crawl.c.id)
SITE_SCORE: ColumnElement[bool] = literal_column(
    "(crawl.score IS NOT NULL AND crawl.provisional = 0 AND crawl.ended_by IN ('complete', 'trap') "
    "AND crawl.listed IS NULL AND crawl.deleted_at IS NULL)"
)
"""Condition: the crawl is complete, and its score is that of the site. Written literally so that the planner can use the index."""
_SITE_SCORE: ColumnElement[bool] = literal_column(str(SITE_SCORE).replace("crawl.", ""))
Index("ix_crawl_site_score", crawl.c.project_id, crawl.c.id, sqlite_where=_SITE_SCORE, postgresql_where=_SITE_SCORE)
Index("ix_crawl_deleted", crawl.c.deleted_at, sqlite_where=~_STORED, postgresql_where=~_STORED)

project_day = Table(
    "project_day",
    metadata,
    Column("project_id", Id, ForeignKey("project.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("day", Integer, primary_key=True, autoincrement=False),  # days since 1970, UTC
    Column("score", SmallInteger, nullable=False),  # of its pages, when the day ended
    sqlite_with_rowid=False,
)

url_data = Table(
    "url_data",
    metadata,
    Column("project_id", Id, ForeignKey("project.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("source", Text, primary_key=True),
    Column("day", Text, nullable=False),  # of the numbers, ISO; empty for none
    Column("columns", Text, nullable=False),  # JSON list
    Column("rows", Integer, nullable=False),
    Column("skipped", Integer, nullable=False),  # rows whose URL could not be read
    Column("uploaded_at", Seconds, nullable=False),
    Column("data", LargeBinary, nullable=False),  # packed: the numbers by URL
    Column("data_hash", LargeBinary),  # SHA-256 of data, by which caches tell versions apart; null before 0028
)

setback = Table(
    "setback",
    metadata,
    _key(),
    _to("account", nullable=False),
    _to("project", nullable=False),
    _to("report", index=True),  # null: a crawl
    _to("crawl", index=True),  # null: a report
    Column("url", Bytewise, nullable=False),
    Column("is_site", SmallInteger, nullable=False),
    Column("at", Seconds, nullable=False),  # when it got worse last; 0 for never
    Column("better_at", Seconds, nullable=False, default=0, server_default="0"),  # when a problem was fixed last; 0 for never
    Column("findings", Text, nullable=False),  # JSON: recent scores and findings with the moments at which they changed
    UniqueConstraint("project_id", "is_site", "url"),
    **KEPT_IDS,
)
Index("ix_setback_account", setback.c.account_id, setback.c.at, setback.c.id)
Index("ix_setback_better", setback.c.account_id, setback.c.better_at, setback.c.id)
Index("ix_setback_project", setback.c.project_id, setback.c.at, setback.c.id)
Index("ix_setback_project_better", setback.c.project_id, setback.c.better_at, setback.c.id)

job = Table(
    "job",
    metadata,
    _key(),
    Column("kind", Text, nullable=False),
    _to("report", unique=True),  # null for a crawl
    Column("account_id", Id, nullable=False),
    Column("host", Bytewise, nullable=False),
    Column("priority", SmallInteger, nullable=False),
    Column("fresh_site", SmallInteger, nullable=False),
    Column("is_scheduled", SmallInteger, nullable=False, default=0, server_default="0"),  # nobody has asked for this run alone
    Column("state", Text, nullable=False),
    Column("run_at", Seconds, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("started_at", Seconds),
    Column("attempt", Integer, nullable=False, default=0, server_default="0"),
    Column("failures", Integer, nullable=False, default=0, server_default="0"),
    Column("worker", Text),
    Column("lease_until", Seconds),
    Column("progress", Text),
    Column("reason", Text),  # reason why it is queued again; null for the first time
    _to("crawl", unique=True),  # null for a report
    **KEPT_IDS,
)
Index("ix_job_turn", job.c.state, job.c.priority, job.c.account_id, job.c.id)
Index("ix_job_host", job.c.state, job.c.priority, job.c.account_id, job.c.host, job.c.id)

turn = Table(
    "turn",
    metadata,
    Column("account_id", Id, ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("active", Integer, nullable=False),
    Column("served", Id, nullable=False),
)
Index("ix_turn_served", turn.c.served)

pause = Table(
    "pause",
    metadata,
    Column("origin", Bytewise, primary_key=True),
    Column("host", Bytewise, nullable=False),  # as in job
    Column("until_at", Seconds, nullable=False),
)

site_answer = Table(
    "site_answer",
    metadata,
    _key(),
    Column("site", Bytewise, nullable=False),  # account and origin
    Column("data", LargeBinary, nullable=False),  # site capture, or responses of its links
    Column("made_at", Seconds, nullable=False),
    **KEPT_IDS,
)
Index("ix_site_answer_site", site_answer.c.site, site_answer.c.id)
Index("ix_site_answer_made", site_answer.c.made_at)

idempotency = Table(
    "idempotency",
    metadata,
    Column("owner", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("payload_hash", Text, nullable=False),
    Column("report_id", Id, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("held_until", Seconds, nullable=False),
    Column("reply", LargeBinary),
)
Index("ix_idempotency_created", idempotency.c.created_at)

rate_bucket = Table(
    "rate_bucket",
    metadata,
    Column("name", Text, primary_key=True),
    Column("count", Integer, nullable=False),
    Column("blocked_until", Seconds, nullable=False),
    Column("expires_at", Seconds, nullable=False),
)
Index("ix_rate_bucket_expires", rate_bucket.c.expires_at)

webhook = Table(
    "webhook",
    metadata,
    _key(),
    _to("account", nullable=False, index=True),
    _to("project", index=True),  # null: every project
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),  # form of the body
    Column("events", Text, nullable=False),  # types, separated by spaces; empty for all
    Column("target", LargeBinary, nullable=False),  # URL and secrets, encrypted JSON
    Column("created_at", Seconds, nullable=False),
    Column("updated_at", Seconds, nullable=False),
    Column("disabled_at", Seconds),
    Column("disabled_why", Text),
    Column("failing_since", Seconds),  # first failed attempt since the last success
    Column("language", Text),  # of messages to a chat; null for English
    **KEPT_IDS,
)

event = Table(
    "event",
    metadata,
    _key(),
    Column("uid", Bytewise, nullable=False, unique=True),
    _to("account", nullable=False),
    _to("project", index=True),
    Column("type", Text, nullable=False),
    Column("cause", Bytewise, nullable=False),
    Column("at", Seconds, nullable=False),
    Column("data", Text, nullable=False),  # JSON
    UniqueConstraint("account_id", "type", "cause"),
    **KEPT_IDS,
)
Index("ix_event_at", event.c.at)

delivery = Table(
    "delivery",
    metadata,
    _key(),
    _to("account", nullable=False, index=True),
    _to("event", index=True),  # null for an e-mail that is about no event
    _to("webhook"),  # null for an e-mail
    _to("person", index=True),  # receiver of an e-mail; null for a webhook, or a receiver without a sign-in
    Column("mail", LargeBinary),  # receiver and values of an e-mail, encrypted JSON; null for a webhook
    Column("state", Text, nullable=False),
    Column("run_at", Seconds, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("attempt", Integer, nullable=False, default=0, server_default="0"),
    Column("failures", Integer, nullable=False, default=0, server_default="0"),
    Column("worker", Text),
    Column("lease_until", Seconds),
    # of the last attempt
    Column("tried_at", Seconds),
    Column("took_ms", Integer),
    Column("status", Integer),  # of the response
    Column("response", Text),  # beginning of the response
    Column("error", Text),  # code
    Column("ended_at", Seconds),
    **KEPT_IDS,
)
_QUEUED, _AT_WORK = delivery.c.state == literal_column("'ready'"), delivery.c.state == literal_column("'running'")
Index("ix_delivery_queued", delivery.c.run_at, delivery.c.id, sqlite_where=_QUEUED, postgresql_where=_QUEUED)
Index("ix_delivery_running", delivery.c.lease_until, sqlite_where=_AT_WORK, postgresql_where=_AT_WORK)
Index("ix_delivery_webhook", delivery.c.webhook_id, delivery.c.id)
Index("ix_delivery_ended", delivery.c.ended_at)

subscription = Table(
    "subscription",  # of a person to e-mails about the alerts of a project
    metadata,
    _to("person", primary_key=True),
    _to("project", primary_key=True, index=True),
    Column("created_at", Seconds, nullable=False),
    sqlite_with_rowid=False,
)

mail_choice = Table(
    "mail_choice",  # of a person; one without a row has the defaults
    metadata,
    _to("person", primary_key=True, autoincrement=False),
    Column("digest", Text, nullable=False),  # none, daily or weekly
    Column("digest_at", Seconds),  # end of the time that the last digest covered
)

feed = Table(
    "feed",
    metadata,
    _key(),
    _to("account", nullable=False, index=True),
    _to("person", nullable=False, index=True),  # whose access the feed has
    _to("project", index=True),  # null: every project that the person may see
    Column("name", Text, nullable=False),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("created_at", Seconds, nullable=False),
    Column("last_used_at", Seconds),
    **KEPT_IDS,
)

saved_view = Table(
    "saved_view",
    metadata,
    _key(),
    _to("account", nullable=False),
    Column("list", Text, nullable=False),  # pages or reports
    Column("name", Text, nullable=False),
    Column("query", Text, nullable=False),  # of the list, urlencoded
    Column("created_at", Seconds, nullable=False),
    UniqueConstraint("account_id", "list", "name"),
    **KEPT_IDS,
)

recipient = Table(
    "recipient",  # of the monthly report of a project
    metadata,
    _key(),
    _to("project", nullable=False),
    Column("email", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("stopped_at", Seconds),  # unsubscribed
    Column("sent_month", Text),  # last month that was sent, like 2026-11
    UniqueConstraint("project_id", "email"),
    **KEPT_IDS,
)

audit_entry = Table(
    "audit_entry",
    metadata,
    _key(),
    _to("account", nullable=False),
    Column("at", Seconds, nullable=False),
    Column("actor", Text, nullable=False),  # e-mail address at that time; empty for the operator
    Column("person_id", Id),  # of a person who may be gone
    Column("key_prefix", Text),  # null: not by an API key
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("details", Text, nullable=False),  # JSON
    Column("network", Text),  # of a sign-in: /24 or /56
    Index("ix_audit_entry_account_id_id", "account_id", "id"),
    Index("ix_audit_entry_at", "at"),
    **KEPT_IDS,
)
