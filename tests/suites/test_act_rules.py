"""Test cases of the W3C ACT rules for the checks that judge the same."""

import json

import pytest

from tests.checks.harness import findings
from tests.suites.places import declared, suite

NAME = "wcag-act-rules"
RULES = {
    "23a2a8": ("image-alt",),  # image has non-empty accessible name
    "59796f": ("image-alt", "control-names"),  # image button …
    "97a4e1": ("image-alt", "control-names"),  # button …
    "c487ae": ("image-alt", "control-names"),  # link …
    "e086e5": ("control-names",),  # form field …
    "cae760": ("iframe-title",),
    "ffd0e9": ("h1-present",),  # heading …
    "2779a5": ("title-present",),
    "b5c3f8": ("html-lang",),  # page has lang attribute
    "bf051a": ("html-lang",),  # … with a valid language tag
    "ucwvc8": ("language-match",),
    "bc659a": ("redirect-kind",),  # no refresh delay
    "bisz58": ("redirect-kind",),  # … without exception
    "b4f0c3": ("viewport-zoom",),
}
"""Checks that have to warn or fail on the failed examples of a rule, and on no other example."""
COUNT = 204
FOLDER = "content-assets/wcag-act-rules"


@pytest.mark.full
def test_findings_agree_with_act_rules_or_the_difference_is_declared() -> None:
    folder = suite(NAME) / FOLDER
    cases = json.loads((folder / "testcases.json").read_bytes())["testcases"]
    cases = [case for case in cases if case["ruleId"] in RULES and case["relativePath"].endswith(".html")]
    different = set()
    for case in cases:
        found = findings((folder / case["relativePath"]).read_bytes(), url=f"https://www.w3.org/WAI/{FOLDER}/{case['relativePath']}")
        verdicts = {found[check].verdict.value for check in RULES[case["ruleId"]]}
        if (case["expected"] == "failed") == verdicts.isdisjoint({"failed", "warned"}):
            different.add(f"{case['ruleId']} {case['testcaseTitle']}")
    assert len(cases) == COUNT
    assert different == declared(NAME)
