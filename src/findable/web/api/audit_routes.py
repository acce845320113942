"""Route of the audit log: `/audit`."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.export.report_json import DateTime
from findable.service.accounts import audit_entries
from findable.service.values.audit_values import AuditEntry, AuditQuery
from findable.values import shape_of
from findable.web.api.operation import Call, Reply, Trail, operation
from findable.web.api.request_models import PerPage
from findable.web.api.shape_parts import cursor_page_reply
from findable.web.api.validation import value_or

ObjectType = Literal[
    "", "person", "key", "report", "finding", "batch", "crawl", "project", "schedule", "webhook", "feed", "view", "alert", "account"
]


class AuditListQuery(Struct, frozen=True):
    """Query of the audit log."""

    thing: ObjectType = ""
    """Object type: lists only actions on such objects."""
    actor: str = ""
    """E-mail address: lists only actions of this person."""
    per_page: PerPage = 10
    before: Annotated[int, Meta(ge=1, le=2**53)] | UnsetType = UNSET
    """Number of an entry: lists only entries with smaller numbers."""


class AuditShape(Struct, frozen=True, kw_only=True):
    """Entry of the audit log: an action of a person or API key."""

    id: int
    object: Literal["audit_entry"] = "audit_entry"
    at: DateTime
    actor: str | None
    """E-mail address at that time; null for the operator."""
    key: str | None
    """Prefix of the API key; null for a person in the browser."""
    action: str
    """Object type and action: `report.shared`. Later versions may add others."""
    subject: str
    """URL, name or e-mail address of the affected object."""
    details: Mapping[str, str]
    network: str | None
    """Network of a sign-in."""


def audit_shape(entry: AuditEntry) -> AuditShape:
    """Return an entry of the audit log in the shape of the API."""
    return shape_of(AuditShape, entry, actor=entry.actor or None, key=entry.key or None, network=entry.network or None)


@operation("GET", "/audit", {200: Trail[AuditShape]}, reply_headers=("Link",))
def list_audit(call: Call, *, query: AuditListQuery) -> Reply:
    """List the entries of the audit log. Newest first. Requires a key of an owner of the account."""
    wanted = AuditQuery(query.thing, query.actor.strip().lower(), value_or(query.before), query.per_page + 1)
    found = audit_entries.find(call.service, call.caller, wanted)
    return cursor_page_reply(call, found, query.per_page, "before", audit_shape)
