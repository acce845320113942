"""The canonical link is missing or unusable, or there are several that differ.

In plain words: The page may open under several web addresses, such as with and without “www”, and Google may show the wrong one.

Why it matters: Search engines pick one URL for pages with the same content. The canonical link declares which one. They ignore it if it is
in the body, or if two links declare different URLs.

How to fix: Put one absolute URL into the head.

    <link rel="canonical" href="https://www.example.com/shop/blue-widgets">

Sources: [RFC 6596](https://www.rfc-editor.org/rfc/rfc6596); [Google: How to specify a canonical
URL](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls) (2025).

Not judged: whether the URL is the right one (``canonical-self``, ``canonical-target``); a page that is noindex and declares no canonical
URL; a link that a script may write, without a browser.
"""

from collections.abc import Iterator

from findable.artifacts.html.head_scripts import HeadPart, HeadScripts
from findable.artifacts.page.canonical import VARIANTS, Canonical, Declaration, IgnoredReason, comparable, differences, preferred_form
from findable.artifacts.page.early_head_end import EarlyHeadEnd
from findable.artifacts.page.head import Head
from findable.artifacts.page.robots_directives import GOOGLE, RobotsDirectives
from findable.artifacts.page.social import Social
from findable.artifacts.site.host_variants import HostVariants
from findable.checks.engine import Evidence, Finding, check, covered_by, element, failed, inapplicable, passed, warned, with_fault
from findable.checks.indexing_evidence import declaration_evidence, declarations_evidence
from findable.checks.page_fix import Fix, attribute_fix, head_fix, removal_fix, tag
from findable.checks.script_written import written_by_script
from findable.urls import as_https, parse, query_parameters, without_fragment
from findable.vocabulary import Effort, Fault, Importance, Verdict

UNUSABLE = {
    IgnoredReason.EMPTY: "The canonical URL is empty",
    IgnoredReason.SCHEME: "The canonical URL begins with {scheme}:, but search engines read only http and https",
    IgnoredReason.UNREADABLE: "The canonical URL is invalid",
}
"""Message for each kind of URL that no search engine reads."""
ATTRIBUTE_ADVICE = "Remove the attributes of other links (hreflang, lang, media, type): the link then counts as canonical."


@check(
    "Is there one usable canonical URL?",
    Importance.MEDIUM,
    Effort.HEAD,
    costs={
        Fault.CANONICAL_MISSING: 60,
        Fault.CANONICAL_MISSING_VARIANT: 85,
        Fault.WORSE_CANONICAL: 75,
        Fault.SEVERAL_CANONICALS: 200,
        Fault.CANONICAL_IN_BODY: 100,
        Verdict.FAILED: 150,
        Verdict.WARNED: 15,
    },
    warned_summary="The page declares no canonical URL, or its canonical link has faults that search engines correct.",
)
def canonical_valid(
    canonical: Canonical,
    head: Head,
    early_end: EarlyHeadEnd,
    directives: RobotsDirectives,
    scripts: HeadScripts | None,
    social: Social | None,
    variants: HostVariants | None,
) -> Finding:
    """Checks every canonical link in the head, the body and the headers."""
    has_https = variants is not None and any(item.final_url.startswith("https:") for item in variants.responding)
    if not canonical.declared:
        own = _own_url(canonical, social, has_https=has_https)
        is_variant = bool(query_parameters(canonical.page_url)) or preferred_form(canonical.page_url) != canonical.page_url
        return _undeclared_finding(own, head, directives, scripts, is_variant=is_variant)
    if len(canonical.targets) > 1:
        evidence = declarations_evidence(canonical.effective)
        several = failed("The page declares {count} different canonical URLs", count=len(canonical.targets), evidence=evidence)
        return with_fault(several, Fault.SEVERAL_CANONICALS)
    unusable = [item for item in canonical.declared if item.ignored in UNUSABLE]
    if unusable:
        first = unusable[0]
        own = _own_url(canonical, social, has_https=has_https)
        fixes = [attribute_fix(item.element, href=own) for item in unusable if item.element is not None and own]
        return failed(UNUSABLE[first.ignored], **first.ignored_with, evidence=declarations_evidence(unusable), fixes=fixes)
    if not canonical.effective:
        return _no_valid_declaration_finding(canonical, early_end)
    odd = [shown for item in canonical.effective for shown in _minor_faults(item, canonical.page_url)]
    odd += declarations_evidence([item for item in canonical.declared if not item.counts])
    if len(canonical.effective) > 1:
        odd += [declaration_evidence(item, "is a repetition") for item in canonical.effective[1:]]
    target = canonical.target or ""
    if odd:
        finding = warned(
            "The canonical URL is {target}; its markup has {count|fault|faults}",
            target=target,
            evidence=odd,
            fixes=[*_corrected_links(canonical), _corrected_og_url(canonical, social)],
        )
        return with_fault(finding, Fault.WORSE_CANONICAL if canonical.is_insecure else None)
    return passed("The canonical URL is {target}", target=target, evidence=declarations_evidence(canonical.effective))


def _own_url(canonical: Canonical, social: Social | None, *, has_https: bool) -> str:
    """Return the URL to declare, with https if the host has it; empty if og:url says that the page is a copy of another one."""
    declared = social.content("og:url") if social else ""
    is_copy = bool(parse(declared)) and not differences(canonical.page_url, declared) <= VARIANTS
    own = "" if is_copy else preferred_form(canonical.page_url, declared)
    return as_https(own) if has_https else own


def _undeclared_finding(
    page_url: str, head: Head, directives: RobotsDirectives, scripts: HeadScripts | None, *, is_variant: bool
) -> Finding:
    if directives.noindex(*GOOGLE):
        return inapplicable("The page is noindex and needs no canonical URL")
    script = scripts.writer_of(HeadPart.CANONICAL) if scripts else None
    if script is not None:
        return written_by_script(script)
    finding = warned(
        "The page declares no canonical URL",
        evidence=element(head.element, "The canonical link belongs here"),
        fixes=[_link_to(page_url)] if page_url else [],
    )
    return with_fault(finding, Fault.CANONICAL_MISSING_VARIANT if is_variant else Fault.CANONICAL_MISSING)


def _link_to(url: str) -> Fix | None:
    return head_fix(tag("link", rel="canonical", href=without_fragment(url)))


def _corrected_links(canonical: Canonical) -> Iterator[Fix | None]:
    """Yield the first link in its correct form, and the removal of the others that are in the markup."""
    first, *others = canonical.effective
    yield _corrected_link(first, canonical.page_url)
    rest = [*others, *(item for item in canonical.declared if not item.counts)]
    yield from (removal_fix(item.element) for item in rest if item.element is not None)


def _corrected_og_url(canonical: Canonical, social: Social | None) -> Fix | None:
    """Return og:url with the corrected canonical URL if it has the same fault, so that both agree."""
    shown = social.first("og:url") if social else None
    is_http = canonical.page_url.startswith("https:") and (canonical.target or "").startswith("http:")
    if shown is None or not is_http or comparable(shown.content) != comparable(canonical.target or ""):
        return None
    return attribute_fix(shown.meta.element, content=as_https(canonical.target or ""))


def _corrected_link(item: Declaration, page_url: str) -> Fix | None:
    """Return the link with its absolute URL without a fragment, with https if the page uses https."""
    if item.element is None or not item.url:
        return None
    url = without_fragment(item.url)
    return attribute_fix(item.element, href=as_https(url) if page_url.startswith("https:") else url)


def _no_valid_declaration_finding(canonical: Canonical, early_end: EarlyHeadEnd) -> Finding:
    in_body = [item for item in canonical.declared if item.ignored is IgnoredReason.BODY]
    if early_end.lost_metadata:
        return covered_by("head-valid")
    if in_body:
        removed = [removal_fix(item.element) for item in in_body if item.element is not None]
        is_own = bool(in_body[0].url) and differences(canonical.page_url, in_body[0].url or "") <= VARIANTS
        fixes = [_link_to(in_body[0].url or ""), *removed] if is_own else []
        message = "The canonical link is in the body, where search engines ignore it"
        return with_fault(failed(message, evidence=declarations_evidence(in_body), fixes=fixes), Fault.CANONICAL_IN_BODY)
    odd = [item for item in canonical.declared if item.ignored is IgnoredReason.ATTRIBUTE and item.element is not None]
    fixes = [
        attribute_fix(item.element, **{item.attribute: None})
        for item in odd
        if item.element is not None and item.url and differences(canonical.page_url, item.url) <= VARIANTS
    ]
    evidence = declarations_evidence(canonical.declared)
    return warned("Search engines ignore the canonical link", evidence=evidence, fixes=fixes, advice=ATTRIBUTE_ADVICE if odd else "")


def _minor_faults(item: Declaration, page_url: str) -> Iterator[Evidence]:
    url = parse(item.url or "")
    if not item.href.lower().startswith(("http:", "https:")):
        yield declaration_evidence(item, "The URL is relative")
    if url is not None and url.fragment:
        yield declaration_evidence(item, "The URL has a fragment, which search engines ignore")
    if url is not None and url.scheme == "http" and page_url.startswith("https:"):
        yield declaration_evidence(item, "The URL is http, the page is https")
