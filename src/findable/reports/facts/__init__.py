"""What the page is, besides findings: one module a theme, each adding its own top-level keys to `facts`.

Every list is capped and says how many were left out.
"""

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from typing import Any

from findable.artifacts.registry import Gathered


def facts_of(gathered: Gathered) -> dict[str, Any]:
    """All facts of a page, JSON-ready and bounded."""
    merged: dict[str, Any] = {}
    for facts in _themes():
        merged.update(facts(gathered))
    return merged


@cache
def _themes() -> tuple[Callable[[Gathered], dict[str, Any]], ...]:
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(importlib.import_module(f"{__name__}.{name}").facts for name in names)
