"""Map audits of Lighthouse to checks, and declare the differences between them.

A check often covers more than the audit: then only the results for Lighthouse's question count (a page with two titles has a title).
A *difference* is a rule about both results, with its reason. It was declared in the catalogue of checks before any comparison, or
in the documentation of the check.
"""

import re

from findable.artifacts.html.document import Document
from findable.artifacts.html.head_scripts import HeadPart, HeadScripts
from findable.artifacts.html.page_charset import PRESCAN_BYTES, Charset
from findable.artifacts.page.canonical import Canonical
from findable.artifacts.page.canonical import Difference as CanonicalDifference
from findable.artifacts.page.controls import Names
from findable.artifacts.page.head import Head
from findable.artifacts.page.hreflang import CodeFault, UrlFault
from findable.artifacts.page.language import Language
from findable.artifacts.page.links import LinkFault, LinkKind, Links
from findable.artifacts.page.viewport_meta import Viewport
from findable.artifacts.registry import Artifacts
from findable.artifacts.site.language_versions import LanguageSet
from findable.artifacts.site.robots import Robots, RobotsState
from findable.artifacts.tables.wordings import GENERIC_ANCHORS, fold
from findable.capture.response import Response
from findable.checks.engine import Finding
from findable.checks.indexability.http_status import OK, REDIRECT
from findable.checks.indexability.noindex import Agent
from findable.checks.links.link_text import ALLOWED_COUNT
from findable.checks.links.links_crawlable import PASS_SHARE
from findable.checks.mobile.viewport_zoom import MIN_MAXIMUM_SCALE
from findable.checks.security.mixed_content import CHANGED
from findable.formats.robots_txt import LineProblem
from findable.vocabulary import Fault, Verdict
from research.lighthouse.words import (
    Comparison,
    Difference,
    Seen,
    Word,
    against,
    all_items,
    always,
    attribute,
    failed,
    has_no_address,
    is_tiny,
    none_found,
    snippet,
    theirs_of,
)

TWICE = 2.0
"""Minimum maximum-scale that passes in axe-core (rule meta-viewport)."""
_VOID = re.compile(r"javascript:void(\(|)0(\)|)")
"""Pattern of links without a function, from Lighthouse (crawlable-anchors)."""


# --- results of checks for the question of an audit


def _undescribed(_: Finding, artifacts: Artifacts) -> bool:
    head = artifacts.get_or_none(Head)
    return head is None or not any((meta.content or "").strip() for meta in head.metas_named("description"))


def _unusable_canonical(finding: Finding, artifacts: Artifacts) -> bool:
    """Return whether there are several canonical URLs, no readable one, or a relative one."""
    if finding.verdict is Verdict.FAILED:
        return finding.fault != Fault.CANONICAL_IN_BODY
    canonical = artifacts.get_or_none(Canonical)
    return canonical is not None and any(not item.href.lower().startswith(("http:", "https:")) for item in canonical.effective)


def _home_page_as_canonical(_: Finding, artifacts: Artifacts) -> bool:
    canonical = artifacts.get_or_none(Canonical)
    return canonical is not None and CanonicalDifference.HOME_PAGE in canonical.differences


def _undeclared_charset(_: Finding, artifacts: Artifacts) -> bool:
    """Return whether the charset is undeclared, or only in a meta element after the bytes that browsers search."""
    charset = artifacts.get_or_none(Charset)
    if charset is None or charset.bom or charset.header:
        return False
    return not charset.meta or (charset.meta_end_bytes or 0) > PRESCAN_BYTES


def _delayed_refresh(finding: Finding, _: Artifacts) -> bool:
    """Return whether there is a refresh with a delay; Lighthouse passes one without."""
    return float(finding.params.get("wait_s", 0)) > 0


# --- pages with nothing to judge


def _names_no_language(artifacts: Artifacts) -> bool:
    versions = artifacts.get_or_none(LanguageSet)
    return versions is None or not versions.entries


def _has_no_links(artifacts: Artifacts) -> bool:
    links = artifacts.get_or_none(Links)
    return links is None or not links.items


def _has_no_named_links(artifacts: Artifacts) -> bool:
    links = artifacts.get_or_none(Links)
    asked = (LinkKind.INTERNAL, LinkKind.EXTERNAL)
    return links is None or not any(link.kind in asked and not link.same_page and link.name for link in links.items)


# --- differences that take more than a line


def _script_written(check: str, part: HeadPart) -> Difference:
    def applies(seen: Seen) -> bool:
        scripts = seen.artifacts.get_or_none(HeadScripts)
        return seen.findings[check].verdict is Verdict.UNKNOWN and scripts is not None and scripts.writer_of(part) is not None

    reason = "scripts do not run; if one may write what the head lacks, the result is unknown without a browser"
    return Difference("written by a script", reason, applies, catalogue=False)


def _behind_the_head(*checks: str, catalogue: bool = False) -> Difference:
    return Difference(
        "behind the end of the head",
        "if a stray element ends the head early, `head-valid` reports it, and checks that depend on it are inapplicable",
        lambda seen: any(seen.is_covered(check) and seen.findings[check].params["check"] == "head-valid" for check in checks),
        catalogue=catalogue,
    )


def _blocked_for_some(seen: Seen) -> bool:
    """Return whether single robots are blocked: Lighthouse warns about them, unless a header has their name in other letter case."""
    warned = any("blocked from crawling" in str(warning) for warning in seen.audits["is-crawlable"].get("warnings", ()))
    return warned or seen.findings["noindex"].params.get("agent", Agent.ALL) != Agent.ALL


def _metas_outside_head(seen: Seen) -> bool:
    head = seen.artifacts.get_or_none(Head)
    return head is not None and not any(meta.in_head and (meta.content or "").strip() for meta in head.metas_named("description"))


def _robots_metas_outside_head(seen: Seen) -> bool:
    head = seen.artifacts.get_or_none(Head)
    return head is not None and any(not meta.in_head and meta.name in ("robots", "googlebot") for meta in head.metas)


def _few_links(seen: Seen) -> bool:
    """Return whether few links are faulty: Lighthouse fails for one link that cannot be followed, Findable checks the share."""
    links = seen.artifacts.get_or_none(Links)
    return links is not None and seen.passes("links-crawlable") and len(seen.items("crawlable-anchors")) <= PASS_SHARE * len(links.items)


def _buttons(seen: Seen) -> bool:
    """Return whether Lighthouse only lists additional scripts that Findable treats as buttons, or anchors without an href."""
    links = seen.artifacts.get_or_none(Links)
    if links is None or not seen.passes("links-crawlable"):
        return False
    tags = [snippet(item) for item in seen.items("crawlable-anchors")]
    return all(attribute(tag, "href") is None or _VOID.match((attribute(tag, "href") or "").replace(" ", "")) for tag in tags)


def _other_faults(seen: Seen) -> bool:
    links = seen.artifacts.get_or_none(Links)
    asked = {LinkFault.FILE, LinkFault.UNREADABLE}
    return links is not None and not any(
        link.fault in asked or (link.fault is LinkFault.SCRIPT and _VOID.match((link.href or "").replace(" ", ""))) for link in links.faulty
    )


def _named_otherwise(seen: Seen) -> bool:
    """Return whether at most two links remain without those whose accessible name differs from the visible text."""
    links = seen.artifacts.get_or_none(Links)
    names = {(link.url, fold(link.name)) for link in links.items} if links else set()
    left = [item for item in seen.items("link-text") if (item["href"], fold(item["text"])) in names]
    return seen.passes("link-text") and len(left) <= ALLOWED_COUNT


def _only_hops(seen: Seen) -> bool:
    """Return whether only redirects before the page were loaded over http."""
    response = seen.artifacts.get_or_none(Response)
    hops = {hop.url for hop in response.hops[:-1]} if response else set()
    loaded = {item["url"] for item in seen.items("is-on-https")}
    return bool(loaded) and loaded <= hops


def _names_of_scripts(seen: Seen) -> bool:
    names = seen.artifacts.get_or_none(Names)
    audits = ("button-name", "link-name", "label", "select-name", "input-button-name")
    left = [control for control in names.controls if not control.name and not control.is_checkable] if names else []
    return seen.passes("control-names") and len(seen.items(*audits)) <= len(left)


def _language_parts(seen: Seen) -> bool:
    """Return whether no fault is one that Lighthouse checks: the language part, and an absolute URL."""
    asked = {CodeFault.NO_LANGUAGE, CodeFault.NOT_A_CODE, CodeFault.UNDERSCORE, UrlFault.RELATIVE, UrlFault.UNREADABLE}
    return not (seen.notes("hreflang-valid") & asked)


def _zoom_between(seen: Seen) -> bool:
    viewport = seen.artifacts.get_or_none(Viewport)
    return viewport is not None and viewport.user_scalable and TWICE <= (viewport.maximum_scale or 0) < MIN_MAXIMUM_SCALE


def _another_4xx(seen: Seen) -> bool:
    robots = seen.artifacts.get_or_none(Robots)
    return robots is not None and robots.state is RobotsState.MISSING and not seen.passes("robots-txt-reachable")


def _unlisted_language(seen: Seen) -> bool:
    language = seen.artifacts.get_or_none(Language)
    return language is not None and language.used not in GENERIC_ANCHORS


def _modal(seen: Seen) -> bool:
    selector = "[role=dialog],[role=alertdialog],[aria-modal=true],dialog[open]"
    document = seen.artifacts.get_or_none(Document)
    return document is not None and bool(document.select(selector))


COMMON = (
    Difference(
        "errors",
        "Findable does not check the content of a response that is not 2xx",
        lambda seen: not OK <= seen.status < REDIRECT,
    ),
)
"""Differences declared for all checks."""

FETCHED_BY_THE_PAGE = Difference(
    "fetched by the page",
    "Lighthouse requests robots.txt from within the page, whose content security policy may forbid that; Findable requests it from outside",
    lambda seen: "CSP violation" in seen.audits["robots-txt"].get("explanation", ""),
)
COMPARED: tuple[Comparison, ...] = (
    Comparison(("document-title",), {"title-present": failed}, (_script_written("title-present", HeadPart.TITLE),)),
    Comparison(
        ("meta-description",),
        {"meta-description": _undescribed},
        (
            _script_written("meta-description", HeadPart.DESCRIPTION),
            Difference(
                "behind the end of the head",
                "Lighthouse only reads the head; if a stray element ends the head early, `head-valid` reports it",
                _metas_outside_head,
                catalogue=False,
            ),
        ),
    ),
    Comparison(("http-status-code",), {"http-status": failed}),
    Comparison(
        ("is-crawlable",),
        {"noindex": failed, "robots-txt-allows": failed},
        (
            Difference(
                "single robots",
                "Lighthouse only fails if every robot it knows is blocked, and otherwise warns; Findable checks for Googlebot",
                _blocked_for_some,
            ),
            Difference(
                "rules in the body",
                "Lighthouse only reads meta elements in the head; search engines also follow noindex in the body, and so does Findable",
                _robots_metas_outside_head,
            ),
            FETCHED_BY_THE_PAGE,
        ),
    ),
    Comparison(
        ("robots-txt",),
        {"robots-txt-reachable": against, "robots-txt-valid": against},
        (
            Difference(
                "unknown directives",
                "Lighthouse fails an unknown directive; Google ignores it, and so does Findable",
                lambda seen: {item.get("message") for item in seen.items("robots-txt")} == {"Unknown directive"},
            ),
            Difference(
                "noindex lines",
                "Lighthouse passes a noindex line in robots.txt, which no search engine supports any more; Findable warns",
                lambda seen: seen.notes("robots-txt-valid") == {LineProblem.NOT_SUPPORTED.words},
            ),
            FETCHED_BY_THE_PAGE,
            Difference(
                "counts as missing",
                "Lighthouse has nothing to check with any 4xx; Findable warns about those that are neither 404 nor 410",
                _another_4xx,
            ),
        ),
    ),
    Comparison(
        ("canonical",),
        {
            "canonical-valid": _unusable_canonical,
            "canonical-self": _home_page_as_canonical,
            "hreflang-canonical": failed,
        },
        (
            Difference(
                "an empty URL",
                "Lighthouse skips a canonical link without a URL; in Findable an empty or invalid one fails",
                lambda seen: (
                    seen.findings["canonical-valid"].verdict is Verdict.FAILED
                    and not seen.findings["canonical-valid"].fault
                    and theirs_of(seen, ["canonical"]) is Word.INAPPLICABLE
                ),
            ),
            _behind_the_head("canonical-valid"),
            _script_written("canonical-valid", HeadPart.CANONICAL),
        ),
    ),
    Comparison(
        ("hreflang",),
        {"hreflang-valid": against},
        (
            _behind_the_head("hreflang-valid", catalogue=True),
            Difference(
                "more than the language part",
                "Lighthouse checks the language part and that the URL is absolute; Findable also checks regions, long codes and contradictions",
                lambda seen: theirs_of(seen, ["hreflang"]) is Word.PASS and _language_parts(seen),
            ),
        ),
        empty=_names_no_language,
    ),
    Comparison(
        ("crawlable-anchors",),
        {"links-crawlable": against},
        (
            Difference("a share", "Lighthouse fails for one such link; Findable passes up to 2 %", _few_links),
            Difference(
                "buttons and placeholders",
                "an anchor without href and without a handler is a placeholder, and a script in the href of an element that opens or closes"
                " something is a button",
                _buttons,
                catalogue=False,
            ),
            Difference(
                "any script",
                "Lighthouse only checks `javascript:void(0)`; Findable checks every script, routes after `#` and elements that imitate links",
                lambda seen: theirs_of(seen, ["crawlable-anchors"]) is Word.PASS and _other_faults(seen),
            ),
        ),
        empty=_has_no_links,
    ),
    Comparison(
        ("link-text",),
        {"link-text": against},
        (
            Difference(
                "up to two",
                "Lighthouse fails for one generic text; Findable passes up to two",
                lambda seen: len(seen.items("link-text")) <= ALLOWED_COUNT and seen.passes("link-text"),
            ),
            Difference(
                "accessible names", "Lighthouse reads the visible text; Findable also accepts a label for screen readers", _named_otherwise
            ),
            Difference(
                "languages with a list",
                "in a language without a list of generic texts, Findable says so; Lighthouse then passes, or uses all its lists together",
                _unlisted_language,
            ),
        ),
        empty=_has_no_named_links,
    ),
    Comparison(
        ("image-alt", "input-image-alt", "svg-img-alt"),
        {"image-alt": against},
        (
            Difference(
                "blank texts",
                'Lighthouse fails `alt=" "`; Findable only reports a missing alt',
                all_items(lambda tag: bool(attribute(tag, "alt")), "image-alt"),
            ),
            Difference(
                "tracking pixels",
                "images of one pixel and those without a URL are ignored",
                all_items(lambda tag: bool(attribute(tag, "alt")) or is_tiny(tag) or has_no_address(tag), "image-alt"),
                catalogue=False,
            ),
        ),
    ),
    Comparison(("html-has-lang", "html-lang-valid"), {"html-lang": against}),
    Comparison(
        ("viewport-insight",),
        {"viewport": against},
        (_behind_the_head("viewport"), _script_written("viewport", HeadPart.VIEWPORT)),
    ),
    Comparison(
        ("meta-viewport",),
        {"viewport-zoom": against},
        (
            Difference("two to five times", "Lighthouse fails a limit below two, Findable warns below five", _zoom_between),
            _behind_the_head("viewport-zoom"),
        ),
    ),
    Comparison(
        ("doctype",),
        {"doctype": against},
        (
            Difference(
                "limited-quirks mode",
                "Lighthouse fails it; only the height of lines in table cells differs from standards mode",
                lambda seen: seen.passes("doctype") and "limited-quirks-mode" in seen.audits["doctype"].get("explanation", ""),
                catalogue=False,
            ),
        ),
    ),
    Comparison(("charset",), {"charset": _undeclared_charset}),
    Comparison(
        ("frame-title",),
        {"iframe-title": against},
        (
            Difference(
                "hidden frames",
                "frames that are hidden, one pixel large, out of the tab order or without a URL are skipped",
                all_items(lambda tag: is_tiny(tag) or has_no_address(tag) or attribute(tag, "tabindex") == "-1", "frame-title"),
                catalogue=False,
            ),
        ),
        empty=always,
    ),
    Comparison(
        (
            "button-name",
            "link-name",
            "label",
            "select-name",
            "input-button-name",
            "aria-input-field-name",
            "aria-toggle-field-name",
            "aria-command-name",
        ),
        {"control-names": against},
        (
            Difference(
                "names from scripts",
                "controls that are out of the tab order, have a class that hides them, or are filled by a component or a script are not checked",
                _names_of_scripts,
                catalogue=False,
            ),
            Difference(
                "named by images",
                "a control without a name only because its image has no alt text is reported by `image-alt`",
                lambda seen: seen.is_covered("control-names") and seen.findings["control-names"].params["check"] == "image-alt",
                catalogue=False,
            ),
        ),
    ),
    Comparison(
        ("heading-order",),
        {"heading-order": against},
        (
            Difference(
                "empty headings",
                "Lighthouse only informs about an empty heading, Findable warns",
                lambda seen: (
                    theirs_of(seen, ["heading-order"]) is Word.PASS
                    and not any("level" in item.params for item in seen.evidence("heading-order"))
                ),
            ),
        ),
    ),
    Comparison(
        ("landmark-one-main",),
        {"main-landmark": none_found},
        (
            Difference(
                "dialogs",
                "Lighthouse exempts a page with a dialog in its markup, which counts as open without stylesheets",
                _modal,
                catalogue=False,
            ),
        ),
    ),
    Comparison(("meta-refresh",), {"redirect-kind": _delayed_refresh}),
    Comparison(
        ("unsized-images",),
        {"image-dimensions": against},
        (
            Difference(
                "nine of ten",
                "Lighthouse fails for one image without a size; Findable passes up to a tenth",
                lambda seen: seen.passes("image-dimensions") and bool(seen.evidence("image-dimensions")),
            ),
            Difference(
                "SVG images and placeholders",
                "SVG images, data URLs, tracking pixels and images without a URL are skipped",
                all_items(
                    lambda tag: (attribute(tag, "src") or "data:").startswith("data:") or ".svg" in tag or is_tiny(tag), "unsized-images"
                ),
            ),
        ),
        empty=always,
    ),
    Comparison(
        ("is-on-https",),
        {"https": against, "mixed-content": against},
        (
            Difference(
                "upgraded to https",
                "URLs that the page's content security policy upgrades are loaded over https, which Lighthouse passes and Findable warns about",
                lambda seen: seen.notes("mixed-content") == {CHANGED},
            ),
            Difference(
                "on the way",
                "Lighthouse counts redirects that begin at http; in Findable `redirect-chain` and `https-redirect` check them",
                _only_hops,
                catalogue=False,
            ),
        ),
    ),
    Comparison(("redirects-http",), {"https": failed}),
    Comparison(("document-latency-insight",), {"text-compression": failed}, part="usesCompression"),
    Comparison(
        ("document-latency-insight",),
        {"redirect-chain": against},
        (
            Difference(
                "one hop",
                "Lighthouse fails for any redirect; Findable passes one",
                lambda seen: seen.count("redirect-chain", "count") == 1 and seen.passes("redirect-chain"),
            ),
        ),
        part="noRedirects",
    ),
)
