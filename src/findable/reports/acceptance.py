"""Findings accepted with a reason: excluded from the score and listed separately.

An acceptance ends on its date and, if it has a finding's key, when the evidence changes.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from msgspec import Struct

from findable.checks.engine import all_checks
from findable.checks.removed_checks import REMOVED_CHECKS
from findable.errors import SettingError
from findable.reports.reported_finding import AGAINST, ReportedFinding
from findable.reports.url_patterns import matches

REASON_CHARS = 500


class Acceptance(Struct, frozen=True):
    """Acceptance of a finding. ``until`` is its last day (ISO 8601), empty without an end."""

    check: str
    reason: str
    until: str = ""
    url: str = "*"
    """Pattern of the URLs that the acceptance covers (`url_patterns`)."""
    key: str = ""
    """Key of the finding; if set, a finding with other evidence is not accepted."""
    by: str = ""
    """Name of the person who accepted the finding."""


def acceptance_of(acceptances: Iterable[Acceptance], finding: ReportedFinding, url: str, day: str, key: str = "") -> Acceptance | None:
    """Return the acceptance that covers a finding on the URL and day; None if there is none.

    ``key`` replaces the finding's own key: findings of a site have one that does not depend on evidence.
    """
    if finding.verdict not in AGAINST:
        return None
    for one in acceptances:
        holds = not one.until or day <= one.until
        same = not one.key or one.key == (key or finding.key)
        if one.check == finding.id and holds and same and matches(one.url, url):
            return one
    return None


def read_acceptances(text: str, name: str) -> Sequence[Acceptance]:
    """Parse ``[[accept]]`` tables (check, reason, until, url, key) in TOML. Raises SettingError under ``name``, the name of the file."""
    import tomllib  # noqa: PLC0415 - most commands do not need it

    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingError(name, f"is not TOML: {error}") from error
    tables = document.get("accept", [])
    if not isinstance(tables, list):
        raise SettingError(name, "needs [[accept]] tables")
    return [_acceptance(table, name) for table in tables]


def _acceptance(table: dict[str, Any], name: str) -> Acceptance:
    unknown = set(table) - {"check", "reason", "until", "url", "key"}
    if unknown:
        raise SettingError(name, f"has unknown fields: {', '.join(sorted(unknown))}")
    check = str(table.get("check", ""))
    if check not in all_checks() and check not in REMOVED_CHECKS:
        raise SettingError(name, f"there is no check “{check}”")
    reason = str(table.get("reason", "")).strip()
    if not reason or len(reason) > REASON_CHARS:
        raise SettingError(name, f"{check} needs a reason of 1 to {REASON_CHARS} characters")
    until = table.get("until", "")
    if isinstance(until, date):
        until = until.isoformat()[:10]
    elif until:
        try:
            until = date.fromisoformat(str(until)).isoformat()
        except ValueError as error:
            raise SettingError(name, f"{check}: until is not a date like 2027-01-31") from error
    return Acceptance(check, reason, str(until), str(table.get("url", "*")), str(table.get("key", "")))
