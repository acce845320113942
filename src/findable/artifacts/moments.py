"""Times in captures: RFC 3339 text in UTC."""

from datetime import UTC, datetime


def moment(text: str) -> datetime:
    """The time that ``2026-11-21T10:00:04Z`` names. Raises ValueError on anything else."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
