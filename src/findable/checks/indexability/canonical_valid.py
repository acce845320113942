"""The canonical link is missing, unusable, or there are several that differ.

Why it matters: of several addresses of one page a search engine picks one. The canonical link says which; where two links differ, or
the link stands in the body, it is disregarded.

How to fix: put one complete address into the head.

    <link rel="canonical" href="https://www.example.com/shop/blue-widgets">

Sources: RFC 6596; Google, "How to specify a canonical URL with rel=canonical and other methods" (2025).

Not judged: whether the address is the right one, which other checks ask; a page that is kept out of search and names no address.
"""

from collections.abc import Iterator

from findable.artifacts.page.canonical import Canonical, Declaration, Ignored
from findable.artifacts.page.early_head_end import EarlyHeadEnd
from findable.artifacts.page.head import Head
from findable.artifacts.page.robots_directives import GOOGLE, RobotsDirectives
from findable.checks.engine import Evidence, Finding, check, element, failed, inapplicable, passed, warned, with_fault
from findable.checks.indexing_evidence import declaration_evidence, declarations_evidence
from findable.checks.page_fix import head_fix, tag
from findable.urls import parse, without_fragment
from findable.vocabulary import Effort, Fault, Importance

UNUSABLE = frozenset({Ignored.EMPTY, Ignored.UNREADABLE})


@check(question="Is there one usable canonical address?", importance=Importance.MEDIUM, effort=Effort.HEAD)
def canonical_valid(canonical: Canonical, head: Head, stray: EarlyHeadEnd, directives: RobotsDirectives) -> Finding:
    """Judges every declaration, in the head, the body and the headers."""
    if not canonical.declared and directives.noindex(*GOOGLE):
        return inapplicable("the page is noindex: no address of it is to be found")
    if not canonical.declared:
        return warned(
            "the page names no canonical address",
            evidence=element(head.element, "no canonical link in here"),
            fixes=[head_fix(tag("link", rel="canonical", href=without_fragment(canonical.page_url)))],
        )
    if len(canonical.targets) > 1:
        evidence = declarations_evidence(canonical.counting)
        several = failed("{count} different canonical addresses", count=len(canonical.targets), evidence=evidence)
        return with_fault(several, Fault.SEVERAL_CANONICALS)
    unusable = [item for item in canonical.declared if item.ignored in UNUSABLE]
    if unusable:
        return failed("the canonical address cannot be used", evidence=declarations_evidence(unusable))
    if not canonical.counting:
        return _nothing_counts(canonical, stray)
    odd = [shown for item in canonical.counting for shown in _oddities(item, canonical.page_url)]
    odd += declarations_evidence([item for item in canonical.declared if not item.counts])
    if len(canonical.counting) > 1:
        odd += [declaration_evidence(item, "given once more") for item in canonical.counting[1:]]
    if odd:
        return warned(
            "canonical is {target}, but its markup has {count|fault|faults}", target=canonical.target or "", count=len(odd), evidence=odd
        )
    return passed("canonical is {target}", target=canonical.target or "", evidence=declarations_evidence(canonical.counting))


def _nothing_counts(canonical: Canonical, stray: EarlyHeadEnd) -> Finding:
    in_body = [item for item in canonical.declared if item.ignored is Ignored.BODY]
    if stray.lost:
        return inapplicable("the canonical link is lost behind the end of the head: see “{check}”", check="head-valid")
    if in_body:
        evidence = declarations_evidence(in_body)
        finding = failed("the canonical link stands in the body, where it is disregarded", evidence=evidence)
        return with_fault(finding, Fault.CANONICAL_IN_BODY)
    return warned("the canonical link is disregarded", evidence=declarations_evidence(canonical.declared))


def _oddities(item: Declaration, page_url: str) -> Iterator[Evidence]:
    url = parse(item.url or "")
    if not item.href.lower().startswith(("http:", "https:")):
        yield declaration_evidence(item, "the address is not complete")
    if url is not None and url.fragment:
        yield declaration_evidence(item, "the address has a fragment, which search engines cut off")
    if url is not None and url.scheme == "http" and page_url.startswith("https:"):
        yield declaration_evidence(item, "the address is http, the page is https")
