"""Values that hide what they hold from logs, properties that are computed once, and fields that are replaced by name."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from msgspec import Struct

import findable
from findable.values import Discreet, median, once

SOURCE = Path(findable.__file__).parent
OF_DATES = {"month", "microsecond", "tzinfo", "fold"}


def _structs(base: type[Struct]) -> Iterator[type[Struct]]:
    for struct in base.__subclasses__():
        yield struct
        yield from _structs(struct)


class Login(Discreet, frozen=True):
    hidden: ClassVar[frozenset[str]] = frozenset({"password"})

    user: str
    password: str


class Word(Struct, frozen=True, dict=True):
    text: str
    asked: list[str]

    @once
    def upper(self) -> str:
        """The word in capitals."""
        self.asked.append(self.text)
        return self.text.upper()


def test_hidden_fields_are_not_printed() -> None:
    assert repr(Login("ada", "secret")) == str(Login("ada", "secret")) == "Login(user='ada')"


def test_once_computes_a_property_once_per_value() -> None:
    asked: list[str] = []
    first, second = Word("a", asked), Word("b", asked)

    assert (first.upper, first.upper, second.upper) == ("A", "A", "B")
    assert asked == ["a", "b"]
    assert Word.upper.__doc__ == "The word in capitals."


def test_a_median_is_the_value_in_the_middle_or_between_two() -> None:
    assert (median([3, 1, 2]), median([4, 1, 2, 3]), median([0.5])) == (2, 2.5, 0.5)


def test_replaced_fields_exist() -> None:
    """`structs.replace` takes any keyword, so that mypy does not see a field that was renamed."""
    for module in pkgutil.walk_packages(findable.__path__, "findable."):
        if not module.name.endswith("__main__") and ".migrations" not in module.name:
            importlib.import_module(module.name)
    fields = {*OF_DATES, *(name for struct in _structs(Struct) for name in struct.__struct_fields__)}
    for path in SOURCE.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call) and ast.unparse(call.func).split(".")[-1] == "replace":
                assert {keyword.arg for keyword in call.keywords if keyword.arg} <= fields, f"{path}:{call.lineno}"
