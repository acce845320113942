"""Patch of a source file in the repository that makes the fixes of a finding, only where each of them applies exactly."""

import re
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from itertools import pairwise
from pathlib import PurePosixPath

from msgspec import Struct

from findable.artifacts.html.document import VOID_TAGS
from findable.checks.page_fix import Fix, FixPlace
from findable.lazy_pattern import lazy_pattern

MAX_PATCH_CHARS = 20_000
_JSX = frozenset({".js", ".jsx", ".mdx", ".ts", ".tsx"})
_HEAD_END = lazy_pattern(r"(?<![ \t])(?P<indent>[ \t]*)</head\s*>", re.IGNORECASE)
_PLAIN_PATH = lazy_pattern(r"[\w./@()\[\]+, -]+")
"""Paths that git writes without quotes."""
_TAG = lazy_pattern(r"<(?P<tag>[a-zA-Z][\w-]*)(?P<rest>[^<>]*?)(?P<slash>\s*/)?>")
_ATTRIBUTE = lazy_pattern(r"(?<=\s)(?P<name>[a-zA-Z][\w:-]*)(?==|(?=[\s/>])|$)")
_JSX_NAMES = {
    "charset": "charSet",
    "class": "className",
    "crossorigin": "crossOrigin",
    "fetchpriority": "fetchPriority",
    "for": "htmlFor",
    "hreflang": "hrefLang",
    "http-equiv": "httpEquiv",
    "referrerpolicy": "referrerPolicy",
    "srcset": "srcSet",
    "tabindex": "tabIndex",
}
_NO_JSX = lazy_pattern(r"[{}]|<!|</?(?:script|style)\b|\s(?:style|on\w+)\s*=", re.IGNORECASE)
"""Code that means something else in JSX, or needs more than other names."""


class _Edit(Struct, frozen=True):
    """Replacement of part of a text."""

    start: int
    end: int
    code: str


def source_patch(path: str, text: str, fixes: Sequence[Fix]) -> str:
    """Return a unified diff that makes all fixes in a source file; empty if one of them does not apply exactly.

    A fix of an element applies if its source is in the file once, or at the same line and column as in the page; one of the head if the
    file has one end of a head. Response headers have no source.
    """
    if not fixes or not _PLAIN_PATH.fullmatch(path):
        return ""
    place = _edits_of_jsx if PurePosixPath(path).suffix in _JSX else _edits_of_markup
    edits = _merged([edit for fix in fixes for edit in place(text, fix)], len(fixes))
    if edits is None:
        return ""
    changed = text
    for edit in reversed(edits):
        changed = changed[: edit.start] + edit.code + changed[edit.end :]
    patch = _diff(path, text, changed)
    return patch if len(patch) <= MAX_PATCH_CHARS else ""


def _merged(edits: list[_Edit], count: int) -> list[_Edit] | None:
    """Return edits in order, those of one place joined; None if a fix has none, or two overlap."""
    if len(edits) != count:
        return None
    edits.sort(key=lambda edit: (edit.start, edit.end))
    joined: list[_Edit] = []
    for edit in edits:
        if joined and edit.start == edit.end == joined[-1].start == joined[-1].end:
            joined[-1] = _Edit(edit.start, edit.end, joined[-1].code + edit.code)
        else:
            joined.append(edit)
    return None if any(one.end > other.start for one, other in pairwise(joined)) else joined


def _edits_of_markup(text: str, fix: Fix) -> Iterator[_Edit]:
    """Yield the edit of a fix in a file with markup; nothing if it does not apply exactly."""
    if fix.place is FixPlace.HEAD:
        yield from _head_edit(text, fix.code)
    elif fix.place is FixPlace.ROBOTS_TXT:
        yield _Edit(len(text), len(text), ("" if not text or text.endswith("\n") else "\n") + f"\n{fix.code}\n")
    elif fix.place in (FixPlace.ELEMENT, FixPlace.SCRIPT) and fix.instead_of:
        count = text.count(fix.instead_of)
        at = text.find(fix.instead_of) if count == 1 else _offset(text, fix) if count else -1
        if at >= 0:
            yield _Edit(at, at + len(fix.instead_of), fix.code)


def _offset(text: str, fix: Fix) -> int:
    """Return the offset of a fix in a file that has its source several times; -1 if it is not at the line and column of the page."""
    lines = text.split("\n")
    if fix.line is None or fix.column is None or fix.line > len(lines):
        return -1
    at = sum(len(line) + 1 for line in lines[: fix.line - 1]) + fix.column - 1
    return at if text.startswith(fix.instead_of, at) else -1


def _head_edit(text: str, code: str) -> Iterator[_Edit]:
    ends = list(_HEAD_END.finditer(text))
    if len(ends) == 1:
        end = ends[0]
        starts_line = text[: end.start()].endswith("\n")
        indent = end["indent"] + "  " if starts_line and end["indent"] else ""
        written = "".join(f"{indent}{line}\n" for line in code.splitlines())
        yield _Edit(end.start(), end.start(), written if starts_line else f"\n{written}")


def _edits_of_jsx(text: str, fix: Fix) -> Iterator[_Edit]:
    """Yield the edit of a fix in a file with JSX, whose elements may have other names of attributes, spaces and a slash at the end."""
    if _NO_JSX.search(fix.code) or fix.place not in (FixPlace.ELEMENT, FixPlace.HEAD):
        return
    code = _as_jsx(fix.code)
    if fix.place is FixPlace.HEAD:
        yield from _head_edit(text, code)
        return
    found = list(_pattern(fix.instead_of).finditer(text)) if fix.instead_of else []
    if len(found) == 1:
        yield _Edit(found[0].start(), found[0].end(), code)


def _as_jsx(code: str) -> str:
    """Return markup with the names of attributes in JSX, and a slash at the end of elements without content."""

    def written(tag: "re.Match[str]") -> str:
        rest = _ATTRIBUTE.sub(lambda name: _JSX_NAMES.get(name["name"].lower(), name["name"]), tag["rest"].rstrip())
        return f"<{tag['tag']}{rest}{' /' if tag['slash'] or tag['tag'].lower() in VOID_TAGS else ''}>"

    return _TAG.sub(written, code)


def _pattern(source: str) -> "re.Pattern[str]":
    """Return a pattern of the JSX that markup is made of."""
    words = [re.escape(word) for word in re.split(r"\s+", re.sub(r"(?<!\s)\s*/>", " />", _as_jsx(source)).strip())]
    return re.compile(r"\s+".join(words).replace(r"\s+/>", r"\s*/>"))


def _diff(path: str, before: str, after: str) -> str:
    lines = unified_diff(_lines(before), _lines(after), f"a/{path}", f"b/{path}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their ends, as git counts them."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)
