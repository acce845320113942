"""Shared enumerations of the product. Imports nothing from the package."""

from enum import IntEnum, StrEnum


class Verdict(StrEnum):
    """Outcome of one check for one page."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"
    INAPPLICABLE = "inapplicable"
    """The question does not arise; excluded from the score."""
    UNKNOWN = "unknown"
    """The question arises but could not be answered; excluded from the score, and lowers coverage."""
    INFO = "info"
    """Information that is never scored."""


class Importance(StrEnum):
    """Weight class of a check (weights: reports/scoring.py)."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"


class Category(StrEnum):
    """Category of checks, equal to their folder."""

    INDEXABILITY = "indexability"
    CONTENT = "content"
    LINKS = "links"
    IMAGES = "images"
    PERFORMANCE = "performance"
    SECURITY = "security"
    STRUCTURED_DATA = "structured_data"
    SOCIAL = "social"
    INTERNATIONAL = "international"
    ACCESSIBILITY = "accessibility"
    AI = "ai"
    MOBILE = "mobile"
    TECHNICAL = "technical"


class Rating(StrEnum):
    """Rating of a report. The HTTP API calls it ``result``."""

    GOOD = "good"
    DECENT = "decent"
    BAD = "bad"


class Privacy(IntEnum):
    """Visibility of a report. The numbers are part of the API."""

    PUBLIC = 0
    """Visible to anyone who has the link."""
    PRIVATE = 1
    """Visible to the owner only."""
    PASSWORD = 2
    """Visible to anyone who has the link and the password."""


class Status(StrEnum):
    """Progress of a report."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Profile(StrEnum):
    """Scope of an analysis; scores are comparable within one profile only."""

    STATIC = "static"
    RENDERED = "rendered"
    CRAWLED = "crawled"


class Effort(IntEnum):
    """Cost of a fix, to find the cheapest way to the next rating."""

    HEAD = 1
    """One line in the head or template."""
    SERVER = 3
    """A server setting."""
    CONTENT = 8
    """Content or code."""
