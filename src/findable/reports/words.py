"""The words of ours that stand as values in findings: the page never says them, so they are shown in the reader's language.

A value is looked up only under the name it is known by here: what a page says under another name stays as the page says it.
"""

import re
from collections.abc import Mapping

from findable.artifacts.tables.languages import NAMES as LANGUAGE_NAMES
from findable.wording import ENGLISH, Wording

_VALUE = re.compile(r"(?<![a-z])[a-z]++/[a-z0-9.+-]+|\d+")
_BROKEN_TEXT = ("dummy text", "garbled letters", "replacement characters", "unfilled value", "unprinted object", "unrendered variable")
_PLACES = ("address", "alternative texts", "description", "main heading", "title")
_NOT_ASKED = (
    "answered {n}",
    "answers {n}",
    "no answer in time",
    "no route to the internet",
    "no secure connection",
    "not asked",
    "not fetched: our guard does not reach that address",
    "not fetched: robots.txt asks us not to",
    "not measured: the budget was used up",
    "robots.txt asks us not to fetch it",
    "the answers are empty",
    "the answers hold no picture",
    "the block is nested too deep to be read",
    "the host name did not resolve",
    "the server asked for a pause",
    "their sizes are not stated",
)

WORDS: Mapping[str, tuple[str, ...]] = {
    "agent": ("all crawlers",),
    "agents": ("all others",),
    "asked": ("none",),
    "declared": tuple(sorted(set(LANGUAGE_NAMES.values()))),
    "detected": tuple(sorted(set(LANGUAGE_NAMES.values()))),
    "language": tuple(sorted(set(LANGUAGE_NAMES.values()))),
    "faults": (
        "a double slash",
        "a long path",
        "a session id",
        "capital letters",
        "escapes that are not UTF-8",
        "more than three parameters",
        "spaces",
        "underscores between words",
    ),
    "impact": ("critical", "serious", "moderate", "minor"),
    "kind": ("button", "field", "link", *_BROKEN_TEXT),
    "kinds": ("{n} button", "{n} buttons", "{n} field", "{n} fields", "{n} link", "{n} links", *_BROKEN_TEXT),
    "parts": ("http and https", "the final slash", "the host for phones", "the index file", "the query"),
    "place": ("the description", "the main heading", "the title"),
    "places": _PLACES,
    "reason": _NOT_ASKED,
    "severity": ("high", "medium", "low"),
    "what": (
        "a made-up address",
        "a picture",
        "a script",
        "a style sheet",
        "the canonical address",
        "the language versions",
        *_NOT_ASKED,
    ),
}
"""Name of the value to the words it may be; ``{n}`` is a whole number or a media type."""

EVIDENCE = frozenset(
    {
        "an empty page",
        "median of three loads on an emulated phone",
        "no Cache-Control",
        "no Content-Type header",
        "no namespace",
        "no rule matches",
        "the browser named no element",
    }
)
"""Evidence that says in our words that there is nothing to quote."""


def in_words(name: str, text: str, say: Wording) -> str:
    """The value in the language of ``say``, piece by piece where it lists several; as it is where it is no word of ours."""
    known = WORDS.get(name)
    if known is None or say is ENGLISH:
        return text
    return ", ".join(_word(piece, known, say) for piece in text.split(", "))


def _word(text: str, known: tuple[str, ...], say: Wording) -> str:
    values = _VALUE.findall(text)
    template = _VALUE.sub("{n}", text)
    if template not in known:
        return text
    found = say.text(template)
    for value in values:
        found = found.replace("{n}", value, 1)
    return found
