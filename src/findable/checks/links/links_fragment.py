"""Links within the page have targets that do not exist.

In plain words: Visitors who click on some links within this page stay where they are.

Why it matters: Readers click a table of contents or "skip to content" and nothing happens; screen readers announce a dead link.

How to fix: Give the target the id of the fragment, or correct the link.

    <a href="#prices">Prices</a>
    <h2 id="prices">Prices</h2>

Sources: [HTML Standard: Scrolling to a fragment](https://html.spec.whatwg.org/multipage/browsing-the-web.html#scrolling-to-a-fragment);
[WCAG 2.2, 2.4.1 Bypass Blocks](https://www.w3.org/TR/WCAG22/#bypass-blocks).

Not judged: ``#``, ``#top`` and text fragments, placeholders such as ``#!`` or ``#0``, links that a script or a role handles (tabs, dialogs;
also if only a class or a data attribute indicates it), and truncated pages. Ids that scripts add later are not detected.
"""

import re
from typing import Any

from findable.artifacts.html.ids import Ids
from findable.artifacts.page.links import Link, Links
from findable.checks.engine import Finding, check, inapplicable, passed, unknown, warned
from findable.checks.link_evidence import link_evidence
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import EditPlace, Effort, Importance

_PLACEHOLDER = lazy_pattern(r"[!0_./-]*|none|void|nogo|null|javascript.*|link|no[-_]?scroll", re.IGNORECASE)

_TRIGGER = lazy_pattern(
    r"\bjs\b|toggle|trigger|open|close|cancel|modal|popup|dialog|menu|tab|dropdown|share|btn|button|login|collapse|carousel|slide",
    re.IGNORECASE,
)
"""Class names of links that the scripts of themes and frameworks handle."""
_HOOK = lazy_pattern(
    r"(?:comments?|respond|reply|disqus_thread|prev(?:ious)?|next|back|up|down|play|pause|more|less|share|search|menu|nav|sidebar|overlay"
    r"|gallery|lightbox|slide|carousel|accordion|panel|filter|sort|print|contact-?form|newsletter|subscribe|sign-?(?:in|up|out)"
    r"|log-?(?:in|out)|register|coral_thread)[-_\d]*|tabs?[-_].*|L\d+(?:-L?\d+)?",
    re.IGNORECASE,
)
"""Fragments by which scripts recognise a link. A skip link to one of them still needs a target."""
_CONSENT = lazy_pattern(
    r"(?:^|[\s_-])uc-|usercentrics|consent|cookie|\bcmp\b|gdpr|onetrust|didomi|borlabs|privacy[\s_-]?(?:settings|preferences|manager)"
    r"|privatsphäre-?einstellungen|datenschutz-?einstellungen|paramètres de confidentialité|configuración de privacidad"
    r"|impostazioni (?:della )?privacy|privacy-?instellingen|ustawienia prywatności",
    re.IGNORECASE,
)
"""Fragments, classes, ids and texts of links that open the settings of a consent layer again."""
_SKIPS = lazy_pattern(
    r"\bskip|screen-reader|\bjump to|zum (?:haupt)?inhalt|zur (?:haupt)?navigation|spring|aller (?:au|à)|saltar|ir al|vai al"
    r"|przejdź|naar de inhoud",
    re.IGNORECASE,
)


@check("Do links within the page find their place?", Importance.LOW, Effort.CONTENT, place=EditPlace.LINKS, warned=5)
def links_fragment(links: Links, ids: Ids) -> Finding:
    """Checks fragments of links to this page."""
    inside = [link for link in links.items if link.same_page and names_place(link)]
    if not inside:
        return inapplicable("No link leads to a place on this page")
    if ids.is_cut:
        return unknown("The page is too long to know all its places")
    missing = [link for link in inside if not ids.has_target(link.fragment)]
    numbers: dict[str, Any] = {"missing_count": len(missing), "links_count": len(inside)}
    if missing:
        return warned(
            "{missing_count} of {links_count|link|links} within the page without a target",
            evidence=link_evidence(missing, "no element has this id"),
            **numbers,
        )
    return passed("{links_count|link|links} within the page, each with a target", **numbers)


def names_place(link: Link) -> bool:
    """Return whether the fragment of a link names a place, and no state, route or hook that scripts read."""
    fragment = link.fragment.partition(":~:")[0]
    if not fragment or _PLACEHOLDER.fullmatch(fragment[:100]) or "/" in fragment or "=" in fragment or link.is_scripted:
        return False
    attrs = link.element.attrs
    if _SKIPS.search(f"{attrs.get('class', '')} {link.name}"[:300]):
        return True
    return not (
        _HOOK.fullmatch(fragment[:100])
        or _CONSENT.search(f"{fragment} {attrs.get('class', '')} {attrs.get('id', '')} {link.name}"[:600])
        or any(name.startswith("data-") for name in attrs)
        or _TRIGGER.search(f"{attrs.get('class', '')} {attrs.get('id', '')}"[:500])
    )
