"""Causes of language version faults: a pair of languages, on the pages of one template."""

from findable.capture.site_languages import ANY, LanguageFault
from findable.checks.causes import Cause, CauseKind


def cause_of(fault: LanguageFault, kind: str = "") -> Cause:
    """Return the cause of a fault. ``kind`` distinguishes different faults of the same languages."""
    key = " ".join(part for part in (fault.source, fault.target, fault.folder, kind) if part)
    params = {"source_code": fault.source, "target_code": fault.target, "folder": fault.folder or "/"}
    if not fault.source and not fault.target:
        return Cause(CauseKind.TEMPLATE, key or "others", "template {folder}", params)
    if fault.source == ANY == fault.target:
        return Cause(CauseKind.LANGUAGE_PAIR, key, "language versions in {folder}", params)
    if fault.source == ANY:
        return Cause(CauseKind.LANGUAGE_PAIR, key, "“{target_code}” in {folder}", params)
    if fault.target == ANY:
        return Cause(CauseKind.LANGUAGE_PAIR, key, "“{source_code}” in {folder}", params)
    return Cause(CauseKind.LANGUAGE_PAIR, key, "“{source_code}” and “{target_code}” in {folder}", params)
