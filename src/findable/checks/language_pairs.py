"""Findings about language versions, with one cause for each language pair and template."""

from collections.abc import Sequence

from findable.capture.site_languages import ANY, CrawledLanguages, LanguageFault
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import Finding, by_cause


def cause_of(fault: LanguageFault, kind: str = "") -> Cause:
    """Return the cause of a fault of language versions. ``kind`` distinguishes different faults of the same languages."""
    key = " ".join(part for part in (fault.source, fault.target, fault.folder, kind) if part)
    params = {"source_code": fault.source, "target_code": fault.target, "folder": fault.folder or "/"}
    if fault.source == ANY == fault.target:
        return Cause(CauseKind.LANGUAGE_PAIR, key, "language versions in {folder}", params)
    if fault.source == ANY:
        return Cause(CauseKind.LANGUAGE_PAIR, key, "“{target_code}” in {folder}", params)
    if fault.target == ANY:
        return Cause(CauseKind.LANGUAGE_PAIR, key, "“{source_code}” in {folder}", params)
    return Cause(CauseKind.LANGUAGE_PAIR, key, "“{source_code}” and “{target_code}” in {folder}", params)


def language_finding(languages: CrawledLanguages, causes: Sequence[CausedFinding]) -> Finding:
    """Return the finding about the language versions of a site."""
    return by_cause("{pages_count|page declares|pages declare} language versions", causes, pages_count=languages.pages_count)
