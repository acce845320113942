"""Causes of findings about a whole site."""

from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import by_cause, url_evidence
from findable.vocabulary import Verdict

URL = "https://example.com/gone"


def caused(key: str, verdict: Verdict) -> CausedFinding:
    return CausedFinding(Cause(CauseKind.BLOCK, key, "footer"), verdict, "a link", 3, (url_evidence(URL, 404),))


def test_a_finding_is_as_bad_as_its_worst_cause() -> None:
    finding = by_cause("fine", [caused("a", Verdict.WARNED), caused("b", Verdict.FAILED)])

    assert (finding.verdict, finding.evidence_count, len(finding.causes)) == (Verdict.FAILED, 2, 2)
    assert by_cause("fine", []).verdict is Verdict.PASSED


def test_the_key_of_a_cause_does_not_depend_on_its_pages() -> None:
    first, second = caused("a", Verdict.FAILED), caused("b", Verdict.FAILED)

    assert first.key_of("site-links-broken") == caused("a", Verdict.WARNED).key_of("site-links-broken")
    assert first.key_of("site-links-broken") != second.key_of("site-links-broken")
