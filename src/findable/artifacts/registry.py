"""Registry of artifacts: each is made once, on first use.

An artifact is a frozen value and one function that makes it, registered by `@artifact`. The function's parameters are its inputs (other
artifacts, or the Capture), its return type is the artifact. If the thing does not exist or could not be measured, it returns
`Absent(reason)`; everything that needs it becomes inapplicable or unknown.
"""

import importlib
import logging
import pkgutil
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from msgspec import Struct, field

from findable.capture.page import Capture
from findable.vocabulary import Verdict

log = logging.getLogger("findable.artifacts")

Made = TypeVar("Made")


class Absent(Struct, frozen=True):
    """Reason why an artifact is missing: a message template with ``params``, as in a finding."""

    reason: str
    verdict: Verdict = Verdict.INAPPLICABLE
    """INAPPLICABLE if the question does not arise, UNKNOWN if it could not be measured."""
    params: Mapping[str, Any] = field(default_factory=dict)


class Reading(Struct, frozen=True):
    """One parameter of a maker or a check: the artifact type, and whether it is optional."""

    name: str
    kind: type
    optional: bool


_MAKERS: dict[type, tuple[Callable[..., Any], tuple[Reading, ...]]] = {}


def readings(function: Callable[..., Any]) -> tuple[Reading, ...]:
    """Return the artifacts that a function's parameters declare; ``X | None`` is optional."""
    hints = typing.get_type_hints(function)
    result = []
    for name, hint in hints.items():
        if name == "return":
            continue
        arms = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
        kinds = [arm for arm in arms if arm is not type(None)]
        result.append(Reading(name, kinds[0], optional=len(kinds) < len(arms)))
    return tuple(result)


def artifact(function: Callable[..., Made]) -> Callable[..., Made]:
    """Register the maker of the artifact in its return annotation."""
    returned = typing.get_type_hints(function)["return"]
    arms = typing.get_args(returned) or (returned,)
    kind = next(arm for arm in arms if arm is not Absent)
    _MAKERS[kind] = (function, readings(function))
    return function


@cache
def _load_makers() -> None:
    package = importlib.import_module("findable.artifacts")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)


class Gathered:
    """Artifacts of one capture, made on demand and cached."""

    def __init__(self, capture: Capture) -> None:
        _load_makers()
        self._made: dict[type, Any] = {Capture: capture}

    def get(self, kind: type[Made]) -> Made | Absent:
        """Return the artifact, or why it is absent. A maker that raises is logged and leaves it unknown."""
        if kind not in self._made:
            self._made[kind] = self._make(kind)
        return typing.cast("Made | Absent", self._made[kind])

    def present(self, kind: type[Made]) -> Made | None:
        """Return the artifact, None if it is absent."""
        made = self.get(kind)
        return None if isinstance(made, Absent) else made

    def adopt(self, other: "Gathered", *kinds: type) -> None:
        """Take over artifacts that another one has made of the same response."""
        self._made |= {kind: other.get(kind) for kind in kinds}

    def arguments(self, reads: tuple[Reading, ...]) -> dict[str, Any] | Absent:
        """Return values for those parameters, or the first reason why one is absent."""
        values: dict[str, Any] = {}
        known = self._made
        for reading in reads:
            kind = reading.kind
            made: Any = known[kind] if kind in known else self.get(kind)
            if type(made) is Absent:
                if not reading.optional:
                    return made
                made = None
            values[reading.name] = made
        return values

    def _make(self, kind: type) -> Any:
        if kind not in _MAKERS:
            msg = f"nothing makes the artifact {kind.__name__}"
            raise LookupError(msg)
        maker, reads = _MAKERS[kind]
        values = self.arguments(reads)
        if isinstance(values, Absent):
            return values
        try:
            return maker(**values)
        except Exception:
            log.exception("artifact_failed", extra={"artifact": kind.__name__})
            return Absent("our analysis of {part} stopped on this page", Verdict.UNKNOWN, {"part": kind.__name__})


def gather(capture: Capture) -> Gathered:
    """Return the artifacts of a capture, each made on first use."""
    return Gathered(capture)
