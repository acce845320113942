"""Small values that are made by the hundred for each page: as unchangeable as frozen dataclasses for the type checker, and cheap.

A frozen dataclass sets each member through a function; that and the lock of `functools.cached_property` cost as much as reading
what is put into them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, dataclass_transform, overload

Made = TypeVar("Made")
Kind = TypeVar("Kind")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(kind: type[Kind]) -> type[Kind]:
    """A dataclass with slots that the type checker takes for frozen: nothing sets a member after it was made."""
    return dataclass(slots=True, unsafe_hash=True)(kind)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def remembering_record(kind: type[Kind]) -> type[Kind]:
    """Like `record`, with room for what `once` remembers."""
    return dataclass(unsafe_hash=True)(kind)


class once(Generic[Made]):  # noqa: N801 - used like property
    """A property whose value is kept. Without the lock of `functools.cached_property`: a page is looked at by one thread."""

    def __init__(self, function: Callable[[Any], Made]) -> None:
        self._function = function
        self._name = function.__name__
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "once[Made]": ...

    @overload
    def __get__(self, instance: object, owner: type) -> Made: ...

    def __get__(self, instance: object, owner: type) -> "once[Made] | Made":
        """The value; later ones are found in the instance before this is asked."""
        if instance is None:
            return self
        made = instance.__dict__[self._name] = self._function(instance)
        return made
