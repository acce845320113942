"""Create artifacts, the facts derived from roots; each is created once, on first use.

An artifact is a frozen value and one function that makes it, registered by `@artifact`. The function's parameters declare
its inputs (other artifacts, or a root), its return type the artifact. If a fact does not exist or could
not be measured, it returns `Absent(reason)`; everything that requires it becomes inapplicable or unknown.

The sources that an artifact or a check needs, and its subject (page or site), follow from the roots that its
required parameters are derived from.
"""

import logging
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, TypeVar

from msgspec import Struct, field

from findable.capture.root import ROOTS
from findable.values import import_modules_of
from findable.vocabulary import Source, Subject, Verdict

log = logging.getLogger("findable.artifacts")

Made = TypeVar("Made")


class Absent(Struct, frozen=True):
    """Reason why an artifact is absent: a message template with ``params``, as in a finding."""

    reason: str
    verdict: Verdict = Verdict.INAPPLICABLE
    """INAPPLICABLE if the question does not arise, UNKNOWN if it could not be measured."""
    params: Mapping[str, Any] = field(default_factory=dict)
    missing: Source | None = None
    """Source that was not used, if the root is missing for that reason."""


class Parameter(Struct, frozen=True):
    """One parameter of a maker or a check: the artifact type, and whether it is optional."""

    name: str
    kind: type
    optional: bool
    takes_reason: bool = False
    """Whether the parameter receives the `Absent` of a missing artifact instead of None."""


_MAKERS: dict[type, tuple[Callable[..., Any], tuple[Parameter, ...]]] = {}


def parameters_of(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Return the artifacts that a function takes; ``X | None`` is optional, and so is ``X | Absent``, which receives the reason."""
    result = []
    for name, hint in _hints(function).items():
        if name == "return":
            continue
        arms = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
        kinds = [arm for arm in arms if arm is not type(None) and arm is not Absent]
        result.append(Parameter(name, kinds[0], optional=len(kinds) < len(arms), takes_reason=Absent in arms))
    return tuple(result)


def _hints(function: Callable[..., Any]) -> Mapping[str, Any]:
    """Return the annotations of a function. Only those that are written as text are evaluated, which takes ten times as long."""
    hints = function.__annotations__
    return typing.get_type_hints(function) if any(isinstance(hint, str) for hint in hints.values()) else hints


def artifact(function: Callable[..., Made]) -> Callable[..., Made]:
    """Register the maker of the artifact in its return annotation."""
    returned = _hints(function)["return"]
    arms = typing.get_args(returned) or (returned,)
    kind = next(arm for arm in arms if arm is not Absent)
    _MAKERS[kind] = (function, parameters_of(function))
    return function


@cache
def _load_makers() -> None:
    import_modules_of("findable.artifacts")


@cache
def roots_of(kind: type) -> frozenset[type]:
    """Return the roots that an artifact requires."""
    if kind in ROOTS:
        return frozenset({kind})
    return frozenset().union(*(roots_of(reading.kind) for reading in _maker_of(kind)[1] if not reading.optional))


@cache
def ancestors_of(kind: type) -> frozenset[type]:
    """Return all artifacts and roots that an artifact is derived from, required or not, including itself."""
    reads = () if kind in ROOTS else _maker_of(kind)[1]
    return frozenset({kind}).union(*(ancestors_of(reading.kind) for reading in reads))


def _maker_of(kind: type) -> tuple[Callable[..., Any], tuple[Parameter, ...]]:
    """Return the function that makes an artifact, and its parameters."""
    _load_makers()
    if kind not in _MAKERS:
        raise LookupError(f"nothing makes the artifact {kind.__name__}")
    return _MAKERS[kind]


def _required_roots(reads: Iterable[Parameter]) -> frozenset[type]:
    return frozenset().union(*(roots_of(reading.kind) for reading in reads if not reading.optional))


def sources_of(reads: Iterable[Parameter]) -> frozenset[Source]:
    """Return the sources that a function with these parameters requires."""
    return frozenset(ROOTS[root].source for root in _required_roots(reads))


def subject_of(reads: Iterable[Parameter]) -> Subject:
    """Return the subject of a function with these parameters: the site if nothing that it requires belongs to one page."""
    roots = _required_roots(reads)
    return Subject.SITE if roots and all(ROOTS[root].subject is Subject.SITE for root in roots) else Subject.PAGE


class Artifacts:
    """Artifacts that are made from roots on demand, and cached.

    Args:
        roots: at most one of each kind; None for one that is missing.
    """

    def __init__(self, *roots: object | None) -> None:
        _load_makers()
        self._made: dict[type, Any] = {type(root): root for root in roots if root is not None}
        self.sources = frozenset(ROOTS[kind].source for kind in self._made)
        """Sources of the roots."""

    def get(self, kind: type[Made]) -> Made | Absent:
        """Return the artifact, or the reason why it is absent. An exception in its maker is logged, and the artifact is unknown."""
        made: Made | Absent | None = self._made.get(kind)
        if made is None:
            made = self._made[kind] = self._make(kind)
        return made

    def get_or_none(self, kind: type[Made]) -> Made | None:
        """Return the artifact, None if it is absent."""
        made = self.get(kind)
        return None if isinstance(made, Absent) else made

    def adopt(self, other: "Artifacts", *kinds: type) -> None:
        """Reuse artifacts that another object has made from the same response."""
        self._made |= {kind: other.get(kind) for kind in kinds}

    def put(self, *artifacts: object) -> None:
        """Add artifacts that were not made from the roots but from the data of a crawl."""
        self._made |= {type(made): made for made in artifacts}

    def leave_out(self, reason: Absent, *kinds: type) -> None:
        """Declare artifacts absent for a reason that is not visible in their roots."""
        self._made |= dict.fromkeys(kinds, reason)

    def arguments(self, reads: tuple[Parameter, ...]) -> dict[str, Any] | Absent:
        """Return the values of parameters, or the first `Absent` of a required parameter."""
        values: dict[str, Any] = {}
        known = self._made
        for reading in reads:
            kind = reading.kind
            made: Any = known[kind] if kind in known else self.get(kind)
            if type(made) is Absent:
                if not reading.optional:
                    return made
                made = made if reading.takes_reason else None
            values[reading.name] = made
        return values

    def _make(self, kind: type) -> Any:
        if kind in ROOTS:
            return Absent(ROOTS[kind].without, missing=ROOTS[kind].source)
        maker, reads = _maker_of(kind)
        values = self.arguments(reads)
        if isinstance(values, Absent):
            return values
        try:
            return maker(**values)
        except Exception:
            log.exception("artifact_failed", extra={"artifact": kind.__name__})
            return Absent("the analysis of {part} failed on this page", Verdict.UNKNOWN, {"part": kind.__name__})


def gather(*roots: object | None) -> Artifacts:
    """Return the artifacts of these roots; each is made on first use."""
    return Artifacts(*roots)
