"""Each regular expression of the product against text made to be slow: S30.

All that stand in the source are found, with how they are used. Where one takes time by the square of its text on purpose, the text is
bounded, and that is written here.
"""

import ast
import importlib
import itertools
import pkgutil
import re
import signal
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import fields

import findable
from findable.lazy_pattern import LazyPattern

SOURCE = Path(findable.__file__).parent
METHODS = frozenset({"search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"})
ANCHORED = frozenset({"match", "fullmatch"})
LONG_CHARS = 10_000
LOOKED_AT_S = 0.01
"""Of the processor, however busy the machine is: what takes longer is tried with twice the text."""
MAX_S = 1.0
MAX_TIMES = 3.0
"""Twice the text may take twice the time; by the square it is four times."""
MATCHES = 100
"""So many are looked for one after the other, as `sub` and `finditer` do."""
BOUNDED: Mapping[str, tuple[int, str]] = {
    "artifacts/html/page_charset.py _ATTRIBUTE": (1024, "_META takes no more of an element"),
    "artifacts/page/viewport_meta.py _NUMBER": (500, "MAX_CONTENT_CHARS"),
}
"""Those that need it: how long their text can be, and what sees to it."""
MADE_WHILE_IT_RUNS: Mapping[str, str] = {
    "artifacts/html/page_charset.py": "names of elements of our own, side by side",
    "artifacts/page/keywords.py": "an escaped set of characters of our own",
    "artifacts/tables/wordings.py": "escaped wordings of our own, side by side",
    "artifacts/tables/bot_names.py": "escaped tokens of bots, of our own table and of the operator's, side by side",
    "artifacts/responses/libraries.py": "kept in a table, which is walked through",
    "capture/redaction.py": "a secret of the account's own, its characters escaped or as sets",
    "capture/preview_origin.py": "an escaped origin",
    "artifacts/page/structured_data.py": "an escaped name of a property",
    "artifacts/page/technologies.py": "our own table; tried by its rows",
    "artifacts/page/word_count.py": "kept in an object, which is walked through",
    "checks/accessibility/iframe_title.py": "the names width and height",
    "checks/page_fix.py": "the name of an element that a check looks for",
    "checks/robots_rule_fix.py": "escaped names of robots rules, side by side",
    "checks/structured_data/sd_matches_page.py": "escaped signs of currencies around NUMBER",
    "checks/technical/html_structure.py": "names of three elements",
    "export/source_patch.py": "the escaped words of a fix, with white space between them",
    "formats/bot_challenges.py": "our own table of bot challenges; tried by its rows",
    "formats/access_logs/pattern_reader.py": "patterns of our own for the directives of a format, with its escaped text between them",
    "formats/css_fonts.py": "an escaped name of a font",
    "lazy_pattern.py": "the pattern of the call of `lazy_pattern`",
    "reports/glossary.py": "escaped words of our own, side by side",
    "web/bodies.py": "names of fields of our own",
    "web/pages/result/finding_cards.py": "our own table; tried by its rows",
    "web/pages/shared/untrusted_text.py": "escaped texts, side by side",
}
"""Files with a pattern that is no constant of a module, and why no stranger writes it."""
FILLERS = (
    "a", "A", "0", "é", "中", " ", "\t", "\n", '"', "'", "<", "</", "<!--", "/", "//", "/*", "-", ".", "=", ";", ",", "(", "[", "{", "&", "%", "\\",
    "*", "_", "`", ":", "@", "#", "?", "a ", "a-", "a.", "a=", "a, ", "a;", "a@", "0.", "0,", ".2026-11-01", "<a ", 'a="', "url(", "http://a", "؀",
)  # fmt: skip


@dataclass(frozen=True)
class Pattern:
    """One of them."""

    where: str
    made: "re.Pattern[Any]"
    anchored: bool
    """Only ever asked whether a text begins with it, or is it."""


def modules() -> Iterator[tuple[str, ModuleType]]:
    for found in pkgutil.walk_packages(findable.__path__, "findable."):
        if not found.name.endswith("__main__") and "migrations" not in found.name:
            module = importlib.import_module(found.name)
            yield Path(str(module.__file__)).relative_to(SOURCE).as_posix(), module


def within(value: Any, depth: int = 4) -> "Iterator[re.Pattern[Any]]":
    """Patterns in a constant, however it holds them."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, LazyPattern):
        yield value.compiled()
    elif depth and isinstance(value, Mapping):
        for item in value.values():
            yield from within(item, depth - 1)
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from within(item, depth - 1)
    elif depth and isinstance(value, Struct):
        for field in fields(value):
            yield from within(getattr(value, field.name), depth - 1)
    elif depth and type(value).__module__.startswith("findable.") and hasattr(value, "__dict__"):
        for item in vars(value).values():
            yield from within(item, depth - 1)


def calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Calls of functions of `re` with a pattern, and of `lazy_pattern`, which stands for `re.compile`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "lazy_pattern":
            yield "compile", node
        display_name = node.func if isinstance(node, ast.Call) else None
        is_of_re = isinstance(display_name, ast.Attribute) and isinstance(display_name.value, ast.Name) and display_name.value.id == "re"
        if (
            isinstance(node, ast.Call)
            and isinstance(display_name, ast.Attribute)
            and is_of_re
            and display_name.attr in METHODS | {"compile"}
        ):
            yield display_name.attr, node


def flags_of(call: ast.Call) -> int:
    """Those that are named; ``re.A | re.B`` in any place."""
    names = {node.attr for node in ast.walk(call) if isinstance(node, ast.Attribute)} & set(re.RegexFlag.__members__)
    return int(sum(re.RegexFlag[name] for name in names))


def used_by(name: str, text: str) -> set[str]:
    return set(re.findall(rf"\b{re.escape(name)}\.({'|'.join(METHODS)})\(", text))


def every_pattern() -> dict[str, Pattern]:
    found: dict[str, Pattern] = {}
    texts = {path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}
    whole = "\n".join(texts.values())
    for file, module in modules():
        for name, value in vars(module).items():
            for made in within(value):
                used = used_by(name, texts[file] if name.startswith("_") else whole)
                anchored = isinstance(value, re.Pattern | LazyPattern) and bool(used) and used <= ANCHORED
                found.setdefault(f"{made.pattern!r} {made.flags} {anchored}", Pattern(f"{file} {name}", made, anchored))
    for file, text in texts.items():
        for method, call in calls(ast.parse(text)):
            if isinstance(call.args[0], ast.Constant) and method != "compile":
                made = re.compile(call.args[0].value, flags_of(call))
                found.setdefault(
                    f"{made.pattern!r} {made.flags} {method in ANCHORED}", Pattern(f"{file}:{call.lineno}", made, method in ANCHORED)
                )
    return found


def rows() -> Iterator[Pattern]:
    """Of tables whose patterns are put together while it runs."""
    from findable.artifacts.tables import technology_signs
    from findable.checks.engine import all_checks
    from findable.formats import bot_challenges

    for check in all_checks().values():
        if check.mark:
            yield Pattern(f"mark of {check.id}", re.compile(check.mark), anchored=False)
    for challenge in bot_challenges._CHALLENGES:
        if challenge.pattern:
            yield Pattern(f"bot_challenges {challenge.name}", re.compile(challenge.pattern, re.ASCII), anchored=False)
    for product in technology_signs.PRODUCTS:
        texts = (product.generator, *(sign.matches for sign in product.urls), *(sign.matches for sign in product.headers))
        for text in filter(None, texts):
            yield Pattern(f"technologies.json {product.name}", re.compile(text, re.IGNORECASE), anchored=False)


class TooLateError(Exception):
    """It took longer than MAX_S."""


def late(_signal: int, _frame: FrameType | None) -> None:
    raise TooLateError


def time_s(pattern: Pattern, text: str) -> float:
    """Of the processor; infinity for more than MAX_S."""
    given: Any = text.encode()[: len(text)] if isinstance(pattern.made.pattern, bytes) else text
    before = signal.signal(signal.SIGVTALRM, late)
    began_s = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_S)
    try:
        if pattern.anchored:
            pattern.made.match(given)
            pattern.made.fullmatch(given)
        else:
            for _ in itertools.islice(pattern.made.finditer(given), MATCHES):
                pass
    except TooLateError:
        return float("inf")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return time.process_time() - began_s


def grows(pattern: Pattern, filler: str, chars: int) -> bool:
    """Whether it takes more than in proportion to the length of such a text."""
    once, twice = (f"{(filler * length)[:length]}!" for length in (chars, 2 * chars))
    first_s = time_s(pattern, once)
    if first_s < LOOKED_AT_S or first_s > MAX_S:
        return first_s > MAX_S
    before_s, after_s = min(first_s, time_s(pattern, once)), min(time_s(pattern, twice) for _ in range(2))
    return after_s > MAX_TIMES * before_s or after_s > MAX_S


def slow(patterns: Iterable[Pattern]) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        chars, _ = BOUNDED.get(pattern.where, (LONG_CHARS, ""))
        yield from ((pattern.where, filler) for filler in FILLERS if grows(pattern, filler, chars))
        if chars == LONG_CHARS and time_s(pattern, "a" * 100_000 + "!") > MAX_S:
            yield pattern.where, "a" * 8


@pytest.mark.full
def test_s30_each_pattern_takes_time_by_the_length_of_its_text() -> None:
    patterns = [*every_pattern().values(), *rows()]
    assert len(patterns) > 250
    assert set(slow(patterns)) == set()


@pytest.mark.full
@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(?:a|a)*$", r"\s+$", r"(.*?,)+x", r"[^=]+=", r"<[^>]*>.*</"])
def test_s30_a_slow_pattern_would_be_seen(pattern: str) -> None:
    assert next(slow([Pattern("here", re.compile(pattern), anchored=False)]), None)


def test_s30_nobody_outside_writes_a_pattern() -> None:
    """What is put together while it runs stands in the list above, with what it is made of; what is not a constant is seen here."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "lazy_pattern(" not in text and not re.search(r"\bre\.", text):
            continue
        tree = ast.parse(text)
        assigned = [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
        constants = [(node.lineno, node.end_lineno or node.lineno) for node in assigned]
        for _, call in calls(tree):
            is_constant_of_module = any(first <= call.lineno <= last for first, last in constants)
            if not isinstance(call.args[0], ast.Constant) and not is_constant_of_module:
                found.add(path.relative_to(SOURCE).as_posix())
    assert found <= set(MADE_WHILE_IT_RUNS), "say in MADE_WHILE_IT_RUNS what it is made of"
