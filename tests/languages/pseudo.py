"""A made-up language: every text of ours is written with accents between brackets, so that what was not looked up stands out.

``⟦Ƒíx ƒírśť⟧`` was looked up, ``Fix first`` was not. Placeholders and markup stay as they are.
"""

import gettext
import re
from functools import cache

from babel.messages.pofile import read_po

from findable.wording import CATALOGUES, Language, Translator
from tools.catalogue import Text, folder_of

_KEPT = re.compile(r"%\(\w+\)s|%%|\{[^{}]*\}|<[^<>]+>|``[^`]+``|&[a-z]+;|\n {4}.*")
_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ODD = "áƀćďéƒǵħíĵķĺɱńóṕɋŕśťúṽẃẋýźÁɃĆĎÉƑǴĦÍĴĶĹṀŃÓṔɊŔŚŤÚṼẂẊÝŹ"
_TABLE = str.maketrans(_PLAIN, _ODD)
_FORMS = re.compile(r"\{([a-z0-9_]+)\|([^|{}]*)\|([^|{}]*)\}")
WORD = re.compile(r"[A-Za-z]{3,}")


def odd(text: str) -> str:
    """The text in the made-up language."""
    return f"⟦{_accented(text)}⟧"


def _accented(text: str) -> str:
    done, at = [], 0
    for kept in _KEPT.finditer(text):
        forms = _FORMS.fullmatch(kept.group())
        done.append(text[at : kept.start()].translate(_TABLE))
        done.append(f"{{{forms[1]}|{forms[2].translate(_TABLE)}|{forms[3].translate(_TABLE)}}}" if forms else kept.group())
        at = kept.end()
    return "".join(done) + text[at:].translate(_TABLE)


class _Everything(gettext.NullTranslations):
    """Catalogues that have every text that can be translated: tests/test_catalogues.py compares those of German with the code."""

    def gettext(self, message: str) -> str:
        return odd(message) if message in _texts() else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        chosen = msgid1 if n == 1 else msgid2
        return odd(chosen) if (msgid1, msgid2) in _texts() else chosen


@cache
def _texts() -> frozenset[Text]:
    files = ((folder_of("de") / f"{name}.po").open("rb") for name in CATALOGUES)
    found: set[Text] = set()
    for file in files:
        with file:
            found.update((one.id[0], one.id[1]) if isinstance(one.id, tuple) else str(one.id) for one in read_po(file) if one.id)
    return frozenset(found)


PSEUDO = Translator(Language("en-XA", "⟦Ƥśéúďó⟧", ",", "."), _Everything())
MIRRORED = Translator(Language("ar-XB", "⟦Ƥśéúďó⟧", ",", ".", "rtl"), _Everything())


def untranslated(text: str, *known: str) -> list[str]:
    """The words of the text that nobody looked up and that stand in none of the ``known`` texts (of the page, addresses, ids)."""
    data = [_words(given) for given in known]
    return sorted(word for word in set(WORD.findall(text)) if not any(word.casefold() in words for words in data))


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in WORD.findall(text))
