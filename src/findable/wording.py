"""The languages we speak: texts, numbers and dates in each.

English is the source: a text is its own key, and what a catalogue lacks is shown in English. Catalogues are gettext files in
``locale/LANGUAGE/LC_MESSAGES``: ``interface`` (pages, terminal, PDF), ``findings`` (what checks say), ``checks`` (why and how to fix).
How texts get there: docs/explanation/languages.md.
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
    """What a language needs besides texts."""

    code: str
    """BCP 47; stands in ``lang`` of our pages."""
    name: str
    """In the language itself."""
    thousands: str
    decimal: str
    direction: str = "ltr"


LANGUAGES: Mapping[str, Language] = {
    "en": Language("en", "English", ",", "."),
    "de": Language("de", "Deutsch", ".", ","),
}
"""Code to language, the source first."""


def later(text: str) -> str:
    """Marks a text of a table for the catalogue; it is looked up where it is shown."""
    return text


class Filled(str):
    """A sentence in English that can still be said in other languages: ``Filled(later("The header %(name)s …"), name="Host")``."""

    template: str
    values: Mapping[str, Any]

    __slots__ = ("template", "values")

    def __new__(cls, template: str, **values: Any) -> Self:
        """The sentence with its values."""
        made = super().__new__(cls, template % values if values else template)
        made.template, made.values = template, values
        return made

    @classmethod
    def of(cls, sentence: str) -> "Filled":
        """A sentence as a value of another one: it is said in the language too."""
        return sentence if isinstance(sentence, Filled) else cls(sentence)


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


class Wording:
    """One language, ready to speak: ``say("%(name)s is new", name="x")``.

    Args:
        language: whose marks and direction are used.
        catalogue: text to text; what it lacks stays as it is.
    """

    def __init__(self, language: Language, catalogue: gettext.NullTranslations) -> None:
        self.language = language
        self._catalogue = catalogue
        self._marks_are_pythons = (language.thousands, language.decimal) == (",", ".")

    @property
    def code(self) -> str:
        """For ``lang`` attributes."""
        return self.language.code

    def __call__(self, text: str, /, **values: Any) -> str:
        """The text in this language; ``%(name)s`` is a value, ``%%`` a percent sign where there are values."""
        found = self.text(text)
        return found % values if values else found

    def text(self, text: str) -> str:
        """The text in this language as it stands in the catalogue; for templates of findings, whose values are filled in elsewhere."""
        if isinstance(text, Filled):
            values = {name: self.text(value) if isinstance(value, Filled) else value for name, value in text.values.items()}
            return self(text.template, **values)
        return self._catalogue.gettext(text) if text else ""

    def plural(self, one: str, many: str, count: int, /, **values: Any) -> str:
        """The form that fits ``count``; ``%(count)s`` is the number, written as here."""
        return self.form(one, many, count) % ({"count": self.number(count)} | values)

    def form(self, one: str, many: str, count: int) -> str:
        """The form that fits, its values not filled in."""
        return self._catalogue.ngettext(one, many, count)

    def number(self, value: float, digits: int = 2) -> str:
        """``1,234.5``: at most ``digits`` behind the mark, none for a whole number."""
        plain = f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"
        if "." in plain:
            plain = plain.rstrip("0").rstrip(".")
        return plain if self._marks_are_pythons else plain.translate({ord(","): self.language.thousands, ord("."): self.language.decimal})

    def signed(self, value: float, digits: int = 1) -> str:
        """``+4.5``, ``−4.5``; in what is written from right to left with a mark before it, without which the sign goes behind (UAX 9)."""
        mark = "\u200e" if self.language.direction == "rtl" else ""
        return f"{mark}{'+' if value > 0 else '−'}{self.number(abs(value), digits)}"

    def day(self, moment: datetime, zone: tzinfo | None = None) -> str:
        """``21 November 2026``."""
        local = moment.astimezone(zone) if zone else moment
        return self(later("%(day)s %(month)s %(year)s"), day=local.day, month=self(MONTHS[local.month - 1]), year=local.year)

    def moment(self, moment: datetime, zone: tzinfo | None = None) -> str:
        """``21 November 2026, 10:00 UTC``: to the minute, with the name of the zone."""
        local = moment.astimezone(zone) if zone else moment
        return f"{self.day(local)}, {local:%H:%M} {local.tzname() or 'UTC'}"


@cache
def wording(code: str) -> Wording:
    """The wording of a language; English for one that we do not speak."""
    language = LANGUAGES.get(code, LANGUAGES["en"])
    catalogue = gettext.NullTranslations()
    for name in CATALOGUES:
        catalogue.add_fallback(gettext.translation(name, FOLDER, [language.code], fallback=True))
    return Wording(language, catalogue)


ENGLISH = wording("en")


def best_language(accepted: str) -> str:
    """The code that suits an Accept-Language header best (RFC 9110, section 12.5.4); English where none does."""
    wishes: list[tuple[float, str]] = []
    for part in accepted[:MAX_ACCEPT_CHARS].split(","):
        tag, _, quality = part.strip().partition(";q=")
        code = tag.strip().lower().partition("-")[0]
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            continue
        if code in LANGUAGES and weight > 0:
            wishes.append((-weight, code))
    return min(wishes, key=lambda wish: wish[0])[1] if wishes else "en"
