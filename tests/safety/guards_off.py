"""A plugin of pytest that disables the guard named by GUARD_OFF: ``GUARD_OFF=csv pytest -p tests.safety.guards_off …``."""

import importlib
import os
import sys
from typing import Any

import pytest

from tests.safety.guards import GUARDS, Replacement

VARIABLE = "GUARD_OFF"


def switch_off(place: str, replacement: Replacement) -> None:
    """Puts the replacement wherever the original stands, under whatever name a module has imported it."""
    module, _, path = place.partition(":")
    owner: Any = importlib.import_module(module)
    *classes, name = path.split(".")
    for part in classes:
        owner = getattr(owner, part)
    original = getattr(owner, name)
    instead = replacement(original)
    setattr(owner, name, instead)
    if classes or not callable(original):
        return
    for other in [module for known, module in sys.modules.items() if known.startswith(("findable", "tests"))]:
        for alias, value in list(vars(other).items()):
            if value is original:
                setattr(other, alias, instead)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Once every test is imported, and what it imports with it."""
    guard = os.environ.get(VARIABLE)
    for place, replacement in GUARDS[guard].instead if guard else ():
        switch_off(place, replacement)
