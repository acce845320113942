"""Values that hide what they hold from logs, and properties that are computed once."""

from typing import ClassVar

from msgspec import Struct

from findable.values import Discreet, once


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
