"""Route of the audit log: `/audit`."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.service.accounts import audit_entries
from findable.service.values.audit_log_values import AuditQuery, AuditShape
from findable.service.values.paging import PerPage
from findable.web.api.operation import Call, Reply, Trail, operation
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
    """Email address: lists only actions of this person."""
    per_page: PerPage = 10
    before: Annotated[int, Meta(ge=1, le=2**53)] | UnsetType = UNSET
    """Number of an entry: lists only entries with smaller numbers."""


@operation("GET", "/audit", {200: Trail[AuditShape]}, reply_headers=("Link",))
def list_audit(call: Call, *, query: AuditListQuery) -> Reply:
    """List the entries of the audit log. Newest first. Requires a key of an owner of the account."""
    wanted = AuditQuery(query.thing, query.actor.strip().lower(), value_or(query.before), query.per_page + 1)
    found = audit_entries.find(call.service, call.caller, wanted)
    return cursor_page_reply(call, found, query.per_page, "before")
