"""Tests of reports, and reports as their JSON has them."""

import json
from typing import Any

import msgspec

from findable.artifacts.registry import Artifacts
from findable.export.report_json import command_report
from findable.reports.facts import facts_of
from findable.reports.report import Report, canonical


def facts_json(artifacts: Artifacts) -> dict[str, Any]:
    """The facts as their JSON has them."""
    found: dict[str, Any] = json.loads(msgspec.json.encode(facts_of(artifacts)))
    return found


def report_json(report: Report) -> dict[str, Any]:
    """The report as the command line prints it."""
    found: dict[str, Any] = json.loads(canonical(command_report(report)))
    return found
