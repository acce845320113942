"""The distribution of scores of saved pages is reproducible."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

GOOD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Blue widgets, made to measure</title>'
    '<meta name="viewport" content="width=device-width"></head><body><main><h1>Blue widgets</h1><p>{text}</p></main></body></html>'
)


def test_the_spread_counts_ratings_and_what_pulls_down(tmp_path: Path) -> None:
    good = GOOD.format(text="We make blue widgets to measure. " * 20)
    pages = {
        "one": good,
        "two": good.replace("Blue", "Red"),
        "hidden": good.replace("<title>", '<meta name="robots" content="noindex"><title>'),
    }
    for name, text in {**pages, "tiny": "<title>x</title>"}.items():
        (tmp_path / f"{name}.html.gz").write_bytes(gzip.compress(text.encode()))

    command = [sys.executable, "-m", "research.calibration", str(tmp_path), "--least-bytes", "100", "--format", "json"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)

    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout)
    assert found["pages_count"] == 3
    assert found["ratings"]["bad"] == 1
    assert sum(found["ratings"].values()) == 3
    assert found["held_down_by"] == {"noindex": 1}
    assert "noindex" not in found["pulls"], "it caps the score instead of costing points"
    assert found["pulls"]["meta-description"][1] == 3
