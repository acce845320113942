"""Pages without a fault of a check, for the comparison of the findings of two crawls."""

from collections.abc import Mapping

from findable.checks.engine import find_check
from findable.vocabulary import Verdict


def is_without_fault(check_id: str, verdicts: Mapping[str, Verdict], *, is_indexable: bool) -> bool:
    """Return whether a page has no fault of a check: it passed, or has no subject for it (see `judged_page`)."""
    verdict = verdicts.get(check_id)
    if verdict is not Verdict.INAPPLICABLE:
        return verdict in (Verdict.PASSED, Verdict.INFO)
    check = find_check(check_id)
    parents = check.depends_on if check is not None else ()
    return is_indexable and not any(verdicts.get(parent) in (Verdict.FAILED, Verdict.UNKNOWN) for parent in parents)
