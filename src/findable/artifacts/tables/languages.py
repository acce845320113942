"""Languages by code: ISO 639-1, like ``en``.

Checks that depend on words support those of `SUPPORTED`. In other languages such a check is inapplicable, never a wrong number.
"""

import re
from collections.abc import Mapping

from msgspec import Struct

from findable.artifacts.tables.language_tags import PREFERRED, UNREGISTERED
from findable.artifacts.tables.table_file import read_table
from findable.vocabulary import name_values

SUPPORTED = ("en", "de", "fr", "es", "it", "nl", "ja", "zh", "ar")


class _Tables(Struct, frozen=True):
    """Contents of data/languages.json."""

    names: dict[str, str]
    two_letters: dict[str, str]


_tables = read_table("languages", _Tables)
NAMES: Mapping[str, str] = _tables.names
TWO_LETTERS: Mapping[str, str] = {**PREFERRED, **UNREGISTERED, **_tables.two_letters}
"""Withdrawn codes and those of ISO 639-2 and 639-3, with the code that names the language here, of two letters if there is one."""
name_values(("declared", "detected", "language"), NAMES, __name__)


def primary(tag: str | None) -> str:
    """Return the language of a language tag, ISO 639-1 if it has one: ``de-AT`` → ``de``, ``cmn`` → ``zh``; empty for none."""
    if not tag:
        return ""
    language = re.split(r"[-_]", tag.strip().lower(), maxsplit=1)[0]
    return TWO_LETTERS.get(language, language)
