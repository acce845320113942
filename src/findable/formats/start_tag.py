"""Read and change attributes of a start tag as written (HTML Standard, 13.2.5, tokenization of attributes)."""

import re
from collections.abc import Mapping
from html import escape

_NAME = re.compile(r"<[^\s/>]+")
_ATTRIBUTE = re.compile(r"""[\s/]+(?P<name>[^\s"'<>/=][^\s>/=]*)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>][^\s>]*)?)?""")

_END = re.compile(r"\s*+/?\s*+>?")


def attributes_as_written(source: str, start: int = 0) -> frozenset[str]:
    """Return the attributes of the start tag that begins at ``start``, each as written: ``class=x``."""
    opened = _NAME.match(source, start)
    found: set[str] = set()
    while opened is not None and (attribute := _ATTRIBUTE.match(source, opened.end())) is not None:
        found.add(attribute.group().strip(" \t\r\n\f/"))
        opened = attribute
    return frozenset(found)


def set_attributes(tag: str, changes: Mapping[str, str | bool | None]) -> str:
    """Return the start tag with these attributes set (True for one without a value) or removed (None); the others stay as written.

    A tag with stray quotes or equals signs is returned unchanged, because its attributes are ambiguous.
    """
    opened = _NAME.match(tag)
    if opened is None:
        return tag
    left = {name.lower(): value for name, value in changes.items()}
    parts, at = [opened.group()], opened.end()
    values: set[str] = set()
    while found := _ATTRIBUTE.match(tag, at):
        name = found.group("name").lower()
        if name in values and name in changes:
            pass  # HTML parsers ignore a repeated attribute
        elif name in left:
            parts.append(_attribute_text(name, left.pop(name)))
        elif name not in changes:
            parts.append(found.group())
        values.add(name)
        at = found.end()
    if not _END.fullmatch(tag, at):
        return tag
    return "".join((*parts, *(_attribute_text(name, value) for name, value in left.items()), tag[at:]))


def _attribute_text(name: str, value: str | bool | None) -> str:  # noqa: FBT001 - an attribute without a value
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escape(value, quote=False).replace(chr(34), "&quot;")}"'
