"""Outcomes of http-status."""

import pytest

from tests.checks.harness import page, verdict


@pytest.mark.parametrize(
    ("status", "expected"), [(200, "passed"), (203, "warned"), (404, "failed"), (410, "failed"), (500, "failed"), (503, "failed")]
)
def test_outcome(status: int, expected: str) -> None:
    assert verdict("http-status", page(), status=status) == expected
