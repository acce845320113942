"""What a fault is: one thing done to a page or its site, and what the report must say of it, no more and no less."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.mutations.draft import Draft
from tests.mutations.world import NAMES

Change = Callable[[Draft], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """``finds`` maps check ids to their new verdicts; what depends on one of them by declaration may become inapplicable."""

    name: str
    change: Change
    finds: Mapping[str, str]
    notes: tuple[str, ...] = ()
    """Checks that only tell (info): their message must change, the verdict stays."""
    pages: tuple[str, ...] = NAMES
    opens: tuple[str, ...] = ()
    """Checks whose question the fault's own markup or answer raises: they may change from inapplicable to passed."""
    closes: tuple[str, ...] = ()
    """Checks whose question does not arise any more, besides dependents by declaration: they may become inapplicable."""
    hides_page: bool = False
    """The page is not seen any more: whatever reads it becomes inapplicable or unknown."""


SOME = ("company", "docs", "product", "tea")
"""Where ten times a large page would only cost time."""

FAULTS: dict[str, Fault] = {}


def fault(
    finds: Mapping[str, str] | None = None,
    *,
    notes: Sequence[str] = (),
    pages: Sequence[str] = NAMES,
    opens: Sequence[str] = (),
    closes: Sequence[str] = (),
    hides_page: bool = False,
) -> Callable[[Change], Change]:
    """Registers a function as a fault; its name says what is done."""

    def register(change: Change) -> Change:
        name = change.__name__.replace("_", " ")
        assert name not in FAULTS, name
        assert set(pages) <= set(NAMES), pages
        FAULTS[name] = Fault(name, change, dict(finds or {}), tuple(notes), tuple(pages), tuple(opens), tuple(closes), hides_page)
        return change

    return register


def but(*names: str) -> tuple[str, ...]:
    """All but some of the ten pages."""
    assert set(names) <= set(NAMES), names
    return tuple(name for name in NAMES if name not in names)
