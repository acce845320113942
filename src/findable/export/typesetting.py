"""Typesetter process, which converts the content of a sheet to a PDF.

Texts arrive as JSON and are placed as values: they are never parsed as typst. The template cannot open files: its root is an empty folder,
and its only package path is empty too.
"""

import base64
import json
import re
import tempfile
import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import typst

MISSING = "□"
"""Replacement for characters that no font contains."""
ROUNDS = 40
"""Number of characters and scripts without a font that are replaced one by one; then all characters beyond Latin are replaced."""
_INVISIBLE = re.compile(r"the text `?\"(.*?)\"`? could not be displayed", re.DOTALL)
_LATIN_ENDS = 0x250
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
        unshown = UndrawableText()
        for _ in range(ROUNDS + 1):
            data = json.dumps(unshown.remove_from(sheet))
            typesetter = typst.Compiler(template, root=nothing, font_paths=fonts, package_path=nothing, package_cache_path=nothing)
            try:
                made = typesetter.compile(sys_inputs={"data": data}, pdf_standards=["ua-1"], timestamp=moment)
            except typst.TypstError as error:
                found = _INVISIBLE.search(error.message)
                if found is None or not unshown.add(found.group(1)):
                    raise
            else:
                return cast("bytes", made)
        raise RuntimeError(f"more than {ROUNDS} rounds of characters without a font")


def scripts_without_font() -> list[str]:
    """Return the SCRIPTS that no font of this machine can draw (blocking: up to 0.1 seconds)."""
    fonts = typst.Fonts(font_paths=[str(Path(__file__).parent / "fonts")])
    return [name for name, letter in SCRIPTS.items() if not _is_drawn(letter, fonts)]


def _is_drawn(letter: str, fonts: typst.Fonts) -> bool:
    try:
        typst.compile(f'#set document(title: "x")\n{letter}'.encode(), font_paths=fonts, pdf_standards=["ua-1"])
    except typst.TypstError as error:
        if _INVISIBLE.search(error.message) is None:
            raise
        return False
    return True


class UndrawableText:
    """Set of characters that no font of this machine contains, and that are replaced, because PDF/UA does not allow them."""

    def __init__(self) -> None:
        self._characters: set[str] = set()
        self._scripts: dict[str, int] = {}
        self._rounds = 0

    def __bool__(self) -> bool:
        return self._rounds > 0

    def add(self, text: str) -> bool:
        """Add undrawable characters, to be replaced from now on; return False if none of them is new.

        Once two characters of a script are undrawable, all characters of that script are replaced.
        """
        self._rounds += 1
        new = {character for character in text if not self._is_undrawable(character)} - {MISSING}
        self._characters |= new
        for script in {_script(character) for character in new}:
            self._scripts[script] = self._scripts.get(script, 0) + 1
        return bool(new)

    def _is_undrawable(self, character: str) -> bool:
        if character in self._characters:
            return True
        return ord(character) >= _LATIN_ENDS and (self._rounds >= ROUNDS or self._scripts.get(_script(character), 0) > 1)

    def remove_from(self, sheet: dict[str, Any]) -> dict[str, Any]:
        """Return the sheet with undrawable characters replaced. A name that loses most of its characters is replaced with the URL."""
        shown = {**self.replace_in(sheet), "has_unshown": bool(self)}
        name = shown["name"]["text"]
        if 2 * name.count(MISSING) > len(name.replace(" ", "")):
            shown["name"] = shown["above"] = shown["other_name"]
        return shown

    def replace_in(self, value: Any) -> Any:
        """Return a value with undrawable characters replaced with MISSING in all its texts, at any depth."""
        if not self:
            return value
        if isinstance(value, str):
            return "".join(MISSING if character != MISSING and self._is_undrawable(character) else character for character in value)
        if isinstance(value, dict):
            return {key: item if key in _UNDRAWN_MEMBERS else self.replace_in(item) for key, item in value.items()}
        return [self.replace_in(item) for item in value] if isinstance(value, list) else value


def _script(character: str) -> str:
    """Return the script of a character, like ``CJK`` or ``HANGUL``: the first word of its Unicode name, or its category."""
    return unicodedata.name(character, "").partition(" ")[0] or unicodedata.category(character)
