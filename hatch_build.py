"""Compile the gettext catalogues: a build hook of hatchling, and ``python hatch_build.py``.

``NAME.po`` in ``src/findable/locale`` is compiled to ``NAME.mo`` beside it, which is not in git. It needs nothing but Python and hatchling,
because an installation by hash has no other package at that time.
"""

import ast
import re
import struct
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALE = Path(__file__).parent / "src/findable/locale"
MAGIC = 0x950412DE
HEAD = struct.Struct("<7I")
PLACE = struct.Struct("<2I")
_LINE = re.compile(r'(msgid|msgid_plural|msgstr(?:\[\d\])?)? *(".*")')


class CatalogueHook(BuildHookInterface[Any]):
    """Compiles the catalogues before a wheel, an editable installation or an sdist is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the catalogues of the tree that is built."""
        compile_catalogues(Path(self.root) / "src/findable/locale")


def compile_catalogues(locale: Path = LOCALE) -> None:
    """Compile each catalogue whose compiled file is missing or older."""
    for source in sorted(locale.rglob("*.po")):
        target = source.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime_ns < source.stat().st_mtime_ns:
            target.write_bytes(compiled(source.read_text("utf-8")))


def compiled(text: str) -> bytes:
    """Return the compiled form (gettext manual, "The Format of GNU MO Files") of a catalogue without contexts and fuzzy entries."""
    found = sorted((key.encode(), value.encode()) for key, value in messages(text).items())
    strings = [part + b"\0" for column in zip(*found, strict=True) for part in column]
    first = HEAD.size + len(strings) * PLACE.size
    places, offset = b"", first
    for one in strings:
        places += PLACE.pack(len(one) - 1, offset)
        offset += len(one)
    originals, count = HEAD.size, len(found)
    return HEAD.pack(MAGIC, 0, count, originals, originals + count * PLACE.size, 0, first) + places + b"".join(strings)


def messages(text: str) -> dict[str, str]:
    """Return the translated texts of a catalogue; plural forms are joined by NUL. The empty key is the header."""
    found: dict[str, str] = {}
    for entry in text.split("\n\n"):
        parts: dict[str, str] = {}
        keyword = ""
        for line in entry.splitlines():
            if match := _LINE.fullmatch(line):
                keyword = match[1] or keyword
                parts[keyword] = parts.get(keyword, "") + ast.literal_eval(match[2])
        forms = [part for name, part in parts.items() if name.startswith("msgstr")]
        if any(forms):
            found["\0".join(part for name, part in parts.items() if name.startswith("msgid"))] = "\0".join(forms)
    return found


if __name__ == "__main__":
    compile_catalogues(*map(Path, sys.argv[1:]))
