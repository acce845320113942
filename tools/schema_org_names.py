"""Writes src/findable/artifacts/tables/data/schema_org_names.txt: the names of schema.org, pending ones too.

They are read from the declarations of the npm package schema-dts, which is made from the vocabulary. Names of earlier versions
stay: pages still use them. Run by hand with what the package holds:

    npm pack schema-dts@2.1.0 && tar xzf schema-dts-2.1.0.tgz
    python tools/schema_org_names.py package/dist/schema.d.ts "schema-dts 2.1.0 of 2026-10"
"""

import re
import sys
import textwrap
from pathlib import Path

TARGET = Path(__file__).parent.parent / "src/findable/artifacts/tables/data/schema_org_names.txt"
WIDTH = 140
DECLARED = (
    re.compile(r'^    "(\w+)"\?:', re.MULTILINE),  # properties
    re.compile(r'"@type": "(\w+)"'),  # types
    re.compile(r'"https?://schema\.org/(\w+)"'),  # enumeration members
)
HEAD = """\
# Names of schema.org: types, enumeration members and properties, pending ones too; CC BY-SA 3.0, schema.org.
# From {source}, and names of version 13.0 (2021-12) that it no longer has. Made by tools/schema_org_names.py.
# For telling a wrong letter case of a known name; a name that is missing here says nothing.
"""


def declared(text: str) -> set[str]:
    """The names in TypeScript declarations."""
    return {name for pattern in DECLARED for name in pattern.findall(text)}


def kept(text: str) -> set[str]:
    """The names in the file as it is."""
    return {name for line in text.splitlines() if not line.startswith("#") for name in line.split()}


def main(path: str, source: str) -> None:
    """Writes the file anew."""
    names = declared(Path(path).read_text(encoding="utf-8")) | kept(TARGET.read_text(encoding="ascii"))
    lines = textwrap.fill(" ".join(sorted(names)), WIDTH, break_long_words=False, break_on_hyphens=False)
    TARGET.write_text(HEAD.format(source=source) + lines + "\n", encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
