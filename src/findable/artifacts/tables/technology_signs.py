"""Products that pages are built with, and the signs that identify each product. Dated data: see AS_OF.

Signs come from the snippets in the vendors' documentation, and from the markup that the products generate.
"""

from typing import Literal, get_args

from msgspec import Struct

from findable.artifacts.tables.table_file import read_table

TechnologyKind = Literal[
    "cms", "shop", "framework", "library", "server", "language", "cdn", "analytics", "tag_manager", "ads", "consent", "feature"
]
"""Purpose of a technology. A feature is something that the page offers: a feed, a web app manifest, an AMP version."""
KINDS: tuple[TechnologyKind, ...] = get_args(TechnologyKind)


class UrlSign(Struct, frozen=True, forbid_unknown_fields=True):
    """Sign of a product in the URL of a script, stylesheet, image or frame."""

    has: str
    """Literal part of the URL, lower case."""
    matches: str = ""
    """Pattern that the URL matches too, case ignored; its first group is the version."""


class HeaderSign(Struct, frozen=True, forbid_unknown_fields=True):
    """Sign of a product in a response header."""

    field: str
    matches: str = ""
    """Pattern of the value, case ignored; its first group is the version."""


class Product(Struct, frozen=True, forbid_unknown_fields=True):
    """Product that pages are built with, and the signs that identify it."""

    name: str
    kind: TechnologyKind
    source: str
    """URL of the vendor's documentation."""
    generator: str = ""
    """Pattern of ``<meta name=generator>``, case ignored; its first group is the version."""
    urls: tuple[UrlSign, ...] = ()
    scripts: tuple[str, ...] = ()
    """Literals of inline scripts and of ``<noscript>``, without white space and with single quotes."""
    attributes: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    """Ids of children of the body."""
    headers: tuple[HeaderSign, ...] = ()
    cookies: tuple[str, ...] = ()
    """Names of cookies; ``*`` at the end matches any text."""
    implies: tuple[str, ...] = ()
    """Products that this one is built with."""


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of data/technologies.json."""

    as_of: str
    products: tuple[Product, ...]


_table = read_table("technologies", _Table)
AS_OF = _table.as_of
"""Day of the table."""
PRODUCTS = _table.products
