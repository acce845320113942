"""A link to another site in a new tab hands over control of this page.

In plain words: A site that you link to could replace your page with a forged one.

Why it matters: With ``rel=opener`` or ``window.open`` the opened page can send this tab to another URL unnoticed.

How to fix: Remove ``opener`` from rel; browsers have withheld the opener by default since 2021. Use a link instead of ``window.open``.

    <a href="https://other.example/" target="_blank">Other site</a>

Sources: [HTML Standard: Link type noopener](https://html.spec.whatwg.org/multipage/links.html#link-type-noopener) (``target=_blank``
implies noopener); [OWASP: HTML5 Security](https://cheatsheetseries.owasp.org/cheatsheets/HTML5_Security_Cheat_Sheet.html), "Tabnabbing".

Not judged: ``target=_blank`` without rel, which is safe by default; links to the same host; named targets; handlers that scripts attach
later.
"""

import re

from findable.artifacts.page.links import Link, Links
from findable.artifacts.page.page_url import PageUrl
from findable.checks.engine import Finding, attribute_mark, check, inapplicable, passed, warned
from findable.checks.link_evidence import link_evidence
from findable.checks.page_fix import Fix, attribute_fix
from findable.lazy_pattern import lazy_pattern
from findable.urls import same_site
from findable.vocabulary import Effort, Fixer, Importance

_OPENS = lazy_pattern(r"\bwindow\.open\s*\(", re.IGNORECASE)
_BLOCKS_OPENER = lazy_pattern(r"noopener|noreferrer", re.IGNORECASE)
MAX_HANDLER_CHARS = 2000
SCRIPT_ADVICE = "Use a link in place of window.open, or give window.open noopener among its features."


@check(
    "Do links in new tabs keep this page out of reach?",
    Importance.LOW,
    Effort.CONTENT,
    warned=2,
    fixer=Fixer.DEVELOPER,
    mark=attribute_mark("target"),
)
def unsafe_cross_origin_links(links: Links, page_url: PageUrl) -> Finding:
    """Checks links to other registrable domains that open a new tab."""
    external = [link for link in links.external if not same_site(link.url, page_url.url.href)]
    if not external:
        return inapplicable("The page links to no other site")
    unsafe = [link for link in external if _passes_opener(link) or _opens_by_script(link)]
    blank_count = sum(1 for link in external if link.target == "_blank")
    if unsafe:
        return warned(
            "{links_count|link|links} to other sites, {unsafe_count} let the opened page control this one",
            unsafe_count=len(unsafe),
            links_count=len(external),
            evidence=link_evidence(unsafe, lambda link: "rel=opener" if _passes_opener(link) else "window.open without noopener"),
            fixes=map(_fix, unsafe),
            advice="" if any(_passes_opener(link) for link in unsafe) else SCRIPT_ADVICE,
        )
    return passed("{blank_count|link|links} to other sites in a new tab, none exposes window.opener", blank_count=blank_count)


def _passes_opener(link: Link) -> bool:
    return link.target == "_blank" and "opener" in link.rel and link.rel.isdisjoint(("noopener", "noreferrer"))


def _opens_by_script(link: Link) -> bool:
    handler = (link.element.attr("onclick") or "")[:MAX_HANDLER_CHARS]
    return bool(handler) and _OPENS.search(handler) is not None and _BLOCKS_OPENER.search(handler) is None


def _fix(link: Link) -> Fix | None:
    """Return the link without rel=opener, or with target=_blank instead of window.open; None if the script opens another URL."""
    if _opens_by_script(link):
        handler = link.element.attr("onclick") or ""
        if ".href" not in handler and (link.href or "") not in handler:
            return None
        return attribute_fix(link.element, onclick=None, target="_blank", rel=" ".join(sorted(link.rel - {"opener"})) or None)
    return attribute_fix(link.element, rel=" ".join(sorted(link.rel - {"opener"})) or None)
