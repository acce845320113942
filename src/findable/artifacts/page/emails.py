"""Email addresses on the page that harvesters can read."""

import re
from itertools import islice
from urllib.parse import unquote

from msgspec import Struct

from findable.artifacts.content import Content
from findable.artifacts.html.document import Document, Element
from findable.artifacts.registry import artifact
from findable.artifacts.tables.table_file import read_table
from findable.lazy_pattern import lazy_pattern

MAX_ADDRESSES = 200
MAX_SIGNS = 5000
"""Number of ``@`` in a text that are inspected."""
MAX_HOLDERS = 10
"""Number of addresses that are located in the tree, as many as a finding shows."""
MAX_LINKS = 5000
"""Number of links that are searched for mailto:."""
_ADDRESS = lazy_pattern(
    r"(?<![\w.+%/@-])[A-Za-z0-9][A-Za-z0-9._+%-]{0,63}@((?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,8}(?:[a-z]{2,24}|[A-Z]{2,24}))(?![\w@-]|:\w)"
)
_ROLES = read_table("role_addresses", frozenset[str])
"""Role addresses, which are published for everyone to use."""
CODE_TAGS = frozenset({"pre", "code", "samp", "kbd"})
"""Elements that quote code and program output."""
DOCUMENT_SHARE = 0.75
"""Share of the text from which ``pre`` elements count as the document itself."""
DOCUMENT_CHARS = 1000
"""Minimum length of such a document."""
MAX_BLOCKS = 300
MAX_HIGHLIGHTERS = 3
"""Maximum number of levels around a ``pre`` that may belong to a syntax highlighter."""
_HIGHLIGHTER = lazy_pattern(r"code|highlight|source|syntax|hljs|shiki|prettyprint|screen|terminal|console", re.IGNORECASE)
MAX_ANCESTORS = 20
_FILE_ENDINGS = frozenset({"png", "jpg", "jpeg", "gif", "webp", "svg", "avif", "css", "js", "mjs", "html", "php"})
_PLACEHOLDER_DOMAINS = read_table("placeholder_domains", frozenset[str])
"""Domains reserved for examples (RFC 2606) or commonly used so."""


class Email(Struct, frozen=True):
    """First occurrence of an email address. The address itself is not stored."""

    masked: str
    """Email address masked as ``i…@example.com``."""
    element: Element | None
    """Mailto link, or the element whose text contains the address; None if it could not be located."""
    in_mailto: bool
    of_role: bool
    """Whether the address is a role address, published for everyone: ``info@``, ``privacy@``."""


class Emails(Struct, frozen=True):
    """First MAX_ADDRESSES different email addresses in visible text and in mailto links, as the source spells them.

    Attributes, scripts, code and addresses that the source obfuscates are not read.
    """

    items: tuple[Email, ...]


@artifact
def make_emails(content: Content) -> Emails:
    """Read mailto links first, then the text."""
    document = content.document
    quoting = _quoting_tags(document)
    found: dict[str, Email] = {}
    for order, href in document.values("a", "href", MAX_LINKS):
        if href and href[0] in "mM" and href[:7].lower() == "mailto:" and len(found) < MAX_ADDRESSES:
            for address in _addresses(unquote(href[7:1000].partition("?")[0])):
                link = document.element_at(order)
                if address in document.source and not any(node.tag in quoting for node in islice(link.ancestors, MAX_ANCESTORS)):
                    found.setdefault(address.lower(), Email(mask_address(address), link, in_mailto=True, of_role=_is_role_address(address)))
    if "@" in document.text:
        for address in _addresses(document.text_outside(quoting)):
            if address.lower() not in found and address in document.source:
                holder = document.innermost_element_with(address) if len(found) < MAX_HOLDERS else None
                found[address.lower()] = Email(mask_address(address), holder, in_mailto=False, of_role=_is_role_address(address))
    return Emails(tuple(found.values())[:MAX_ADDRESSES])


def _addresses(text: str) -> list[str]:
    """Return the email addresses in a text, searched around each ``@`` so that long texts are cheap."""
    found: list[str] = []
    at = text.find("@")
    for _ in range(MAX_SIGNS):
        if at < 0 or len(found) >= MAX_ADDRESSES:
            break
        start = max(0, at - 70)
        match = next((item for item in _ADDRESS.finditer(text, start, at + 300) if item.start() < at < item.end()), None)
        if match and _is_real_domain(match.group(1).lower()):
            found.append(match.group())
        at = text.find("@", match.end() if match else at + 1)
    return found


def _quoting_tags(document: Document) -> frozenset[str]:
    """Return CODE_TAGS, without ``pre`` if its plain text is the document itself, as in RFCs and mailing list archives."""
    blocks = document.all("pre", limit=MAX_BLOCKS)
    if not blocks or len(document.text) < DOCUMENT_CHARS:
        return CODE_TAGS
    if len(document.text_outside(frozenset({"pre"}))) > (1 - DOCUMENT_SHARE) * len(document.text):
        return CODE_TAGS
    return CODE_TAGS if any(_is_highlighted(block) for block in blocks) else CODE_TAGS - {"pre"}


def _is_highlighted(block: Element) -> bool:
    around = (block, *islice(block.ancestors, MAX_HIGHLIGHTERS))
    return any(_HIGHLIGHTER.search((node.attr("class") or "")[:300]) for node in around) or any(
        node.tag == "code" for node in block.first_descendants(MAX_BLOCKS)
    )


def _is_role_address(address: str) -> bool:
    return address.partition("@")[0].lower() in _ROLES


def _is_real_domain(domain: str) -> bool:
    return domain.rpartition(".")[2] not in _FILE_ENDINGS and domain not in _PLACEHOLDER_DOMAINS


def mask_address(address: str) -> str:
    """Return an email address with only its first letter and its domain."""
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}…@{domain}"
