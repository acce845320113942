"""Languages of the product: texts, numbers and dates in each.

English is the source: a text is its own key, and a missing translation is shown in English. Catalogues are gettext files in
``locale/LANGUAGE/LC_MESSAGES``: ``interface`` (pages, terminal, PDF), ``findings`` (messages of checks), ``checks`` (why and how to fix).
docs/explanation/languages.md describes how texts get there.
"""

import gettext
from collections.abc import Mapping
from datetime import datetime, tzinfo
from functools import cache
from pathlib import Path
from typing import Any, Self

from msgspec import Struct

CATALOGUES = ("interface", "findings", "checks")
FOLDER = Path(__file__).parent / "locale"
MAX_ACCEPT_CHARS = 500


class Language(Struct, frozen=True):
    """Properties of a language apart from its texts."""

    code: str
    """BCP 47 code, used in the ``lang`` attribute of pages."""
    name: str
    """Name of the language in the language itself."""
    thousands: str
    decimal: str
    direction: str = "ltr"


LANGUAGES: Mapping[str, Language] = {"en": Language("en", "English", ",", "."), "de": Language("de", "Deutsch", ".", ",")}
"""Languages by code, the source language first."""


def later(text: str) -> str:
    """Mark a text for translation; it is translated when it is shown."""
    return text


class Message(str):
    """English sentence that can be translated later: ``Message(later("The header %(name)s …"), name="Host")``."""

    template: str
    values: Mapping[str, Any]

    __slots__ = ("template", "values")

    def __new__(cls, template: str, **values: Any) -> Self:
        """Return the English sentence: the template with its values."""
        made = super().__new__(cls, template % values if values else template)
        made.template, made.values = template, values
        return made

    @classmethod
    def from_sentence(cls, sentence: str) -> "Message":
        """Return the sentence as a value that is translated when it is inserted into another sentence."""
        return sentence if isinstance(sentence, Message) else cls(sentence)


MONTHS = (
    later("January"),
    later("February"),
    later("March"),
    later("April"),
    later("May"),
    later("June"),
    later("July"),
    later("August"),
    later("September"),
    later("October"),
    later("November"),
    later("December"),
)


class Translator:
    """Translator for one language: ``say("%(name)s is new", name="x")``.

    Args:
        language: defines number format and direction.
        catalogue: source text to translation; missing texts stay in English.
        words: what is shown in place of the translation, by source text.
    """

    def __init__(self, language: Language, catalogue: gettext.NullTranslations, words: Mapping[str, str] = {}) -> None:
        self.language = language
        self._words = words
        self._catalogue = catalogue
        self._marks_are_pythons = (language.thousands, language.decimal) == (",", ".")

    @property
    def code(self) -> str:
        """Language code for ``lang`` attributes."""
        return self.language.code

    def __call__(self, text: str, /, **values: Any) -> str:
        """Translate the text. ``%(name)s`` is a value, and ``%%`` a percent sign if there are values."""
        found = self.text(text)
        return found % values if values else found

    def text(self, text: str) -> str:
        """Translate the text without filling in values; for templates of findings."""
        if isinstance(text, Message):
            values = {name: self.text(value) if isinstance(value, Message) else value for name, value in text.values.items()}
            return self(text.template, **values)
        return self._words[text] if text in self._words else self._catalogue.gettext(text) if text else ""

    def renamed(self, words: Mapping[str, str]) -> "Translator":
        """Return a translator that shows other words for some source texts."""
        return Translator(self.language, self._catalogue, words)

    def plural(self, one: str, many: str, count: int, /, **values: Any) -> str:
        """Translate the plural form for ``count``; ``%(count)s`` is the formatted number."""
        return self.form(one, many, count) % ({"count": self.number(count)} | values)

    def form(self, one: str, many: str, count: int) -> str:
        """Return the translated plural form for ``count`` without filling in values."""
        return self._catalogue.ngettext(one, many, count)

    def number(self, value: float, digits: int = 2) -> str:
        """Format a number like ``1,234.5``: at most ``digits`` decimals, none for a whole number."""
        plain = f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"
        if "." in plain:
            plain = plain.rstrip("0").rstrip(".")
        return plain if self._marks_are_pythons else plain.translate({ord(","): self.language.thousands, ord("."): self.language.decimal})

    def signed(self, value: float, digits: int = 1) -> str:
        """Format a number like ``+4.5``, ``−4.5`` or ``+0``.

        Right-to-left text needs a mark before the sign, which would otherwise move behind the number (UAX 9).
        """
        mark = "\u200e" if self.language.direction == "rtl" else ""
        return f"{mark}{'−' if value < 0 else '+'}{self.number(abs(value), digits)}"

    def day(self, moment: datetime, zone: tzinfo | None = None) -> str:
        """Format a date like ``21 November 2026``."""
        local = moment.astimezone(zone) if zone else moment
        return self(later("%(day)s %(month)s %(year)s"), day=local.day, month=self(MONTHS[local.month - 1]), year=local.year)

    def moment(self, moment: datetime, zone: tzinfo | None = None) -> str:
        """Format a moment like ``21 November 2026, 10:00 UTC``: to the minute, with the name of the zone."""
        local = moment.astimezone(zone) if zone else moment
        return f"{self.day(local)}, {local:%H:%M} {local.tzname() or 'UTC'}"

    def duration(self, seconds: float) -> str:
        """Format a duration, rounded to seconds, minutes or hours."""
        if seconds < _MINUTE_S:
            return self.plural("%(count)s second", "%(count)s seconds", max(1, round(seconds)))
        if seconds < _HOUR_S:
            return self.plural("%(count)s minute", "%(count)s minutes", round(seconds / _MINUTE_S))
        return self.plural("%(count)s hour", "%(count)s hours", round(seconds / _HOUR_S))


_MINUTE_S, _HOUR_S = 60, 3600


@cache
def wording(code: str) -> Translator:
    """Return the translator of a language; that of English if the language is not supported."""
    language = LANGUAGES.get(code, LANGUAGES["en"])
    catalogue = gettext.NullTranslations()
    for name in CATALOGUES:
        if gettext.find(name, FOLDER, [language.code]):
            catalogue.add_fallback(gettext.translation(name, FOLDER, [language.code]))
    return Translator(language, catalogue)


ENGLISH = wording("en")


def best_language(accept_language: str) -> str:
    """Return the code of the supported language that best matches an Accept-Language header (RFC 9110, section 12.5.4), else English."""
    wishes: list[tuple[float, str]] = []
    for part in accept_language[:MAX_ACCEPT_CHARS].split(","):
        tag, _, quality = part.strip().partition(";q=")
        code = tag.strip().lower().partition("-")[0]
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            continue
        if code in LANGUAGES and weight > 0:
            wishes.append((-weight, code))
    return min(wishes, key=lambda wish: wish[0])[1] if wishes else "en"
