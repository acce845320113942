"""Registered language and region subtags (IANA registry), and codes with a preferred form (IANA registry, Unicode CLDR).

The table is made by tools/language_tags.py.
"""

from collections.abc import Mapping

from msgspec import Struct

from findable.artifacts.tables.table_file import read_table


class _Table(Struct, frozen=True):
    """Contents of data/language_tags.json, apart from the date of the registry and the version of CLDR."""

    languages: str
    regions: str
    two_letters: Mapping[str, str]
    preferred: Mapping[str, str]


_table = read_table("language_tags", _Table)
LANGUAGES = frozenset(_table.languages.split())
"""Registered language subtags of two or three letters, withdrawn ones included."""
REGIONS = frozenset(_table.regions.split())
"""Registered region subtags in lower case, withdrawn ones included."""
UNREGISTERED: Mapping[str, str] = _table.two_letters
"""Codes of ISO 639-2 and 639-3 whose language is registered with two letters only: ``deu`` and ``ger`` with ``de``."""
PREFERRED: Mapping[str, str] = _table.preferred
"""Preferred codes of withdrawn ones (``iw``: ``he``) and of the main language of a macrolanguage (``cmn``: ``zh``)."""


def is_language(code: str) -> bool:
    """Return whether a lower-case code is a registered language, or reserved for private use (``qaa`` to ``qtz``)."""
    return code in LANGUAGES or (len(code) == 3 and "qaa" <= code <= "qtz")  # noqa: PLR2004 - codes of three letters
