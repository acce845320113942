"""Additions to the project's value class, a frozen `msgspec.Struct` (docs/decisions/0013-one-value-class.md)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache
from importlib import import_module
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, TypeVar, overload

from msgspec import Meta, Struct, json, structs

MESSAGE = "message"
"""Key in ``Meta(extra={MESSAGE: …})`` of the message for an invalid value of a request, which replaces the default message of its type."""
NEEDED = Meta(extra={"required": True})
"""Marker of a field of a request whose absence the service itself reports, together with other errors."""
DateTime = Annotated[datetime, Meta(examples=["2026-11-21T10:00:04Z"])]
"""Time in UTC, to the second, as in the example."""
MAX_REMEMBERED_CHARS = 2_000_000
Made = TypeVar("Made")
Shape = TypeVar("Shape", bound=Struct)


def read_data(package: str, name: str, kind: type[Made]) -> Made:
    """Return data/NAME.json of a package as a value of the type. Raises msgspec.ValidationError if the file is invalid."""
    return json.decode(path_in(package, f"data/{name}.json").read_bytes(), type=kind)


def path_in(package: str, name: str) -> Path:
    """Return the path of a file in the folder of a package, without `importlib.resources`, which a command would load for nothing else."""
    return Path(import_module(package).__path__[0], name)


def import_modules_of(package: str) -> None:
    """Import all modules of a package and of its subpackages. `pkgutil` takes ten times as long to find them."""
    for path in sorted(Path(import_module(package).__path__[0]).iterdir()):
        if path.suffix == ".py" and path.stem != "__init__":
            import_module(f"{package}.{path.stem}")
        elif path.joinpath("__init__.py").is_file():
            import_modules_of(f"{package}.{path.name}")


def batches_of(items: Iterable[Made], size: int) -> Iterator[list[Made]]:
    """Yield items in lists of at most ``size``."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch


def median(values: Iterable[float]) -> float:
    """Return the median of at least one value. The module `statistics` loads fractions, which nothing else needs."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most similar to a wrong one; None if none is similar."""
    from difflib import get_close_matches  # noqa: PLC0415 - few commands get a wrong name

    return next(iter(get_close_matches(name, list(known), n=1)), None)


class Discreet(Struct, frozen=True):
    """Base class of values whose ``repr`` omits secrets and large bodies."""

    hidden: ClassVar[frozenset[str]] = frozenset()

    def __repr__(self) -> str:
        shown = (f"{name}={getattr(self, name)!r}" for name in self.__struct_fields__ if name not in self.hidden)
        return f"{type(self).__name__}({', '.join(shown)})"


class once(Generic[Made]):  # noqa: N801 - used as a decorator, like property
    """Cached property without the lock of `functools.cached_property`, because only one thread works on a page."""

    def __init__(self, function: Callable[[Any], Made]) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> "once[Made]": ...

    @overload
    def __get__(self, instance: object, owner: type) -> Made: ...

    def __get__(self, instance: object, owner: type) -> "once[Made] | Made":
        """Compute and cache the value. Later accesses find it in the instance and do not call this method."""
        if instance is None:
            return self
        made = instance.__dict__[self._name] = self._function(instance)
        return made


class remembered(Generic[Made]):  # noqa: N801 - used as a decorator
    """Cache of a function of a text, such as a script, that many pages of a site contain: results of the last MAX_REMEMBERED_CHARS."""

    def __init__(self, function: Callable[[str], Made]) -> None:
        self._function = function
        self._known: dict[str, Made] = {}
        self._chars = 0
        self.__doc__ = function.__doc__

    def __call__(self, text: str) -> Made:
        """Return the result for the text."""
        if text not in self._known:
            self._known[text] = self._function(text)
            self._chars += len(text)
            while self._chars > MAX_REMEMBERED_CHARS:
                oldest = next(iter(self._known))
                self._chars -= len(oldest)
                if oldest is text:
                    return self._known.pop(oldest)
                del self._known[oldest]
        return self._known[text]

    def cache_clear(self) -> None:
        """Forget all results."""
        self._known.clear()
        self._chars = 0


def shape_of(kind: type[Shape], view: Any, **own: Any) -> Shape:
    """Return a ``kind`` whose members are those of the same names in ``view``, and the ``own`` ones."""
    source: Any = type(view)
    names, values_of = _shared_members(kind, source, tuple(own))
    return kind(**dict(zip(names, values_of(view), strict=True)), **own)


def cut_texts(value: Shape, most: int) -> Shape:
    """Return a value whose texts are cut to ``most`` characters."""
    texts = {name: text for name in value.__struct_fields__ if isinstance(text := getattr(value, name), str)}
    long = {name: text[:most] for name, text in texts.items() if len(text) > most}
    return structs.replace(value, **long) if long else value


@cache
def _shared_members(kind: type[Struct], source: type, own: tuple[str, ...]) -> tuple[Sequence[str], Callable[[object], Sequence[Any]]]:
    """Return the names of members that both types have, except the ``own`` ones, and a function that returns their values."""
    names = [name for name in kind.__struct_fields__ if hasattr(source, name) and name not in own]
    return names, values_getter(names)


def values_getter(names: Sequence[str]) -> Callable[[object], Sequence[Any]]:
    """Return a function that returns the values of these attributes of an object."""
    return attrgetter(*names) if len(names) > 1 else lambda view: [getattr(view, name) for name in names]
