"""The same saved page gives the same report, byte for byte, whatever the order of hashes."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from findable.capture.saved import dump, load
from findable.reports.analysis import analyse
from tests.mutations.world import NAMES, captured, site

ROOT = Path(__file__).parents[2]
PRINT_DIGESTS = "from tests.mutations.test_determinism import digests; print(' '.join(digests()))"


def digests() -> list[str]:
    """SHA-256 of each page's analysis, after the page was saved and read again."""
    saved = (dump(captured(site(name).html, site(name).keywords)) for name in NAMES)
    return [hashlib.sha256(analyse(load(data)).to_bytes()).hexdigest() for data in saved]


def test_two_reports_of_one_page_are_the_same_bytes() -> None:
    assert digests() == digests()


def test_the_order_of_hashes_does_not_show() -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PRINT_DIGESTS],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "20261101")
    ]

    printed = [process.communicate(timeout=60)[0].split() for process in processes]

    assert printed == [digests()] * len(processes)
