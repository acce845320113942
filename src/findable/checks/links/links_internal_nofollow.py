"""Internal links have rel=nofollow.

In plain words: Google is told to ignore links to your own pages, so these pages are found less well.

Why it matters: Nofollow asks search engines not to follow the link and to pass nothing on. Within a site, this deprives the site's own
pages of link signals; to keep a page out of the index, use noindex.

How to fix: Remove nofollow from links to your own pages.

    <a href="/shop/blue-widgets">Blue widgets</a>

Sources: [Google: qualify outbound links](https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links) (2025);
[Google: URL structure](https://developers.google.com/search/docs/crawling-indexing/url-structure) (2025): nofollow on calendars and
filters.

Not judged: Links to login, account, basket, search and calendar pages, feeds, source texts, single posts of a thread, links with a query
(filters, sorting, replies), and links within the page: nofollow keeps crawlers out of endless spaces there. Links by visitors in comments
should have nofollow, even if they lead to this site.
"""

import re
from functools import lru_cache
from itertools import islice
from typing import Any

from findable.artifacts.page.links import Link, Links
from findable.checks.engine import Finding, attribute_mark, check, inapplicable, passed, warned
from findable.checks.link_evidence import link_evidence
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse
from findable.vocabulary import Effort, Fixer, Importance

PRIVATE_SPACE = lazy_pattern(
    r"(?:^|[/_.-])(?:log-?(?:in|out|on|off)|sign-?(?:in|up|out)|register|registration|auth|account|my-?account|user|users|profile|member|members"
    r"|konto|anmelden|registrieren|connexion|password|session|admin|wp-admin|(?:shop(?:ping)?-?)?cart|basket|bag|checkout|warenkorb|kasse|panier|carrito|carrello"
    r"|wish-?list|compare|calendar|kalender|events?|search|suche|recherche|filter|tag|tags|print|printer-friendly[a-z-]*|share|go|out|url|redirect|feeds?|rss|atom|syndication|download|special:[a-z]+"
    r"|bookmarks?|react(?:ions?)?|report|alerter|signaler|e-?mail|newsletter|newsletter-?subscribe|subscribe|utente|usuario|usuarios|benutzer"
    r"|registrazione|registro|inscription|whats-new|latest|unread|misc|permalink|post-\d+|_?sources?)"
    r"(?:$|[/_.-])",
    re.IGNORECASE,
)
_ACTION = lazy_pattern(
    r"wish-?list|watch-?list|favou?rites?\b|merkzettel|merkliste|wunschliste|notizzettel|liste d['’]envies|favoris\b|lista de deseos"
    r"|favoritos\b|lista dei desideri|preferiti\b|verlanglijst|lista życzeń|önskelista|избранное|お気に入り|compare|vergleich|comparer"
    r"|comparar|confronta|vergelijk|porówna|сравнить|add[-_ ]to[-_ ]|warenkorb|in den korb|panier|carrito|carrello|winkelwagen"
    r"|koszyk|корзин|log-?in\b|sign-?(?:in|up)\b|anmelden|einloggen|registrieren|se connecter|connexion|iniciar sesión|accedi\b"
    r"|inloggen|zaloguj|войти"
    r"|\bcart\b|addtoany|a2a_button|\bfacet|\bpostlink\b|\bmycode_url\b|\bshare\b|permalink|bookmark|drucken|imprim|stampa|\bprint\b|teilen|partager"
)
"""Classes, ids and texts of links that act for one visitor, in several languages, in lower case.

That is five times as fast as ignoring the case of each letter.
"""
_COMMENTS = re.compile(r"comment|disqus", re.IGNORECASE)
_COMMENT_RELS = frozenset({"ugc", "external"})
"""Values of ``rel`` in comments: Google's "ugc", and the value of WordPress for links of commenters."""
MAX_ANCESTORS = 12


@check("Are internal links followed?", Importance.LOW, Effort.CONTENT, warned=10, fixer=Fixer.DEVELOPER, mark=attribute_mark("rel"))
def links_internal_nofollow(links: Links) -> Finding:
    """Checks rel=nofollow on links to this host."""
    if not links.internal:
        return inapplicable("The page links to no other page of this site")
    nofollow = [link for link in links.internal if "nofollow" in link.rel and not _is_in_comment(link) and not _is_private_space(link)]
    numbers: dict[str, Any] = {"nofollow_count": len(nofollow), "links_count": len(links.internal)}
    if nofollow:
        return warned(
            "{nofollow_count} of {links_count|internal link|internal links} with nofollow", evidence=link_evidence(nofollow), **numbers
        )
    return passed("{links_count|internal link|internal links}, no nofollow link to a page for search", **numbers)


def _is_private_space(link: Link) -> bool:
    url = parse(link.url)
    if url is None or "?" in link.url or _is_private_path(url.path[:1000]):
        return True
    attrs = link.element.attrs
    return _is_action(f"{attrs.get('class', '')[:200]} {attrs.get('id', '')[:100]} {attrs.get('title', '')[:100]} {link.name[:100]}")


# Menus and lists repeat the same links on all pages of a site.
@lru_cache(maxsize=2048)
def _is_private_path(path: str) -> bool:
    return PRIVATE_SPACE.search(path) is not None


@lru_cache(maxsize=2048)
def _is_action(shown: str) -> bool:
    return _ACTION.search(shown.lower()) is not None


@lru_cache(maxsize=2048)
def _names_comments(shown: str) -> bool:
    return _COMMENTS.search(shown) is not None


def _is_in_comment(link: Link) -> bool:
    """Return whether the link is in a visitor's comment."""
    if not link.rel.isdisjoint(_COMMENT_RELS):
        return True
    around = islice(link.element.ancestors, MAX_ANCESTORS)
    return any(node.tag != "body" and _names_comments(f"{node.attr('id') or ''} {node.attr('class') or ''}"[:300]) for node in around)
