"""Tests of reports, and reports as their JSON has them."""

import json
from typing import Any

import msgspec

from findable.artifacts.registry import Gathered
from findable.reports.facts import facts_of


def facts_json(gathered: Gathered) -> dict[str, Any]:
    """The facts as their JSON has them."""
    found: dict[str, Any] = json.loads(msgspec.json.encode(facts_of(gathered)))
    return found
