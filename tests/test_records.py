"""Values that are cheap to make, and properties that are asked once."""

from dataclasses import replace
from typing import Any

import pytest

from findable.records import once, record, remembering_record


@record
class Place:
    line: int
    column: int = 1


@remembering_record
class Word:
    text: str
    asked: list[str]

    @once
    def upper(self) -> str:
        """The word in capitals."""
        self.asked.append(self.text)
        return self.text.upper()


def test_a_record_is_compared_and_found_by_its_members() -> None:
    assert Place(1) == Place(1, 1) != Place(2)
    assert {Place(1): "first"}[Place(1)] == "first"
    assert repr(Place(1)) == "Place(line=1, column=1)"
    other: Any = replace(Place(1), column=9)
    assert other == Place(1, 9)


def test_a_record_has_no_other_members() -> None:
    place: Any = Place(1)
    with pytest.raises(AttributeError):
        place.colour = "red"


def test_what_is_asked_once_is_remembered_by_each_value_on_its_own() -> None:
    asked: list[str] = []
    first, second = Word("a", asked), Word("b", asked)

    assert (first.upper, first.upper, second.upper) == ("A", "A", "B")
    assert asked == ["a", "b"]
    assert Word.upper.__doc__ == "The word in capitals."
