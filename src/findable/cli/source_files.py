"""Mapping from positions in pages to lines in source files of the repository, where CI systems show findings."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from msgspec import Struct

from findable.errors import SettingError
from findable.export.ci_subject import FilePosition, Place, without_scheme
from findable.urls import parse

MAX_FILE_BYTES = 5_000_000
_ENDINGS = ("", ".html", "/index.html", ".md", "/index.md")
"""File name endings that servers omit from URLs."""


Source = Annotated[
    tuple[str, ...], Parameter(help="Show findings at the files that pages are made of, e.g. '/docs/*=content/*'. May be repeated.")
]


class SourceRule(Struct, frozen=True):
    """Rule that maps URL paths to source files; ``*`` stands for the same text in both patterns."""

    urls: str
    files: str


def rules_of(options: Sequence[str]) -> list[SourceRule]:
    """Return the rules of options like ``--source /docs/*=content/*.md``. Raises SettingError if one is invalid."""
    found = []
    for option in options:
        urls, equals, files = option.partition("=")
        rule = SourceRule(urls.strip(), files.strip())
        if not equals or problem_of_rule(rule):
            raise SettingError("--source", f"{option}: {problem_of_rule(rule) or 'is not /PATH/*=FOLDER/*'}")
        found.append(rule)
    return found


def problem_of_rule(rule: SourceRule) -> str:
    """Return why a rule is invalid; empty if it is valid."""
    if not rule.urls.startswith("/"):
        return "the URL pattern must begin with /"
    if rule.urls.count("*") > 1 or rule.files.count("*") > rule.urls.count("*"):
        return "the URL pattern may have one *, and the file pattern one * if the URL pattern has it"
    if not rule.files or Path(rule.files).is_absolute() or ".." in Path(rule.files).parts:
        return "the file pattern must be relative to the repository, without .."
    return ""


class SourceFile(Struct, frozen=True):
    """Source file of a page."""

    path: str
    urls: str
    """URL pattern of the rule that leads to the file."""
    is_own: bool
    """Whether the file is that of this page alone; otherwise it is the template of all pages of the rule."""


class SourceFiles:
    """Function object that returns the source file and line of a place in a page.

    Args:
        rules: rules in order; the first one that leads to an existing file is used.
        root: folder of the repository.
    """

    def __init__(self, rules: Sequence[SourceRule], root: Path = Path()) -> None:
        self._rules = tuple(rules)
        self._root = root
        self.source_of = lru_cache(10_000)(self._source)
        self._lines_of = lru_cache(16)(self._lines)
        self._text_of = lru_cache(16)(self._text)

    def __call__(self, place: Place) -> FilePosition:
        """Return the position in the source file; without a file, the URL without its scheme as the path."""
        found = self.source_of(place.url)
        if found is None:
            return without_scheme(place)
        line = self._line(found.path, place)
        return FilePosition(found.path, line, place.column if line == place.line else None, is_file=True, text=self._text_of(found.path))

    def _source(self, url: str) -> SourceFile | None:
        """Return the source file of the page at a URL; None if no rule leads to an existing file."""
        parsed = parse(url)
        for rule in self._rules if parsed else ():
            before, star, after = rule.urls.partition("*")
            path = parsed.path if parsed else ""
            if (not star and path != before) or not (path.startswith(before) and path.endswith(after)):
                continue
            if len(path) < len(before) + len(after):
                continue
            named = rule.files.replace("*", path[len(before) : len(path) - len(after)].strip("/"))
            for ending in _ENDINGS:
                candidate = Path(named.rstrip("/") + ending)
                if ".." not in candidate.parts and _is_file(self._root / candidate):
                    return SourceFile(candidate.as_posix(), rule.urls, is_own=not star or "*" in rule.files)
        return None

    def _lines(self, path: str) -> list[str]:
        file = self._root / path
        return file.read_text("utf-8", "replace").splitlines() if file.stat().st_size <= MAX_FILE_BYTES else []

    def _text(self, path: str) -> str:
        """Return the text of a source file with its line ends; empty if it is not UTF-8, or too long."""
        file = self._root / path
        try:
            return file.read_bytes().decode("utf-8") if file.stat().st_size <= MAX_FILE_BYTES else ""
        except UnicodeDecodeError:
            return ""

    def _line(self, path: str, place: Place) -> int:
        """Return the line of a source file that contains the snippet of a place, the one nearest to its line in the page; else 1.

        Line numbers in a template or Markdown file differ from those in the page.
        """
        if not place.line or not place.snippet.strip():
            return 1
        lines = self._lines_of(path)
        for wanted in _search_texts(place.snippet):
            numbers = [number for number, line in enumerate(lines, 1) if wanted in "".join(line.split())]
            if numbers:
                return min(numbers, key=lambda number: abs(number - (place.line or 0)))
        return 1


def _search_texts(snippet: str) -> Iterator[str]:
    """Yield texts to search for, without white space: the first line of the snippet up to an ellipsis, then only its start tag."""
    first = "".join(snippet.split("\n", 1)[0].partition("…")[0].split())
    yield from dict.fromkeys(part for part in (first, first[: first.find(">") + 1]) if part)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # the path is too long or contains NUL
        return False
