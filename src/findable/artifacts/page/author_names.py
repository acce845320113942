"""Names of authors: one person's, several, or with words that are no name."""

import re

from findable.lazy_pattern import lazy_pattern

BYLINE = lazy_pattern(r"(?:(?:written|posted|published|reported)\s+by|by|author|autor)(?:\s*:\s*|\s+)(?=\S)", re.IGNORECASE)
_NAME = r"[^\W\d_][\w.'’-]*(?:\s+[^\W\d_][\w.'’-]*){1,2}"
PERSON = lazy_pattern(_NAME)
SEVERAL = lazy_pattern(rf"({_NAME})\s*(?:,|&|;|\band\b|\bund\b)\s*({_NAME})(?:\s*(?:,|&|;|\band\b|\bund\b)\s*{_NAME})*")
JOINED = lazy_pattern(r"&|;|\b(?:and|und)\b")
TITLE = lazy_pattern(
    r"\b(?:chief|officer|editors?|editorial|director|prof(?:essor)?|manager|reporter|correspondent|writer|journalist|columnist|contributor|"
    r"president|founder|co-founder|partner|c[etfmo]o|m\.?d|ph\.?d|dr|head|senior|junior|lead|expert|specialist|analyst|consultant|engineer|"
    r"developer|physician|nutritionist|dietitian|attorney|lawyer|coach|author|photographer|times|post|tribune|herald|magazine|guardian|"
    r"\w*redakteur(?:in)?|\w*leiter(?:in)?|geschäftsführer(?:in)?|journalist(?:in)?|autor(?:in)?|fach\w+|\w*arzt|\w*ärztin|zeitung)\b",
    re.IGNORECASE,
)
"""Words of titles and papers, which often follow an author's name."""
NOT_A_PERSON = lazy_pattern(
    r"\b(?:of|for|the|der|die|das|für|university|institute?|ministry|department|news|press|media|team|staff|editors?|inc|llc|ltd|gmbh|ag)\b",
    re.IGNORECASE,
)


def is_name_only(author: str) -> bool:
    """Return whether nothing in a text shows more than the name of one person: "by", a title, a paper, another name."""
    return not (BYLINE.match(author) or SEVERAL.fullmatch(author) or TITLE.search(author) or NOT_A_PERSON.search(author))
