"""Elements that look like links cannot be followed by crawlers.

In plain words: Google cannot follow some links, so it may not find the pages behind them.

Why it matters: Search engines follow ``<a href>`` with a URL that a server responds to. They do not click: a script in the href, a click
handler, a router attribute or a URL that differs only after ``#`` leads nowhere, and the linked pages stay undiscovered.

How to fix: Give every link a real URL; a script may still handle the click, if it returns false. Use a button for
actions that are not links.

    <a href="/shop/blue-widgets" onclick="open(event)">Blue widgets</a>
    <button type="button" onclick="toggle()">Menu</button>

Sources: [Google: make links crawlable](https://developers.google.com/search/docs/crawling-indexing/links-crawlable) (2025); [Google: URL
structure](https://developers.google.com/search/docs/crawling-indexing/url-structure) (2025): fragments.

Not judged: An ``<a>`` without href and without a handler (a placeholder or an anchor), an empty href and ``#`` (both are URLs), an href
beside a click handler, a script in the href of an element with a button role or state, and scripts that lead to no page (back, print,
close, scroll, share, vote): a handler, an attribute or the text must indicate a page.
"""

from typing import Any

from findable.artifacts.page.links import Link, LinkKind, Links
from findable.checks.engine import Finding, check, failed, inapplicable, passed, warned, with_fault
from findable.checks.link_evidence import link_evidence
from findable.checks.page_fix import Fix, attribute_fix
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Effort, Fault, Fixer, Importance, Verdict

ROUTER_ATTRIBUTES = ("routerlink", "ng-href", "data-href", "to")
_OPENS = lazy_pattern(r"(?:location(?:\.href|\.assign|\.replace)?\s*[=(]|window\.open\s*\()\s*['\"]([^'\"]{1,500})['\"]")
_PREVENTS = lazy_pattern(r"return\s+false|preventDefault")
MAX_HANDLER_CHARS = 2000
PASS_SHARE = 0.02
FAIL_SHARE = 0.20
"""Shares of uncrawlable links from which the check warns and fails (set by Findable)."""


@check(
    "Are links real links with URLs?",
    Importance.MEDIUM,
    Effort.CONTENT,
    costs={Fault.NO_CRAWLABLE_LINK: 250, Verdict.FAILED: 100, Verdict.WARNED: 15},
    fixer=Fixer.DEVELOPER,
    site_cause="site-fragment-routes",
)
def links_crawlable(links: Links) -> Finding:
    """Checks the share of links that no crawler can follow."""
    if not links.items:
        return inapplicable("The page has no links")
    faulty = links.faulty
    share = len(faulty) / len(links.items)
    numbers: dict[str, Any] = {"faulty_count": len(faulty), "links_count": len(links.items)}
    if not faulty:
        return passed("{links_count|link|links}, all with a URL", **numbers)
    evidence = link_evidence(faulty, lambda link: link.fault.value)
    fixes = [_fix(link) for link in faulty]
    if not any(link.kind is LinkKind.INTERNAL for link in links.items):
        finding = failed(
            "No internal link can be followed; {faulty_count} of {links_count|link|links} without a URL that crawlers read",
            evidence=evidence,
            fixes=fixes,
            **numbers,
        )
        return with_fault(finding, Fault.NO_CRAWLABLE_LINK)
    if share > PASS_SHARE:
        is_failed = share > FAIL_SHARE
        return (failed if is_failed else warned)(
            "{faulty_count} of {links_count|link|links} cannot be followed, more than {limit_percent}",
            limit_percent=round(100 * (FAIL_SHARE if is_failed else PASS_SHARE)),
            evidence=evidence,
            fixes=fixes,
            **numbers,
        )
    return passed("{faulty_count} of {links_count|link|links} cannot be followed", evidence=evidence, **numbers)


def _fix(link: Link) -> Fix | None:
    """Return the link with the URL that its script or router opens as href; None if a click would then open two pages."""
    attrs = link.element.attrs
    handler = attrs.get("onclick", "")[:MAX_HANDLER_CHARS]
    if "window.open" in handler and not _PREVENTS.search(handler):
        return None
    written = next((attrs[name] for name in ROUTER_ATTRIBUTES if attrs.get(name)), "")
    if not written:
        opened = _OPENS.search(f"{attrs.get('href', '')} {attrs.get('onclick', '')}"[:MAX_HANDLER_CHARS])
        written = opened.group(1) if opened else ""
    return attribute_fix(link.element, href=written) if link.element.tag == "a" and written.startswith(("/", "http")) else None
