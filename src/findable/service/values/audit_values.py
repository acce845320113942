"""Entries of the audit log."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from msgspec import Struct

from findable.export.report_json import DateTime


class AuditAction(StrEnum):
    """Actions in the audit log, as ``object.action``. Their names are released and do not change."""

    SIGNED_IN = "person.signed_in"
    EMAIL_CHANGED = "person.email_changed"
    PASSWORD_CHANGED = "person.password_changed"  # noqa: S105 - the name of an event
    INVITED = "person.invited"
    INVITATION_WITHDRAWN = "person.invitation_withdrawn"
    JOINED = "person.joined"
    ROLE_CHANGED = "person.role_changed"
    REMOVED = "person.removed"
    LINK_MADE = "person.link_made"
    OPERATOR_CHANGED = "person.operator_changed"
    KEY_MADE = "key.made"
    KEY_REVOKED = "key.revoked"
    REPORT_RUN = "report.run"
    REPORTS_IMPORTED = "report.imported"
    REPORT_STOPPED = "report.stopped"
    REPORT_SHARED = "report.shared"
    REPORT_CHANGED = "report.changed"
    REPORT_MERGED = "report.merged"
    REPORT_DELETED = "report.deleted"
    FINDING_ACCEPTED = "finding.accepted"
    FINDING_REOPENED = "finding.reopened"
    BATCH_RUN = "batch.run"
    BATCH_STOPPED = "batch.stopped"
    CRAWL_RUN = "crawl.run"
    CRAWL_STOPPED = "crawl.stopped"
    CRAWL_SHARED = "crawl.shared"
    CRAWL_CHANGED = "crawl.changed"
    CRAWL_DELETED = "crawl.deleted"
    CRAWL_ASKED = "crawl.asked"
    PROJECT_MADE = "project.made"
    PROJECT_SHARED = "project.shared"
    PROJECT_CHANGED = "project.changed"
    PROJECT_DELETED = "project.deleted"
    PROJECT_ASKED = "project.asked"
    NUMBERS_UPLOADED = "project.numbers_uploaded"
    NUMBERS_DELETED = "project.numbers_deleted"
    LOG_IMPORTED = "project.log_imported"
    LOG_DELETED = "project.log_deleted"
    LOG_FOLDER_ASSIGNED = "project.log_folder_assigned"
    LOG_FOLDER_REMOVED = "project.log_folder_removed"
    EVENT_MARKED = "project.event_marked"
    ROLE_GRANTED = "project.role_granted"
    ROLE_TAKEN_BACK = "project.role_taken_back"
    SCHEDULE_MADE = "schedule.made"
    SCHEDULE_CHANGED = "schedule.changed"
    SCHEDULE_DELETED = "schedule.deleted"
    WEBHOOK_MADE = "webhook.made"
    WEBHOOK_CHANGED = "webhook.changed"
    WEBHOOK_DELETED = "webhook.deleted"
    FEED_MADE = "feed.made"
    FEED_DELETED = "feed.deleted"
    VIEW_MADE = "view.made"
    VIEW_DELETED = "view.deleted"
    ALERT_CHANGED = "alert.changed"
    ACCOUNT_CHANGED = "account.changed"


THINGS = tuple(dict.fromkeys(action.value.partition(".")[0] for action in AuditAction))
"""Objects of the actions."""


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


class AuditQuery(Struct, frozen=True):
    """Query for entries of the audit log, newest first."""

    subject_type: str = ""
    """Object type such as ``report``, to filter by."""
    actor: str = ""
    before: int | None = None
    limit: int = 100
