"""Causes of findings about a whole site. A cause is the smallest thing that would be changed: a block, a template, a parameter, a page.

A site check returns one finding, with its causes: a broken link in the footer of 10,000 pages is one cause.
"""

import hashlib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from findable.checks.engine import EVIDENCE_SHOWN, Evidence, Finding
from findable.vocabulary import Verdict


class CauseKind(StrEnum):
    """Kind of the thing that would be changed."""

    BLOCK = "block"
    TEMPLATE = "template"
    PARAMETER = "parameter"
    FOLDER = "folder"
    HOST = "host"
    GROUP = "group"
    LANGUAGE_PAIR = "language_pair"
    PAGE = "page"


class Cause(Struct, frozen=True):
    """Thing that would be changed."""

    kind: CauseKind
    key: str
    """Name that stays the same between crawls: hash of the block, folder, parameter, URL."""
    name: str
    """Name for people: "footer list of 5 links". A message template."""
    params: Mapping[str, Any] = field(default_factory=dict)
    selector: str = ""


class CausedFinding(Struct, frozen=True):
    """Effect of one cause on the site."""

    cause: Cause
    verdict: Verdict
    message: str
    """Message template, as in a finding."""
    pages_count: int
    evidence: tuple[Evidence, ...]
    """First examples, at most EVIDENCE_SHOWN."""
    params: Mapping[str, Any] = field(default_factory=dict)

    def key(self, check_id: str) -> str:
        """Stable name of the finding of that check."""
        digest = hashlib.sha256(f"{self.cause.kind.value} {self.cause.key}".encode("utf-8", "replace")).hexdigest()[:12]
        return f"{check_id}:{digest}"


def by_cause(finding: Finding, causes: Sequence[CausedFinding]) -> Finding:
    """Return the finding with its causes: its verdict is the worst of them, its evidence the first of each."""
    if not causes:
        return finding
    worst = min((item.verdict for item in causes), key=_WORST_FIRST.index)
    evidence = tuple(item.evidence[0] for item in causes if item.evidence)
    return replace(finding, verdict=worst, evidence=evidence[:EVIDENCE_SHOWN], evidence_count=len(evidence), causes=tuple(causes))


_WORST_FIRST = (Verdict.FAILED, Verdict.WARNED, Verdict.UNKNOWN, Verdict.INFO, Verdict.PASSED, Verdict.INAPPLICABLE)
