"""What the page is, besides findings: one module a theme, each adding its own top-level keys to `facts`.

Every list is capped and says how many were left out.
"""

import importlib
import pkgutil
from typing import Any

from findable.artifacts.gather import Gathered


def facts_of(gathered: Gathered) -> dict[str, Any]:
    """All facts of a page, JSON-ready and bounded."""
    merged: dict[str, Any] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda found: found.name):
        merged.update(importlib.import_module(f"{__name__}.{module.name}").facts(gathered))
    return merged
