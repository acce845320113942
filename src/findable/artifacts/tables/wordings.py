"""Wordings by language, for checks that depend on words: one file for each list.

They have the form that `fold` returns: lower case, straight apostrophes, single spaces, no final punctuation. Compiled by hand in November
2026 from the texts of content systems and well-known sites.
"""

import re
from collections.abc import Mapping
from functools import cache

from findable.artifacts.tables.table_file import read_table
from findable.formats.characters import compatible

NOT_FOUND_TITLES: Mapping[str, tuple[str, ...]] = read_table("not_found_titles", dict[str, tuple[str, ...]])
"""Wordings of titles and main headings of error pages, long enough not to occur in ordinary headings."""
GENERIC_ANCHORS: Mapping[str, frozenset[str]] = read_table("generic_anchors", dict[str, frozenset[str]])
"""Complete link texts that do not describe the target (Lighthouse 13 link-text lists, WCAG 2.4.4, and additions)."""
GENERIC_TITLES: Mapping[str, frozenset[str]] = read_table("generic_titles", dict[str, frozenset[str]])
"""Complete titles that do not describe a page."""
_APOSTROPHES = "\u2019\u02bc\u2018\u00b4`"
_EDGES = " \t\n.,;:!?…»«›‹>→⟶-–—|·•()[]\"“”„'。、！？：；（）「」؟،"
_CLOSED_SCRIPTS = frozenset({"ja", "zh"})


def fold(text: str) -> str:
    """Normalize text to the form of these wordings: compatibility forms, lower case, single spaces, no punctuation at the edges."""
    if text.isascii():  # nothing to normalize, as in most link texts
        text = text.replace("`", "'")
    else:
        text = compatible(text)
        for sign in _APOSTROPHES:  # five searches are faster than testing each character
            text = text.replace(sign, "'")
    return " ".join(text.casefold().split()).strip(_EDGES)


def file_words(url: str) -> str:
    """Return the words of the last part of a URL's path, in the form of `fold`: "learn more" for ``/docs/learn-more.html?a``."""
    path = url.partition("?")[0].partition("#")[0].rstrip("/")
    return fold(path.rpartition("/")[2].partition(".")[0].replace("-", " ").replace("_", " "))


@cache
def _not_found_pattern(language: str) -> re.Pattern[str]:
    alternatives = "|".join(re.escape(wording) for wording in sorted(NOT_FOUND_TITLES[language], key=len, reverse=True))
    return re.compile(alternatives) if language in _CLOSED_SCRIPTS else re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)")


def not_found_wording(text: str, language: str) -> str:
    """Return the wording of NOT_FOUND_TITLES that a title or heading contains as whole words; empty if none.

    English is tested in every language, because servers return "404 Not Found" everywhere. Unsupported languages have only English.
    """
    folded = fold(text)
    for known in dict.fromkeys((language, "en")):
        if known in NOT_FOUND_TITLES and (found := _not_found_pattern(known).search(folded)):
            return found.group()
    return ""
