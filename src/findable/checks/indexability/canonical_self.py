"""The page names another page as its canonical address.

Why it matters: the page asks to be left out in favour of the other one. That is right for a duplicate, and a common accident of
templates that put one address on every page.

How to fix: name the page's own address, or analyse the page that it names.

    <link rel="canonical" href="https://www.example.com/shop/blue-widgets">

Sources: RFC 6596; Google, "What is URL canonicalization" (2025): a hint, not a rule.

Not judged: AMP pages, which name their other version by design; tracking parameters and fragments do not count as another address.
"""

from findable.artifacts.page.canonical import VARIANTS, Canonical, Difference
from findable.artifacts.page.text import Text
from findable.artifacts.responses.canonical_response import CanonicalTarget
from findable.artifacts.responses.not_found_probe import likeness_of_texts
from findable.artifacts.responses.resources import Resources
from findable.checks.engine import Evidence, Finding, check, covered_by, failed, inapplicable, passed, url_evidence, warned
from findable.checks.indexing_evidence import declarations_evidence
from findable.vocabulary import Effort, Importance


@check(
    question="Does the page name itself as canonical?",
    importance=Importance.HIGH,
    effort=Effort.HEAD,
    depends_on=("canonical-valid",),
    indexing_only=True,
    judges_partial_input=True,
)
def canonical_self(canonical: Canonical, resources: Resources | None, text: Text | None, target: CanonicalTarget | None) -> Finding:
    """Compares the canonical address with the final one."""
    if canonical.target is None:
        return inapplicable("the page names no canonical address")
    evidence = declarations_evidence(canonical.counting)
    found = canonical.differences
    if not found:
        return passed("the page names itself: {target}", target=canonical.target, evidence=evidence)
    if resources is not None and resources.is_amp:
        return inapplicable("an AMP page names its other version")
    if found == {Difference.SCHEME} and canonical.is_insecure:
        return covered_by("canonical-valid")
    parts = [item for item in Difference if item in found]
    if found <= VARIANTS:
        return warned("the canonical address {target} differs by {parts}", target=canonical.target, parts=parts, evidence=evidence)
    evidence += _alike(text, target)
    if Difference.HOME_PAGE in found:
        return failed("the page names the home page as canonical", evidence=evidence)
    if Difference.OTHER_HOST in found:
        return failed("the page names a page of another host as canonical: {target}", target=canonical.target, evidence=evidence)
    return failed("the page names another page as canonical: {target}", target=canonical.target, evidence=evidence)


def _alike(text: Text | None, target: CanonicalTarget | None) -> list[Evidence]:
    """How many words the two pages share, where that is known."""
    document = target.page.document if target else None
    share = likeness_of_texts(text.visible, document.text) if text and document else None
    if target is None or share is None:
        return []
    return [
        url_evidence(
            target.url, target.page.answer.status, "shares {share_percent} of its words with this page", share_percent=round(100 * share)
        )
    ]
