"""The page declares another page as its canonical URL.

In plain words: Google is told to show another page in place of this one, so this page may be missing from its results.

Why it matters: The page asks to be left out of search results in favor of the other one. This is correct for a duplicate, but also a common
mistake of templates that put one URL on every page.

How to fix: Declare the page's own URL, or analyze the declared page. Redirect a variant of the URL (a session id, an index file, www) to
the declared one instead of changing the canonical link.

    <link rel="canonical" href="https://www.example.com/shop/blue-widgets">

Sources: [RFC 6596](https://www.rfc-editor.org/rfc/rfc6596); [Google: What is URL
canonicalization](https://developers.google.com/search/docs/crawling-indexing/canonicalization) (2025): a hint, not a rule; [Google:
Pagination best practices](https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading) (2025):
"Don't use the first page of a paginated sequence as the canonical page."

Not judged: AMP pages, which declare their other version; copies on a private host whose canonical URL is on a public one; tracking
parameters and fragments, which do not count as another URL; the better form of the page's own URL (https, no session id, no index file);
in a crawl, whether a page is a copy of one that was not crawled, or whose main text is short or neither alike nor different.
Other variants, and copies of a page of the same site, are information, because a canonical link is what search engines ask for on them
([Google: How to specify a canonical URL](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls), 2025).
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from findable.artifacts.page.canonical import VARIANTS, Canonical, Difference, comparable, preferred_form
from findable.artifacts.page.main_sketch import ALIKE_FROM, clear_share, sketch_of
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.page.private_hosts import is_private_copy
from findable.artifacts.page.social import Social
from findable.artifacts.page.text import Text
from findable.artifacts.responses.canonical_response import CanonicalTarget
from findable.artifacts.responses.page_similarity import similarity_of_texts
from findable.artifacts.responses.resources import Resources
from findable.artifacts.site.language_versions import LanguageSet
from findable.checks.engine import (
    Evidence,
    Finding,
    check,
    covered_by,
    failed,
    inapplicable,
    info,
    passed,
    url_evidence,
    warned,
    with_fault,
)
from findable.checks.indexing_evidence import declarations_evidence
from findable.checks.page_fix import Fix, attribute_fix
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse
from findable.vocabulary import EditPlace, Effort, Fault, Importance, Verdict

_LANGUAGE = lazy_pattern(r"[a-z]{2}(?:[-_][A-Za-z]{2,4})?")
SLUG_HYPHENS = 3
"""Number of hyphens from which a path segment is the name of one page (set by Findable)."""
SAME_TEXT = 0.8
"""Share of common words from which the page is a copy of the declared one, which it rightly declares (set by Findable).

It decides if the main texts are short, or neither alike nor different (`clear_share`).
"""


@check(
    "Does the page declare itself as canonical?",
    Importance.HIGH,
    Effort.HEAD,
    place=EditPlace.CANONICAL,
    costs={Fault.WORSE_CANONICAL: 75, Fault.CANONICAL_FIRST_PAGE: 200, Verdict.FAILED: 550, Verdict.WARNED: 100},
    limits={Verdict.FAILED: 15},
    depends_on=("canonical-valid",),
    indexing_only=True,
    accepts_partial_input=True,
    warned_summary="The canonical URL is on another host, of another version of the page, or in a worse form than the page's URL.",
    start_page_twin="site-start-page",
)
def canonical_self(
    canonical: Canonical,
    page_url: PageUrl,
    resources: Resources | None,
    text: Text | None,
    target: CanonicalTarget | None,
    social: Social | None,
    languages: LanguageSet | None,
) -> Finding:
    """Compares the canonical URL with the final URL of the page."""
    if canonical.target is None:
        return inapplicable("The page declares no canonical URL")
    evidence = declarations_evidence(canonical.effective)
    found = canonical.differences
    if not found:
        return passed("The page declares itself: {target}", target=canonical.target, evidence=evidence)
    if resources is not None and resources.is_amp:
        return info("An AMP page declares its other version", evidence=evidence)
    if canonical.is_insecure and found <= VARIANTS:
        return covered_by("canonical-valid")
    if Difference.OTHER_HOST in found and is_private_copy(canonical.page_url, canonical.target):
        return inapplicable("A copy on a private host declares the public page: {target}", target=canonical.target)
    if canonical.is_preferred:
        return passed("The page declares the preferred form of its URL: {target}", target=canonical.target, evidence=evidence)
    fixes = list(_own_url_fixes(canonical, canonical.target, social))
    if page_url.is_later_page_of(canonical.target):
        first = warned(
            "A later page of a list declares the first page as canonical: {target}", target=canonical.target, evidence=evidence, fixes=fixes
        )
        return with_fault(first, Fault.CANONICAL_FIRST_PAGE)
    if found <= VARIANTS:
        return _variant_finding(canonical.target, found, evidence, page_url, fixes)
    compared = _compared_texts(text, target)
    shown = [*evidence, *([] if compared is None else [compared.evidence])]
    if compared is not None and compared.is_copy:
        if found.isdisjoint({Difference.OTHER_HOST, Difference.HOME_PAGE}):
            return info("This page is a copy of the canonical page {target}", target=canonical.target, evidence=shown)
        fixes = []
    is_version = _is_other_version(page_url, canonical.target) and not (languages and languages.for_url(canonical.target))
    return _other_page_finding(canonical.target, found, shown, fixes, is_version=is_version)


def _own_url_fixes(canonical: Canonical, target: str, social: Social | None) -> Iterator[Fix | None]:
    """Yield the declarations with the page's own URL; none if og:url agrees with the target, or only the target is https."""
    own = preferred_form(canonical.page_url)
    if social is not None and comparable(social.content("og:url")) == comparable(target):
        return
    if own.startswith("https:") or not target.startswith("https:"):
        yield from (attribute_fix(item.element, href=own) for item in canonical.effective if item.element is not None)


def _variant_finding(
    target: str, found: frozenset[Difference], evidence: list[Evidence], page: PageUrl, fixes: Sequence[Fix | None]
) -> Finding:
    """Return information if the declared form is as good as the page's, which a redirect would settle, or a warning if it is worse."""
    parts = [item for item in Difference if item in found]
    if preferred_form(target) != target or (Difference.QUERY in found and not page.url.query):
        worse = warned("The canonical URL {target} differs in {parts}", target=target, parts=parts, evidence=evidence, fixes=fixes)
        return with_fault(worse, Fault.WORSE_CANONICAL)
    message = "This URL is a variant of the canonical URL {target} and differs in {parts}: redirect it, and link to the canonical URL"
    return info(message, target=target, parts=parts, evidence=evidence)


def _other_page_finding(
    target: str, differences: frozenset[Difference], evidence: list[Evidence], fixes: Sequence[Fix | None], *, is_version: bool
) -> Finding:
    """Return the finding for a canonical URL of another page.

    A canonical URL on another host is often intended, for an article that several sites publish, and so is one with the same last path
    segment or the same long segment: the latest version of a manual, the main edition of a newspaper, the new URL of a product.
    """
    if Difference.HOME_PAGE in differences:
        return failed("The page declares the home page as canonical", evidence=evidence, fixes=fixes)
    if Difference.OTHER_HOST in differences:
        return warned("The canonical URL is on another host: {target}. Is this page a copy of that one?", target=target, evidence=evidence)
    if is_version:
        return warned(
            "The canonical URL is that of another version of this page: {target}. Is that the one to be found?",
            target=target,
            evidence=evidence,
        )
    return failed("The page declares another page as canonical: {target}", target=target, evidence=evidence, fixes=fixes)


def _is_other_version(page: PageUrl, target: str) -> bool:
    """Return whether the last or a long path segment is the same, and no segment is that of another language."""
    url = parse(target)
    segments = url.path.strip("/").split("/") if url else []
    if any(
        own != other and _LANGUAGE.fullmatch(own) and _LANGUAGE.fullmatch(other)
        for own, other in zip(page.segments, segments, strict=False)
    ):
        return False
    return segments[-1:] == list(page.segments[-1:]) or any(part.count("-") >= SLUG_HYPHENS for part in {*segments} & {*page.segments})


class ComparedTexts(Struct, frozen=True):
    """Comparison of the page's text with that of the declared page."""

    evidence: Evidence
    is_copy: bool


def compare_sketches(own: bytes, other: bytes, url: str, status: int) -> ComparedTexts | None:
    """Return the comparison of two main texts; None if they are neither alike nor different."""
    share = clear_share(own, other)
    if share is None:
        return None
    note = "has {share_percent} of its main text in common with this page"
    return ComparedTexts(url_evidence(url, status, note, share_percent=round(100 * share)), share >= ALIKE_FROM)


def _compared_texts(text: Text | None, target: CanonicalTarget | None) -> ComparedTexts | None:
    """Return the comparison with the declared page, if it is known: of the main texts if it is clear, else of all words."""
    if text is None or target is None or target.page.document is None:
        return None
    url, status, other = target.url, target.page.response.status, target.page.artifacts.get_or_none(Text)
    compared = compare_sketches(sketch_of(text), sketch_of(other), url, status) if other is not None else None
    share = similarity_of_texts(text.visible, target.page.document.text) if compared is None else None
    if share is None:
        return compared
    note = "shares {share_percent} of its words with this page"
    return ComparedTexts(url_evidence(url, status, note, share_percent=round(100 * share)), share >= SAME_TEXT)


def depends_on_texts(canonical: Canonical, finding: Finding) -> bool:
    """Return whether a finding of this check could be another one if the text of the declared page were known."""
    against = finding.verdict in (Verdict.FAILED, Verdict.WARNED) and finding.fault != Fault.CANONICAL_FIRST_PAGE
    return against and not canonical.differences.isdisjoint({Difference.OTHER_PAGE, Difference.HOME_PAGE})
