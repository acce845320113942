"""The words of the product. Imports nothing of ours."""

from enum import IntEnum, StrEnum


class Verdict(StrEnum):
    """What one check says of one page."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"
    INAPPLICABLE = "inapplicable"
    """The question does not arise; leaves the sum."""
    UNKNOWN = "unknown"
    """It arises but could not be measured; leaves the sum and lowers coverage."""
    INFO = "info"
    """A fact worth showing that is never scored."""


class Importance(StrEnum):
    """How much a check weighs (the weights themselves: reports/scoring.py)."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"


class Category(StrEnum):
    """The folder a check lives in."""

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
    """The word a reader takes away. The HTTP interface calls it ``result``."""

    GOOD = "good"
    DECENT = "decent"
    BAD = "bad"


class Privacy(IntEnum):
    """Who may see a report. The numbers are the interface's."""

    PUBLIC = 0
    """Anyone who has the link."""
    PRIVATE = 1
    """The owner only."""
    PASSWORD = 2
    """Anyone who has the link and the password."""


class Status(StrEnum):
    """How far a report is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Profile(StrEnum):
    """What was looked at; scores are compared within one profile only."""

    STATIC = "static"
    RENDERED = "rendered"
    CRAWLED = "crawled"


class Effort(IntEnum):
    """What a fix costs, for 'the cheapest way to the next rating'."""

    HEAD = 1
    """One line in the head or template."""
    SERVER = 3
    """A server setting."""
    CONTENT = 8
    """Content or code."""
