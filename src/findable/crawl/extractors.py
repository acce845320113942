"""Extract values that the owner of a site has chosen from each page, as columns of its crawl.

A rule is a CSS selector with the part to extract from matching elements::

    h1                      text of the first
    meta[name=author]@content    attribute of the first
    all: .tag               texts of all
    count: img              number of elements
    contains: sold out      number of occurrences of these words in the source or the text

Regular expressions are not supported: neither the standard library nor a dependency has an engine with bounded time.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import islice

from msgspec import Struct

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.parse_tree import is_selector
from findable.crawl.url_keys import text_key
from findable.lazy_pattern import lazy_pattern
from findable.wording import Message, later

MAX_EXTRACTORS = 20
MAX_NAME_CHARS = 60
MAX_RULE_CHARS = 200
MAX_VALUES = 20
"""Maximum number of stored values per page; `count` covers all matches."""
MAX_VALUE_CHARS = 500

_ATTRIBUTE = lazy_pattern(r"@([A-Za-z_][\w:.-]*)$", re.ASCII)
_QUOTED = lazy_pattern(r"""\\.|"[^"]*"|'[^']*'|\[[^][]*\]""")
_FUNCTION = lazy_pattern(r":([\w-]+)\(([^()]*)\)")
_SIMPLE = frozenset({"is", "not", "where"})
"""Selector functions whose argument must not contain combinators."""
_COUNTING = frozenset({"nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"})
"""Selector functions that count siblings: two of them in a selector may take minutes on a malicious page."""
_COMBINATOR = lazy_pattern(r"[\s>+~]")


class Take(StrEnum):
    """Part to extract from matching elements."""

    FIRST = "first"
    ALL = "all"
    COUNT = "count"
    CONTAINS = "contains"


class Extractor(Struct, frozen=True):
    """Named rule that extracts a value from each page."""

    name: str
    rule: str

    @property
    def key(self) -> int:
        """Hash of the rule, by which its values are stored: renaming an extractor does not lose them."""
        return text_key(self.rule)

    @property
    def counts(self) -> bool:
        """Whether the extractor returns a number."""
        return _parse_rule(self.rule).take in (Take.COUNT, Take.CONTAINS)


class Extracted(Struct, frozen=True):
    """Result of an extractor on one page."""

    count: int
    """Number of matches, 0 without a value."""
    values: tuple[str, ...] = ()
    """First values, with folded white space; empty for extractors that count."""


class _Rule(Struct, frozen=True):
    take: Take
    selector: str = ""
    attribute: str = ""
    text: str = ""


@lru_cache(maxsize=256)
def _parse_rule(rule: str) -> _Rule:
    start, colon, rest = rule.partition(":")
    take = Take(start) if colon and start in (Take.ALL, Take.COUNT, Take.CONTAINS) and rest[:1] in ("", " ") else Take.FIRST
    rest = (rule if take is Take.FIRST else rest).strip()
    if take is Take.CONTAINS:
        return _Rule(take, text=" ".join(rest.split()))
    found = _ATTRIBUTE.search(rest)
    return _Rule(take, rest[: found.start()].strip(), found[1].lower()) if found else _Rule(take, rest)


def problem_of_all(extractors: Sequence[Extractor]) -> str | None:
    """Return the first problem of several extractors as a sentence; None if all are valid."""
    if len(extractors) > MAX_EXTRACTORS or len({extractor.name for extractor in extractors}) < len(extractors):
        return Message(later("There may be at most %(most)s extractors, each with its own name."), most=MAX_EXTRACTORS)
    return next((problem for extractor in extractors if (problem := problem_of(extractor))), None)


def problem_of(extractor: Extractor) -> str | None:
    """Return the problem of an extractor as a sentence; None if it is valid."""
    name, written = extractor.name, extractor.rule
    if not 0 < len(name) <= MAX_NAME_CHARS or not name.isprintable() or set(name) & set(":="):
        return Message(later("The name of an extractor must have 1 to %(most)s characters, without : and =."), most=MAX_NAME_CHARS)
    problem = _rule_problem(written)
    return None if problem is None else Message("%(name)s: %(problem)s", name=name, problem=Message.from_sentence(problem))


def _rule_problem(text: str) -> str | None:
    if len(text) > MAX_RULE_CHARS or not text.isprintable():
        return Message(later("At most %(most)s characters are allowed, and no control characters."), most=MAX_RULE_CHARS)
    rule = _parse_rule(text)
    if rule.take is not Take.CONTAINS:
        return _selector_problem(rule.selector)
    return None if rule.text else later("The text is missing.")


def _selector_problem(selector: str) -> str | None:
    """Return why a selector is not allowed, None if it is. Allowed selectors take time proportional to the page, on any page."""
    if not selector:
        return later("The selector is missing, like h1 or .price.")
    bare = _QUOTED.sub("", selector)
    functions = _FUNCTION.findall(bare)
    names = [name.lower() for name, _ in functions]
    for name, argument in zip(names, (argument for _, argument in functions), strict=True):
        parts = [part.strip() for part in argument.split(",")]
        if name not in _SIMPLE | _COUNTING or (name in _SIMPLE and any(_COMBINATOR.search(part) for part in parts)) or " of " in argument:
            return Message(later(":%(function)s(%(argument)s) is not supported here."), function=name, argument=argument)
    if "(" in _FUNCTION.sub("", bare) or sum(name in _COUNTING for name in names) > 1:
        return later("At most one :nth-…() and no function within another is supported.")
    return None if is_selector(selector) else Message(later("%(selector)s is not a CSS selector."), selector=selector)


def extract_values(document: Document, extractors: Sequence[Extractor]) -> Mapping[int, Extracted]:
    """Return the results of extractors on a page, by extractor key.

    On a page that was not parsed completely, an extractor without a match has no result.
    """
    is_whole = document.is_whole and not document.cut
    texts: list[str] = []
    found: dict[int, Extracted] = {}
    for extractor in extractors:
        rule = _parse_rule(extractor.rule)
        if rule.take is Take.CONTAINS:
            texts = texts or [document.source.casefold(), document.text.casefold()]
            result = Extracted(max(text.count(rule.text.casefold()) for text in texts))
        else:
            result = _extract_from(document.select(rule.selector), rule)
        if result.count or is_whole:
            found[extractor.key] = result
    return found


def _extract_from(elements: Sequence[Element], rule: _Rule) -> Extracted:
    if rule.attribute:
        elements = [element for element in elements if element.attr(rule.attribute) is not None]
    most = {Take.FIRST: 1, Take.ALL: MAX_VALUES}.get(rule.take, 0)
    values = tuple(islice(filter(None, (_value_of(element, rule.attribute) for element in elements)), most))
    return Extracted(len(elements) if values or not most else 0, values)


def _value_of(element: Element, attribute: str) -> str:
    text = (element.attr(attribute) or "") if attribute else element.text_up_to(MAX_VALUE_CHARS) or element.raw_text
    return " ".join(text[: 2 * MAX_VALUE_CHARS].split())[:MAX_VALUE_CHARS]
