"""Runs the command as a user does: in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.prepared import prepared
from tests.sites.plugin import make_site, site

__all__ = ["make_site", "site"]

Run = Callable[..., subprocess.CompletedProcess[str]]
PATIENCE_S = 90


@pytest.fixture
def findable(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """``findable("audit", url)``; no terminal, an empty data directory, nothing of the caller's settings, and crawls without a browser.

    Where the environment says how Python starts (``PYTHON…``), Python starts anew. What is no UTF-8, like Parquet, is in surrogates.
    """
    files = tmp_path_factory.mktemp("run")

    def run(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FINDABLE_")}
        alone = {"FINDABLE_BROWSER": "none"} if arguments[:1] == ("crawl",) and "--render" not in arguments else {}
        given = {**kept, "FINDABLE_DATA_DIR": str(tmp_path / "data"), "COLUMNS": "80", **alone, **environment}
        if any(name.startswith("PYTHON") for name in environment):
            command = [sys.executable, "-m", "findable", *arguments]
            return subprocess.run(
                command, input=stdin, capture_output=True, text=True, timeout=PATIENCE_S, cwd=tmp_path, env=given, check=False
            )
        asked, said, complained = (files / name for name in ("in", "out", "err"))
        asked.write_text(stdin)
        said.write_bytes(b"")
        complained.write_bytes(b"")
        code = prepared().run(arguments, given, tmp_path, (asked, said, complained), PATIENCE_S)
        return subprocess.CompletedProcess(arguments, code, said.read_text(errors="surrogateescape"), complained.read_text())

    return run
