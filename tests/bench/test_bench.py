"""What is measured can be measured: the numbers themselves are not judged."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_analysis_of_the_demonstration_is_measured() -> None:
    told = subprocess.run(
        [sys.executable, "bench/run.py", "analysis", "--rounds", "1"], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )

    assert told.returncode == 0, told.stderr
    measured = json.loads(told.stdout)["analysis"]
    assert measured["pages"] > 5
    assert 0 < measured["parse_ms"]["median"] < measured["checked_ms"]["median"]
    assert len(measured["most_expensive_checks"]) == 10
