"""Typesetter process, which converts the content of a sheet to a PDF.

Texts arrive as JSON and are placed as values: they are never parsed as typst. The template cannot open files: its root is an empty folder,
and its only package path is empty too.
"""

import base64
import json
import re
import tempfile
import unicodedata
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import typst

MISSING = "□"
"""Replacement for characters that no font contains."""
_INVISIBLE = re.compile(r"the text `\"((?:[^\"\\]|\\.)*)\"` could not be displayed")
_ESCAPED = re.compile(r"\\(?:u\{([0-9a-f]+)\}|(.))")
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}
SCRIPTS = {"Arabic": "ع", "Hebrew": "ש", "Devanagari": "अ", "Thai": "ก", "Chinese": "漢", "Japanese": "あ", "Korean": "한"}
"""Scripts whose fonts come from the machine, each with a sample letter."""
_TEMPLATE = (Path(__file__).parent / "templates" / "report.typ").read_bytes()
_PROBE = b"\n".join(
    (
        *re.findall(rb"^#let (?:sans|mono) = .*$", _TEMPLATE, re.MULTILINE),
        b'#set document(title: "x")',
        b"#for one in json(bytes(sys.inputs.texts)) {",
        b'  for style in ((font: sans), (font: sans, weight: "bold"), (font: mono)) { par(text(..style, one)) }',
        b"}",
    )
)
"""Document with each text of a list in the fonts of the template."""
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
    year, month, day, hour, minute, second = sheet["date"]
    moment = int(datetime(year, month, day, hour, minute, second, tzinfo=UTC).timestamp())
    with tempfile.TemporaryDirectory() as nothing:
        fonts = _fonts()
        for undrawable in _undrawable_texts(sheet, fonts):
            data = json.dumps(without_undrawable(sheet, undrawable))
            typesetter = typst.Compiler(_TEMPLATE, root=nothing, font_paths=fonts, package_path=nothing, package_cache_path=nothing)
            try:
                return cast("bytes", typesetter.compile(sys_inputs={"data": data}, pdf_standards=["ua-1"], timestamp=moment))
            except typst.TypstError as error:
                if not undrawn_texts(error.diagnostic):
                    raise
            except BaseException as error:
                if not _is_panic(error):
                    raise
        raise RuntimeError("characters without a font remain")


def undrawn_texts(diagnostic: str) -> set[str]:
    """Return the texts that a message of the typesetter calls undrawable, with its escapes decoded."""
    return {_ESCAPED.sub(_unescape, text) for text in _INVISIBLE.findall(diagnostic)}


def _unescape(escaped: re.Match[str]) -> str:
    return chr(int(escaped[1], 16)) if escaped[1] else _CONTROLS.get(escaped[2], escaped[2])


def scripts_without_font() -> list[str]:
    """Return the SCRIPTS that no font of this machine can draw (blocking: up to 0.1 seconds)."""
    missing = _undrawn(list(SCRIPTS.values()), _fonts())
    return [name for name, letter in SCRIPTS.items() if letter in missing]


def _fonts() -> typst.Fonts:
    """Return the fonts of the package and of this machine."""
    return typst.Fonts(font_paths=[str(Path(__file__).parent / "fonts")])


def _undrawn(texts: list[str], fonts: typst.Fonts) -> set[str]:
    """Return what no font can draw of texts that are typeset one by one, in all styles of the template."""
    try:
        typst.compile(_PROBE, sys_inputs={"texts": json.dumps(texts)}, font_paths=fonts, pdf_standards=["ua-1"])
    except typst.TypstError as error:
        if found := undrawn_texts(error.diagnostic):
            return found
        raise
    except BaseException as error:
        if not _is_panic(error):
            raise
        middle = len(texts) // 2
        return _undrawn(texts[:middle], fonts) | _undrawn(texts[middle:], fonts) if middle else set(texts)
    return set()


def _is_panic(error: BaseException) -> bool:
    """Return whether an error is a bug of the typesetter, which has no type of its own."""
    return type(error).__name__ == "PanicException"


def _undrawable_texts(sheet: dict[str, Any], fonts: typst.Fonts) -> Iterator[set[str]]:
    """Yield the characters, and letters with a mark, to replace, because PDF/UA does not allow them: each time more.

    They are none, those that no font of this machine can draw, also all marks and joiners, and all characters beyond ASCII.
    """
    yield set()
    clusters = {cluster for text in _texts(sheet) for cluster in _clusters(text)}
    beyond_ascii = {one for cluster in clusters for one in cluster if not one.isascii()}
    missing = _undrawn(sorted(beyond_ascii), fonts) & beyond_ascii
    pairs = sorted({one[0] + mark for one in clusters for mark in one[1:] if not {one[0], mark} & missing})
    if _undrawn(pairs, fonts):
        missing |= {pair for pair in pairs if _undrawn([pair], fonts)}
    yield missing
    yield missing | set(filter(_is_attached, beyond_ascii))
    yield beyond_ascii


def without_undrawable(sheet: dict[str, Any], undrawable: Collection[str]) -> dict[str, Any]:
    """Return the sheet with undrawable texts replaced. A name that loses most of its characters is replaced with the URL."""
    if not undrawable:
        return {**sheet, "has_unshown": False}
    shown = {**_replaced(sheet, undrawable), "has_unshown": True}
    name = shown["name"]["text"]
    if 2 * name.count(MISSING) > len(name.replace(" ", "")):
        shown["name"] = shown["above"] = shown["other_name"]
    return shown


def _replaced(value: Any, undrawable: Collection[str]) -> Any:
    """Return a value with MISSING for undrawable characters in all its texts, at any depth."""
    if isinstance(value, str):
        return "".join(_drawn(cluster, undrawable) for cluster in _clusters(value))
    if isinstance(value, dict):
        return {key: item if key in _UNDRAWN_MEMBERS else _replaced(item, undrawable) for key, item in value.items()}
    return [_replaced(item, undrawable) for item in value] if isinstance(value, list) else value


def _drawn(cluster: str, undrawable: Collection[str]) -> str:
    """Return a letter with its marks, with MISSING for those that are undrawable. The marks of an undrawable letter are removed with it."""
    letter = cluster[0]
    if letter in undrawable:
        return MISSING
    return letter + "".join(MISSING if mark in undrawable or letter + mark in undrawable else mark for mark in cluster[1:])


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


def _clusters(text: str) -> Iterator[str]:
    """Yield each letter of a text with the marks and joiners behind it."""
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or not _is_attached(text[end]):
            yield text[start:end]
            start = end


def _is_attached(character: str) -> bool:
    """Return whether a character is drawn with the letter before it: a mark, joiner, variation selector or skin tone."""
    return unicodedata.category(character)[0] == "M" or character in "\u200c\u200d" or "\U0001f3fb" <= character <= "\U0001f3ff"
