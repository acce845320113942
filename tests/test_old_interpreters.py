"""Faults of interpreters that are in use: the code stays clear of them."""

import re
import symtable
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

INLINED = {"listcomp", "setcomp", "dictcomp"}
SOURCE = Path(__file__).parents[1] / "src/findable"
_GROUP = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+[^\s'\"]?")


def test_no_group_is_repeated_possessively() -> None:
    """Up to 3.11.4, which Debian 12 has, Python loses matches of such groups (gh-106052). Characters may be: ``[a-z]*+``."""
    found = [
        f"{path.relative_to(SOURCE)}:{number}: {line.strip()}"
        for path in SOURCE.rglob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if _GROUP.search(line) and not re.search(r"['\"][^'\"]*\(\)\*\+,", line)
    ]
    assert not found, found


older = pytest.mark.skipif(sys.version_info >= (3, 12), reason="newer tables of symbols have no comprehensions")


@older
def test_no_comprehension_binds_a_name_that_another_one_reads() -> None:
    """Up to 3.12.3, Python takes the name of the second one for an unbound variable of the function (gh-118513)."""
    found = [
        f"{path.relative_to(SOURCE)}:{table.get_lineno()} {table.get_name()}: {', '.join(sorted(names))}"
        for path in SOURCE.rglob("*.py")
        for table in _tables(symtable.symtable(path.read_text(encoding="utf-8"), str(path), "exec"))
        if table.get_type() == "function" and table.get_name() not in INLINED and (names := _names_of_siblings(table))
    ]
    assert not found, found


@older
def test_names_of_sibling_comprehensions_are_found() -> None:
    code = "def f(h):\n    return [one for one in h], [one(x) for x in h]\ndef g(h):\n    return [one for one in h], [one for one in h]\n"
    f, g = symtable.symtable(code, "example", "exec").get_children()

    assert _names_of_siblings(f) == {"one"}
    assert _names_of_siblings(g) == set()


def _names_of_siblings(function: symtable.SymbolTable) -> set[str]:
    """Return the names that one comprehension of a function binds and another scope in it reads from outside the function."""
    inner = [table for child in function.get_children() for table in _tables(child)]
    bound = {symbol.get_name() for table in inner if table.get_name() in INLINED for symbol in table.get_symbols() if symbol.is_local()}
    own = {symbol.get_name() for symbol in function.get_symbols() if symbol.is_local()}
    read = {symbol.get_name() for table in inner for symbol in table.get_symbols() if symbol.is_global()}
    return bound & read - own


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)
