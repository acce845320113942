"""What `make test` leaves to `make test-full`. CONTRIBUTING.md says what belongs where.

Tests marked `full` run in `make test-full` only, tests marked `endurance` in `make endurance` only; pyproject.toml deselects both.
"""

import os
from collections.abc import Iterable
from typing import Any

import pytest

FULL = os.environ.get("TIER") == "full"
"""Whether this is `make test-full`: missing programs are failures, and tests that try a sample try everything."""


def sampled(values: Iterable[Any], count: int = 1) -> list[Any]:
    """Return values for `parametrize`: the first ``count`` of them for `make test`, the others marked `full`."""
    return [value if place < count else pytest.param(value, marks=pytest.mark.full) for place, value in enumerate(values)]
