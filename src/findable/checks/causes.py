"""Causes of findings about a whole site. A cause is the smallest unit to fix: a block, a template, a parameter, a page.

A site check returns one finding, with its causes: a broken link in the footer of 10,000 pages is one cause.
"""

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from findable.checks.evidence import Evidence
from findable.vocabulary import Verdict


class CauseKind(StrEnum):
    """Kind of unit that a cause is: what has to be fixed."""

    BLOCK = "block"
    TEMPLATE = "template"
    PARAMETER = "parameter"
    FOLDER = "folder"
    HOST = "host"
    GROUP = "group"
    LANGUAGE_PAIR = "language_pair"
    PAGE = "page"


class Cause(Struct, frozen=True):
    """Smallest unit of the site whose fix removes a finding."""

    kind: CauseKind
    key: str
    """Key that is stable between crawls: hash of the block, folder, parameter or URL."""
    name: str
    """Message template for the name of the cause: "footer list of 5 links"."""
    params: Mapping[str, Any] = field(default_factory=dict)
    selector: str = ""


class CausedFinding(Struct, frozen=True):
    """Finding of a site check for one cause."""

    cause: Cause
    verdict: Verdict
    message: str
    """Message template, as in a finding."""
    pages_count: int
    evidence: tuple[Evidence, ...] = ()
    """First examples, at most EVIDENCE_SHOWN."""
    params: Mapping[str, Any] = field(default_factory=dict)
    advice: str = ""
    """Template of the fix for this cause, if the documented fix does not apply; it uses the values of the message."""

    def key_of(self, check_id: str) -> str:
        """Return the key of the finding: the check's id and a digest of the cause, equal in every crawl."""
        digest = hashlib.sha256(f"{self.cause.kind.value} {self.cause.key}".encode("utf-8", "replace")).hexdigest()[:12]
        return f"{check_id}:{digest}"
