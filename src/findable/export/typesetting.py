"""Typesetter process, which converts the content of a sheet to a PDF.

Texts arrive as JSON and are placed as values: they are never parsed as typst. The template cannot open files: its root is an empty folder,
and its only package path is empty too.
"""

import base64
import json
import re
import tempfile
import unicodedata
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import typst

MISSING = "□"
"""Replacement for characters that no font contains."""
ROUNDS = 8
"""Number of compilations in which single characters are replaced; then all characters beyond ASCII are replaced."""
_INVISIBLE = re.compile(r"the text `\"((?:[^\"\\]|\\.)*)\"` could not be displayed")
_ESCAPED = re.compile(r"\\(?:u\{([0-9a-f]+)\}|(.))")
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}
SCRIPTS = {"Arabic": "ع", "Hebrew": "ש", "Devanagari": "अ", "Thai": "ก", "Chinese": "漢", "Japanese": "あ", "Korean": "한"}
"""Scripts whose fonts come from the machine, each with a sample letter."""
_UNDRAWN_MEMBERS = frozenset({"href", "logo", "screenshots", "filmstrip", "document_title", "author"})
"""Members that are data and not drawn."""


def typeset(request: bytes) -> bytes:
    """Return the PDF of ``{"sheet": …, "logo": base64 of a PNG or "", "screenshots": [base64 of a PNG, …], "filmstrip": … of a WebP}``."""
    asked = json.loads(request)
    sheet: dict[str, Any] = asked["sheet"]
    logo = base64.b64decode(asked["logo"])
    sheet["logo"] = list(logo)
    sheet["filmstrip"] = list(base64.b64decode(asked["filmstrip"]))
    sheet["screenshots"] = [list(base64.b64decode(data)) for data in asked["screenshots"]]
    own = Path(__file__).parent
    template: bytes = (own / "templates" / "report.typ").read_bytes()
    year, month, day, hour, minute, second = sheet["date"]
    moment = int(datetime(year, month, day, hour, minute, second, tzinfo=UTC).timestamp())
    with tempfile.TemporaryDirectory() as nothing:
        fonts = typst.Fonts(font_paths=[str(own / "fonts")])
        unshown = UndrawableText(lambda text: _is_drawn(text, fonts))
        for _ in range(ROUNDS + 1):
            shown = unshown.remove_from(sheet)
            data = json.dumps(shown)
            typesetter = typst.Compiler(template, root=nothing, font_paths=fonts, package_path=nothing, package_cache_path=nothing)
            try:
                made = typesetter.compile(sys_inputs={"data": data}, pdf_standards=["ua-1"], timestamp=moment)
            except typst.TypstError as error:
                undrawn = undrawn_texts(error.diagnostic)
                if not undrawn:
                    raise
                unshown.add(undrawn, shown)
            except BaseException as error:
                if type(error).__name__ != "PanicException":  # a bug of the typesetter, which has no type of its own
                    raise
                unshown.add_marks(shown)
            else:
                return cast("bytes", made)
        raise RuntimeError(f"characters without a font after {ROUNDS} rounds")


def undrawn_texts(diagnostic: str) -> set[str]:
    """Return the texts that a message of the typesetter calls undrawable, with its escapes decoded."""
    return {_ESCAPED.sub(_unescape, text) for text in _INVISIBLE.findall(diagnostic)}


def _unescape(escaped: re.Match[str]) -> str:
    return chr(int(escaped[1], 16)) if escaped[1] else _CONTROLS.get(escaped[2], escaped[2])


def scripts_without_font() -> list[str]:
    """Return the SCRIPTS that no font of this machine can draw (blocking: up to 0.1 seconds)."""
    fonts = typst.Fonts(font_paths=[str(Path(__file__).parent / "fonts")])
    return [name for name, letter in SCRIPTS.items() if not _is_drawn(letter, fonts)]


def _is_drawn(text: str, fonts: typst.Fonts) -> bool:
    source = b'#set document(title: "x")\n#sys.inputs.text'
    try:
        typst.compile(source, sys_inputs={"text": text}, font_paths=fonts, pdf_standards=["ua-1"])
    except typst.TypstError as error:
        if _INVISIBLE.search(error.message) is None:
            raise
        return False
    return True


class UndrawableText:
    """Set of characters that no font of this machine contains, and that are replaced, because PDF/UA does not allow them.

    ``is_drawn`` returns whether the fonts contain all characters of a text.
    """

    def __init__(self, is_drawn: Callable[[str], bool]) -> None:
        self._is_drawn = is_drawn
        self._characters: set[str] = set()
        self._rounds = 0

    def __bool__(self) -> bool:
        return self._rounds > 0

    def add(self, undrawn: Collection[str], shown: dict[str, Any]) -> None:
        """Replace from now on what made ``undrawn`` texts of the sheet ``shown`` undrawable.

        The typesetter reports the letter if the mark behind it has no font; then the mark is replaced and the letter stays.
        """
        self._rounds += 1
        known_count = len(self._characters)
        for text in undrawn:
            self._characters |= {one for one in text if one > "\x7f" and not self._is_drawn(one)}
        stays = [letter for letter in {one for text in undrawn for one in text} if letter not in self._characters]
        for letter in stays:
            for attached in {match for text in _texts(shown) for match in _attached_to(letter, text)}:
                marks = {mark for mark in attached if not self._is_drawn(letter + mark)}
                self._characters |= marks or set(attached)
        if len(self._characters) == known_count:  # a letter that only a font of another style contains
            self._characters |= {one for one in stays if one > "\x7f"}

    def add_marks(self, shown: dict[str, Any]) -> None:
        """Replace from now on all marks and joiners of the sheet ``shown``; all characters beyond ASCII if it has none."""
        marks = {one for text in _texts(shown) for one in text if _is_attached(one)}
        self._rounds = self._rounds + 1 if marks else ROUNDS
        self._characters |= marks

    def _is_undrawable(self, character: str) -> bool:
        return character in self._characters or (self._rounds >= ROUNDS and character > "\x7f")

    def remove_from(self, sheet: dict[str, Any]) -> dict[str, Any]:
        """Return the sheet with undrawable characters replaced. A name that loses most of its characters is replaced with the URL."""
        shown = {**self.replace_in(sheet), "has_unshown": bool(self)}
        name = shown["name"]["text"]
        if 2 * name.count(MISSING) > len(name.replace(" ", "")):
            shown["name"] = shown["above"] = shown["other_name"]
        return shown

    def replace_in(self, value: Any) -> Any:
        """Return a value with undrawable characters replaced with MISSING in all its texts, at any depth.

        Marks and joiners behind a replaced letter are removed with it.
        """
        if not self:
            return value
        if isinstance(value, str):
            return self._replace(value)
        if isinstance(value, dict):
            return {key: item if key in _UNDRAWN_MEMBERS else self.replace_in(item) for key, item in value.items()}
        return [self.replace_in(item) for item in value] if isinstance(value, list) else value

    def _replace(self, text: str) -> str:
        written: list[str] = []
        for character in text:
            if written and written[-1] == MISSING and _is_attached(character):
                continue
            written.append(MISSING if character != MISSING and self._is_undrawable(character) else character)
        return "".join(written)


def _texts(value: Any) -> Iterator[str]:
    """Yield the drawn texts in a value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in _UNDRAWN_MEMBERS:
                yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _attached_to(letter: str, text: str) -> Iterator[str]:
    """Yield the marks and joiners behind each occurrence of a letter."""
    start = text.find(letter)
    while start >= 0:
        end = start + 1
        while end < len(text) and _is_attached(text[end]):
            end += 1
        if end > start + 1:
            yield text[start + 1 : end]
        start = text.find(letter, end)


def _is_attached(character: str) -> bool:
    """Return whether a character is drawn with the letter before it: a mark, joiner, variation selector or skin tone."""
    return unicodedata.category(character)[0] == "M" or character in "\u200c\u200d" or "\U0001f3fb" <= character <= "\U0001f3ff"
