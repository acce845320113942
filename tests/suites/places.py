"""Test data of others, which `make setup-tools` fetches (tools/external/suites.json), and the differences that are declared."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from tests.external import FOLDER, missing

SUITES = Path(os.environ.get("SUITES", FOLDER / "suites"))
DECLARED = Path(__file__).parent / "differences.json"
"""The only list of accepted differences: a reason for each case of each suite."""


def suite(name: str) -> Path:
    """Return the folder of a suite; the test fails in `make test-full` if it was not fetched."""
    place = SUITES / name
    return place if (place / ".revision").exists() else missing(f"the suite {name}")


def declared(name: str) -> set[str]:
    """Return the cases of a suite that differ for a declared reason."""
    reasons: Mapping[str, Mapping[str, str]] = json.loads(DECLARED.read_text(encoding="utf-8"))
    return set(reasons[name])
