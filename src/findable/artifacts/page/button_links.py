"""Tell links that are buttons from links that open a page."""

import re
from collections.abc import Mapping

from findable.artifacts.html.accessible_name import name_of
from findable.artifacts.html.document import Element
from findable.artifacts.html.ids import Ids
from findable.formats.characters import EXTRA_LETTERS
from findable.lazy_pattern import lazy_pattern
from findable.urls import without_fragment

HANDLERS = frozenset({"onclick", "ng-click", "@click", "v-on:click", "data-ng-click", "(click)"})
ROUTERS = frozenset({"routerlink", "[routerlink]", "ng-href", "ui-sref", "data-href", "v-bind:href", ":href", "[href]", "to"})
_BUTTON_SIGNS = frozenset(
    {"aria-expanded", "aria-haspopup", "aria-controls", "aria-pressed", "data-toggle", "data-bs-toggle", "data-dismiss", "data-bs-dismiss"}
)
_LETTER = lazy_pattern(rf"[\w{EXTRA_LETTERS}]")
_ACTION = lazy_pattern(
    r"javascript:\s*(?:void\s+|return\s+)?(?:(?:window|self|top|parent|document)\.)*"
    r"(?:history\.(?:back|forward|go)|print|close|scroll(?:To|By)?)\s*\([^()]{0,50}\)[\s;]*",
    re.IGNORECASE,
)
"""Scripts that act on this page and open no other page, so that no URL could replace them."""
_ACTS = lazy_pattern(
    r"\bfb-(?:like|share|page|comments)\b|(?:^|[\W_])(?:twitter-(?:share|follow)|(?i:share|sharing|social|tweet|pin-?it|whatsapp|e-?mail|cookies?|cookiebot|consent|cmp|gdpr|didomi"
    r"|onetrust|usercentrics|privacy-?settings|toggle|dropdown|modal|pop-?up|lightbox|fancybox|dialog|close|dismiss|print|play|pause|mute|audio|copy|clipboard|bookmark"
    r"|wish-?list|add-?to-?cart))(?=[\W_A-Z\d]|$)|open(?:Cmp|Consent)|(?i:(?:increase|decrease|change)-?font)"
)
"""Classes, ids and scripts of elements that act on this page: widgets, share and consent buttons, switches."""
SHARES = lazy_pattern(
    r"//(?:[\w-]+\.)*(?:facebook\.com/(?:sharer|dialog/|share\.php)|(?:twitter|x)\.com/(?:intent/|share\b|home\?status=)|pinterest\.\w+/pin/create"
    r"|linkedin\.com/(?:shareArticle|sharing/|cws/share)|(?:t\.me|telegram\.me)/share|(?:wa\.me|api\.whatsapp\.com)/|line\.me/R/|reddit\.com/submit"
    r"|tumblr\.com/(?:share|widgets)|vk\.com/share|getpocket\.com/(?:save|edit)|b\.hatena\.ne\.jp/|weibo\.com/share|xing\.com/spi/|mail\.google\.com/mail/)",
    re.IGNORECASE,
)
"""URLs of services to which a button sends the URL of the page."""
_ACTING_NAME = lazy_pattern(
    r"(?:share|tweet|like|print|close|search|teilen|drucken|schließen|partager|imprimer|fermer|compartir|imprimir|condividi|stampa"
    r"|udostępnij|поделиться"
    r"|cookie[- ](?:settings|preferences|einstellungen)|manage cookies|gérer les cookies)"
    r"(?: (?:on|with|via|this|auf|bei|sur|en|su|na) .{1,40})?"
    r"|.{0,20}(?:分享|複製連結|复制链接|シェア|共有|コピー|공유(?:하기)?)(?:.{0,10})"
    r"|copy (?:the )?link|link kopieren|copier le lien|copiar enlace",
    re.IGNORECASE,
)
"""Words on elements that act on this page."""
_VOID = lazy_pattern(r"javascript:\s*(?:void\s*\(?\s*0?\s*\)?)?[\s;]*", re.IGNORECASE)
"""Script that does nothing: the click is handled elsewhere."""
_OPENS_PAGE = lazy_pattern(
    r"location|window\.open|https?:|['\"]/|\.(?:html?|php|aspx?)\b|__doPostBack"
    r"|\b(?:go|goto|nav|navigate|open|load|show|visit|jump|redirect|route)(?=[A-Z_\W]|To)|(?:[Pp]age|[Uu]rl|URL|[Ll]ink|[Hh]ref)\w*\s*\("
)
"""Parts of handlers that lead to a page."""
_LEADING_NAME = lazy_pattern(
    r"\d{1,4}|(?:next|previous|prev|more|older|newer|read more|show more|load more|view all|show all|weiter|zurück|mehr|mehr lesen"
    r"|alle anzeigen|suivant|précédent|siguiente|anterior)\b.{0,30}",
    re.IGNORECASE,
)
"""Words on links to another page of a list or a text."""
_MAX_URL_CHARS = 8192
_ACTING_ATTRIBUTES = ("class", "id", "onclick", "href", "data-action")


def is_button(attrs: Mapping[str, str]) -> bool:
    """Return whether a role or a state shows that an element opens, closes or switches something."""
    role = attrs.get("role", "").strip().lower()
    return role not in ("", "link") or not _BUTTON_SIGNS.isdisjoint(attrs)


def is_control(element: Element, script: str, ids: Ids, here: str) -> bool:
    """Return whether an element whose href is this script is a button: it acts on this page, or nothing shows that it opens another."""
    if is_button(element.attrs) or _ACTION.fullmatch(script) or is_symbol(element, ids) or acts_on_page(element, ids, here):
        return True
    return _VOID.fullmatch(script[:100]) is not None and not opens_page(element, ids)


def acts_on_page(element: Element, ids: Ids, here: str) -> bool:
    """Return whether the element's attributes or text show that it acts on this page or shares it."""
    attrs = element.attrs
    acting = " ".join(attrs[key][:300] for key in _ACTING_ATTRIBUTES if key in attrs)
    if _ACTS.search(acting) or SHARES.search(acting) or _passes_on_own_url(attrs, here):
        return True
    return _ACTING_NAME.fullmatch(name_of(element, ids)[:80]) is not None


def _passes_on_own_url(attrs: Mapping[str, str], here: str) -> bool:
    """Return whether a script gets the URL of this page from the element, to share or to copy it."""
    return any(
        key.startswith("data-") and value.startswith("http") and without_fragment(value[:_MAX_URL_CHARS].strip()) == here
        for key, value in attrs.items()
    )


def opens_page(element: Element, ids: Ids) -> bool:
    """Return whether a handler, an attribute or the element's text shows that it opens a page; votes, uploads and notices do not."""
    attrs = element.attrs
    handlers = " ".join(attrs[key][:500] for key in HANDLERS if key in attrs)
    if _OPENS_PAGE.search(handlers) or not ROUTERS.isdisjoint(attrs):
        return True
    if any(key.startswith("data-") and value.startswith(("/", "http")) for key, value in attrs.items()):
        return True
    return _LEADING_NAME.fullmatch(name_of(element, ids)[:80].strip()) is not None


def is_symbol(element: Element, ids: Ids) -> bool:
    """Return whether the element has no name, or only a symbol such as an arrow or a cross, which opens, closes or turns something."""
    return _LETTER.search(name_of(element, ids)) is None
