"""Programs from outside that some tests run. `make setup-tools` installs them; a test never downloads anything.

Where one is missing, `make test` skips the test and names the program; in `make test-full` the test fails.
"""

import shutil
from pathlib import Path
from typing import NoReturn

import pytest

from tests.tiers import FULL

FOLDER = Path(__file__).resolve().parents[1] / ".tools"
PLACES = (FOLDER / "node_modules" / ".bin", FOLDER / "python" / "bin")


def path_of(name: str) -> Path | None:
    """Return the path of a program: one that `make setup-tools` installed, else one on the PATH."""
    for place in PLACES:
        if (place / name).exists():
            return place / name
    found = shutil.which(name)
    return Path(found) if found else None


def missing(what: str) -> NoReturn:
    """Skip the test, or fail it in `make test-full`, because ``what`` is not installed."""
    reason = f"{what} is missing: make setup-tools"
    if FULL:
        pytest.fail(reason)
    pytest.skip(reason)


def program(name: str) -> Path:
    """Return the path of a program that the test runs."""
    return path_of(name) or missing(name)


def needs(*names: str) -> pytest.MarkDecorator:
    """Return the mark of a test that runs these programs. In `make test-full` the test runs, and fails where one is missing."""
    absent = [name for name in names if path_of(name) is None]
    return pytest.mark.skipif(bool(absent) and not FULL, reason=f"{', '.join(absent)} missing: make setup-tools")
