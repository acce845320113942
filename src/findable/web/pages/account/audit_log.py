"""Audit log for owners of the account, as a page and as files."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from itertools import islice
from typing import ClassVar
from urllib.parse import urlencode

from msgspec import Struct
from starlette.responses import Response, StreamingResponse

from findable.clock import rfc3339
from findable.errors import Forbidden
from findable.export.csv import csv_line
from findable.service.accounts import audit_entries
from findable.service.accounts.callers import may
from findable.service.values.audit_values import THINGS, AuditAction, AuditQuery, AuditShape
from findable.service.values.caller import OWNER
from findable.web.pages.account.account import AccountTab
from findable.web.pages.shared.attachments import attachment
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.web.pages.shared.viewer import SignedInRequest, person_page, person_response
from findable.web.problems import encode_json
from findable.wording import later

SHOWN = 50
COLUMNS = ("id", "at", "actor", "key", "action", "subject", "details", "network")
ACTION_WORDS: Mapping[str, str] = {
    AuditAction.SIGNED_IN: later("signed in"),
    AuditAction.EMAIL_CHANGED: later("changed their email address"),
    AuditAction.PASSWORD_CHANGED: later("set a password"),
    AuditAction.INVITED: later("invited somebody"),
    AuditAction.INVITATION_WITHDRAWN: later("withdrew an invitation"),
    AuditAction.JOINED: later("joined the account"),
    AuditAction.ROLE_CHANGED: later("changed the role of a person"),
    AuditAction.REMOVED: later("removed a person"),
    AuditAction.LINK_MADE: later("created a sign-in link"),
    AuditAction.OPERATOR_CHANGED: later("changed who operates the service"),
    AuditAction.KEY_MADE: later("created an API key"),
    AuditAction.KEY_REVOKED: later("revoked an API key"),
    AuditAction.REPORT_RUN: later("ran a report"),
    AuditAction.REPORTS_IMPORTED: later("imported reports"),
    AuditAction.REPORT_STOPPED: later("stopped a report"),
    AuditAction.REPORT_SHARED: later("changed who may see a report"),
    AuditAction.REPORT_CHANGED: later("changed a report for its readers"),
    AuditAction.REPORT_MERGED: later("merged reports of a page"),
    AuditAction.REPORT_DELETED: later("deleted a report"),
    AuditAction.FINDING_ACCEPTED: later("accepted a finding"),
    AuditAction.FINDING_REOPENED: later("withdrew the acceptance of a finding"),
    AuditAction.BATCH_RUN: later("ran a batch"),
    AuditAction.BATCH_STOPPED: later("stopped a batch"),
    AuditAction.CRAWL_RUN: later("ran a crawl"),
    AuditAction.CRAWL_STOPPED: later("stopped a crawl"),
    AuditAction.CRAWL_SHARED: later("changed who may see a crawl"),
    AuditAction.CRAWL_CHANGED: later("changed a crawl for its readers"),
    AuditAction.CRAWL_DELETED: later("deleted a crawl"),
    AuditAction.CRAWL_ASKED: later("asked a crawl in SQL"),
    AuditAction.PROJECT_MADE: later("created a project"),
    AuditAction.PROJECT_SHARED: later("changed who may see a project"),
    AuditAction.PROJECT_CHANGED: later("changed a project"),
    AuditAction.PROJECT_DELETED: later("deleted a project"),
    AuditAction.PROJECT_ASKED: later("asked the crawls of a project in SQL"),
    AuditAction.NUMBERS_UPLOADED: later("uploaded numbers"),
    AuditAction.NUMBERS_DELETED: later("deleted uploaded numbers"),
    AuditAction.LOG_IMPORTED: later("imported an access log"),
    AuditAction.LOG_DELETED: later("deleted an imported access log"),
    AuditAction.LOG_FOLDER_ASSIGNED: later("assigned a folder with access logs"),
    AuditAction.LOG_FOLDER_REMOVED: later("ended the assignment of a folder with access logs"),
    AuditAction.EVENT_MARKED: later("marked an event"),
    AuditAction.ROLE_GRANTED: later("gave a role in a project"),
    AuditAction.ROLE_TAKEN_BACK: later("took back a role in a project"),
    AuditAction.SCHEDULE_MADE: later("created a schedule"),
    AuditAction.SCHEDULE_CHANGED: later("changed a schedule"),
    AuditAction.SCHEDULE_DELETED: later("deleted a schedule"),
    AuditAction.WEBHOOK_MADE: later("created a webhook"),
    AuditAction.WEBHOOK_CHANGED: later("changed a webhook"),
    AuditAction.WEBHOOK_DELETED: later("deleted a webhook"),
    AuditAction.FEED_MADE: later("created a feed"),
    AuditAction.FEED_DELETED: later("deleted a feed"),
    AuditAction.VIEW_MADE: later("saved a view"),
    AuditAction.VIEW_DELETED: later("deleted a saved view"),
    AuditAction.ALERT_CHANGED: later("acknowledged or paused an alert"),
    AuditAction.ACCOUNT_CHANGED: later("changed the defaults of the account"),
}
THING_WORDS = {
    "person": later("People and sign-ins"),
    "key": later("API keys"),
    "report": later("Reports"),
    "finding": later("Accepted findings"),
    "batch": later("Batches"),
    "crawl": later("Crawls"),
    "project": later("Projects and roles"),
    "schedule": later("Schedules"),
    "webhook": later("Webhooks"),
    "feed": later("Feeds"),
    "view": later("Saved views"),
    "alert": later("Alerts"),
    "account": later("Account"),
}


class AuditLine(Struct, frozen=True):
    """Row of the audit log: an entry in words."""

    at: Moment
    actor: str
    """E-mail address; empty for the operator."""
    key: str
    action: str
    subject: str
    details: str


class AuditPage(AccountTab, frozen=True, kw_only=True):
    """Variables of audit_log.html."""

    template: ClassVar[str] = "audit_log.html"
    tab: str = "audit"
    lines: tuple[AuditLine, ...]
    subjects: tuple[Choice, ...]
    actor: str
    query: str
    """Filters as the query of a URL."""
    older: str
    """URL of the previous entries; empty if there are none."""
    days: int
    """Number of days for which entries are stored."""


def _audit_query(request: SignedInRequest, limit: int) -> AuditQuery:
    before = request.query.get("before", "")
    thing = request.query.get("thing", "")
    return AuditQuery(
        thing if thing in THINGS else "",
        request.query.get("actor", "").strip().lower(),
        int(before) if before.isascii() and before.isdigit() and len(before) < 16 else None,  # noqa: PLR2004 - fits any database
        limit,
    )


@person_page("/account/audit")
def get_audit_log(request: SignedInRequest) -> Response:
    """Show one page of the audit log, filtered by the query."""
    wanted = _audit_query(request, SHOWN + 1)
    found = audit_entries.find(request.service, request.caller, wanted)
    shown, query = found[:SHOWN], {name: value for name, value in (("thing", wanted.subject_type), ("actor", wanted.actor)) if value}
    page = AuditPage(
        lines=tuple(_audit_line(request, entry) for entry in shown),
        subjects=tuple(Choice(name, request.say(words), name == wanted.subject_type) for name, words in THING_WORDS.items()),
        actor=wanted.actor,
        query=f"?{urlencode(query)}" if query else "",
        older=f"/account/audit?{urlencode({**query, 'before': shown[-1].id})}" if len(found) > SHOWN else "",
        days=request.service.settings.audit_days,
    )
    return person_response(request, page)


def _audit_line(request: SignedInRequest, entry: AuditShape) -> AuditLine:
    words = request.say.text(ACTION_WORDS.get(entry.action, entry.action))
    told = {**entry.details, **({"network": entry.network} if entry.network else {})}
    details = ", ".join(f"{name}: {value}" for name, value in told.items())
    return AuditLine(moment_of(entry.at, request.say, request.zone), entry.actor or "", entry.key or "", words, entry.subject, details)


@person_page("/account/audit.csv")
def get_audit_csv(request: SignedInRequest) -> Response:
    """Return all entries that match the query as CSV."""
    return _file(request, "csv", "text/csv", csv_line(COLUMNS), _csv_row)


@person_page("/account/audit.json")
def get_audit_json(request: SignedInRequest) -> Response:
    """Return all entries that match the query as NDJSON."""
    return _file(request, "json", "application/x-ndjson", b"", lambda entry: encode_json(entry) + b"\n")


def _csv_row(entry: AuditShape) -> bytes:
    details = ", ".join(f"{name}: {value}" for name, value in entry.details.items())
    return csv_line([entry.id, rfc3339(entry.at), entry.actor, entry.key, entry.action, entry.subject, details, entry.network])


def _file(request: SignedInRequest, ending: str, kind: str, head: bytes, row: Callable[[AuditShape], bytes]) -> Response:
    """Return a response that streams the entries while they are read, to save memory."""
    if not may(request.caller, OWNER):
        raise Forbidden
    entries = audit_entries.all_entries(request.service, request.caller, _audit_query(request, SHOWN))

    async def rows() -> AsyncIterator[bytes]:
        yield head
        while part := await request.service.run(lambda _: _next_rows(entries, row)):
            yield part

    return StreamingResponse(rows(), media_type=kind, headers=attachment(f"findable-audit.{ending}"))


def _next_rows(entries: Iterator[AuditShape], row: Callable[[AuditShape], bytes]) -> bytes:
    return b"".join(row(entry) for entry in islice(entries, audit_entries.EXPORT_STEP))
