"""Run Findable and Lighthouse on one page with the same browser.

Needs Lighthouse in LIGHTHOUSE_HOME (``npm install lighthouse@13``) and a Chromium at CHROME_PATH.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from findable.artifacts.registry import Artifacts, gather
from findable.capture.saved import load

CHROME = os.environ.get("CHROME_PATH", "/usr/bin/chromium-headless-shell")
HOME = Path(os.environ.get("LIGHTHOUSE_HOME", "."))
LIMIT_S = 120


def gather_command(url: str, browser: str, *options: str) -> Sequence[str]:
    """Return the command that prints a saved page, made with the browser in that mode."""
    return [sys.executable, "-m", "findable", "gather", "--browser", browser, *options, url]


def lighthouse_command(url: str, result: Path, *options: str) -> Sequence[str]:
    """Return the command that writes Lighthouse's result as JSON."""
    program = str(HOME / "node_modules/lighthouse/cli/index.js")
    return ["node", program, url, *options, "--output=json", f"--output-path={result}", "--quiet", "--chrome-flags=--headless --no-sandbox"]


def run(command: Sequence[str], saved_page: Path | None = None) -> None:
    """Run a command and save what it prints, if anything is to be saved; one that does not end within LIMIT_S prints nothing more."""
    environment = os.environ | {"FINDABLE_BROWSER": CHROME, "CHROME_PATH": CHROME}
    try:
        done = subprocess.run(command, capture_output=True, env=environment, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return
    if saved_page:
        saved_page.write_bytes(done.stdout)


def artifacts(saved_page: Path) -> Artifacts | None:
    """Return what Findable gathers of the page, or None if it was not loaded."""
    data = saved_page.read_bytes() if saved_page.exists() else b""
    return gather(*load(data).roots) if data else None
