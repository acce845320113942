"""Entries of the audit log."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from findable.values import DateTime
from findable.vocabulary import Code
from findable.wording import later


class AuditAction(Code):
    """Actions in the audit log, as ``object.action``. Their names are released and do not change."""

    SIGNED_IN = "person.signed_in", later("signed in")
    EMAIL_CHANGED = "person.email_changed", later("changed their email address")
    PASSWORD_CHANGED = "person.password_changed", later("set a password")
    INVITED = "person.invited", later("invited somebody")
    INVITATION_WITHDRAWN = "person.invitation_withdrawn", later("withdrew an invitation")
    JOINED = "person.joined", later("joined the account")
    ROLE_CHANGED = "person.role_changed", later("changed the role of a person")
    REMOVED = "person.removed", later("removed a person")
    LINK_MADE = "person.link_made", later("created a sign-in link")
    OPERATOR_CHANGED = "person.operator_changed", later("changed who operates the service")
    KEY_MADE = "key.made", later("created an API key")
    KEY_REVOKED = "key.revoked", later("revoked an API key")
    REPORT_RUN = "report.run", later("ran a report")
    REPORTS_IMPORTED = "report.imported", later("imported reports")
    REPORT_STOPPED = "report.stopped", later("stopped a report")
    REPORT_SHARED = "report.shared", later("changed who may see a report")
    REPORT_CHANGED = "report.changed", later("changed a report for its readers")
    REPORT_DELETED = "report.deleted", later("deleted a report")
    FINDING_ACCEPTED = "finding.accepted", later("accepted a finding")
    FINDING_REOPENED = "finding.reopened", later("withdrew the acceptance of a finding")
    BATCH_RUN = "batch.run", later("ran a batch")
    BATCH_STOPPED = "batch.stopped", later("stopped a batch")
    CRAWL_RUN = "crawl.run", later("ran a crawl")
    CRAWL_STOPPED = "crawl.stopped", later("stopped a crawl")
    CRAWL_SHARED = "crawl.shared", later("changed who may see a crawl")
    CRAWL_CHANGED = "crawl.changed", later("changed a crawl for its readers")
    CRAWL_DELETED = "crawl.deleted", later("deleted a crawl")
    CRAWL_ASKED = "crawl.asked", later("asked a crawl in SQL")
    PROJECT_MADE = "project.made", later("created a project")
    PROJECT_SHARED = "project.shared", later("changed who may see a project")
    PROJECT_CHANGED = "project.changed", later("changed a project")
    PROJECT_DELETED = "project.deleted", later("deleted a project")
    PROJECT_ASKED = "project.asked", later("asked the crawls of a project in SQL")
    NUMBERS_UPLOADED = "project.numbers_uploaded", later("uploaded numbers")
    NUMBERS_DELETED = "project.numbers_deleted", later("deleted uploaded numbers")
    LOG_IMPORTED = "project.log_imported", later("imported an access log")
    LOG_DELETED = "project.log_deleted", later("deleted an imported access log")
    LOG_FOLDER_ASSIGNED = "project.log_folder_assigned", later("assigned a folder with access logs")
    LOG_FOLDER_REMOVED = "project.log_folder_removed", later("ended the assignment of a folder with access logs")
    EVENT_MARKED = "project.event_marked", later("marked an event")
    ROLE_GRANTED = "project.role_granted", later("gave a role in a project")
    ROLE_TAKEN_BACK = "project.role_taken_back", later("took back a role in a project")
    SCHEDULE_MADE = "schedule.made", later("created a schedule")
    SCHEDULE_CHANGED = "schedule.changed", later("changed a schedule")
    SCHEDULE_DELETED = "schedule.deleted", later("deleted a schedule")
    WEBHOOK_MADE = "webhook.made", later("created a webhook")
    WEBHOOK_CHANGED = "webhook.changed", later("changed a webhook")
    WEBHOOK_DELETED = "webhook.deleted", later("deleted a webhook")
    FEED_MADE = "feed.made", later("created a feed")
    FEED_DELETED = "feed.deleted", later("deleted a feed")
    VIEW_MADE = "view.made", later("saved a view")
    VIEW_DELETED = "view.deleted", later("deleted a saved view")
    ALERT_CHANGED = "alert.changed", later("acknowledged or paused an alert")
    ACCOUNT_CHANGED = "account.changed", later("changed the defaults of the account")


THINGS = tuple(dict.fromkeys(action.value.partition(".")[0] for action in AuditAction))
"""Objects of the actions."""


class AuditShape(Struct, frozen=True, kw_only=True):
    """Entry of the audit log: an action of a person or API key."""

    id: int
    object: Literal["audit_entry"] = "audit_entry"
    at: DateTime
    actor: str | None
    """Email address at that time; null for the operator."""
    key: str | None
    """Prefix of the API key; null for a person in the browser."""
    action: str
    """Object type and action: `report.shared`. Later versions may add others."""
    subject: str
    """URL, name or email address of the affected object."""
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
