"""Audit log for owners of the account, as a page and as files."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from itertools import islice

from starlette.responses import Response, StreamingResponse

from findable.clock import rfc3339
from findable.errors import Forbidden
from findable.export.csv_rows import csv_line
from findable.service.accounts import audit_entries
from findable.service.accounts.permissions import may
from findable.service.values.audit_log_values import THINGS, AuditAction, AuditQuery, AuditShape
from findable.service.values.caller import OWNER
from findable.web.pages.shared.attachments import attachment
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_page
from findable.web.problems import encode_json
from findable.web.query_strings import url_with, whole_number
from findable.wording import later

SHOWN = 50
COLUMNS = ("id", "at", "actor", "key", "action", "subject", "details", "network")
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


class AuditLogPage(PersonPage, frozen=True, kw_only=True):
    """Variables of audit_log.html."""

    entries: tuple[AuditShape, ...]
    actions: Mapping[str, str]
    """Words for actions."""
    subjects: tuple[Choice, ...]
    actor: str
    query: str
    """Filters as the query of a URL."""
    older: str
    """URL of the previous entries; empty if there are none."""
    days: int
    """Number of days for which entries are stored."""


def _audit_query(request: SignedInRequest, limit: int) -> AuditQuery:
    thing = request.query.get("thing", "")
    return AuditQuery(
        thing if thing in THINGS else "",
        request.query.get("actor", "").strip().lower(),
        whole_number(request.query.get("before", ""), 15),
        limit,
    )


@person_page("/account/audit")
def get_audit_log(request: SignedInRequest) -> AuditLogPage:
    """Show one page of the audit log, filtered by the query."""
    wanted = _audit_query(request, SHOWN + 1)
    found = audit_entries.find(request.service, request.caller, wanted)
    shown, query = found[:SHOWN], {"thing": wanted.subject_type, "actor": wanted.actor}
    return AuditLogPage(
        entries=tuple(shown),
        actions={action.value: request.say(action.words) for action in AuditAction},
        subjects=tuple(Choice(name, request.say(words), name == wanted.subject_type) for name, words in THING_WORDS.items()),
        actor=wanted.actor,
        query=url_with("", query),
        older=url_with("/account/audit", {**query, "before": shown[-1].id}) if len(found) > SHOWN else "",
        days=request.service.settings.audit_days,
    )


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
