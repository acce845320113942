"""Runs the command as a user does: a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sites.plugin import make_site, site

__all__ = ["make_site", "site"]

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def findable(tmp_path: Path) -> Run:
    """``findable("audit", url)``; no terminal, an empty data directory, nothing of the caller's settings."""

    def run(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FINDABLE_")}
        return subprocess.run(
            [sys.executable, "-m", "findable", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=90,
            cwd=tmp_path,
            env={**kept, "FINDABLE_DATA_DIR": str(tmp_path / "data"), "COLUMNS": "80", **environment},
            check=False,
        )

    return run
