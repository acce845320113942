"""Take the pictures of docs/images/ with headless Chromium: ``make screenshots``.

Starts the demonstration with a data directory of its own, waits for its reports and takes the share page of one, light and dark.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs/images"
BROWSERS = ("chromium", "chromium-headless-shell", "google-chrome")
WIDTH_PX, HEIGHT_PX = 1100, 1000
SCHEMES = {"light": 1, "dark": 0}
"""Blink's numbers of preferred colour schemes."""
PICTURED = "visit"
"""The page of the demonstration whose report is shown: it has something to say."""
PORT = "8090"
PATIENCE_S = 120


def main() -> int:
    """0 taken · 1 there is no browser, or the demonstration did not start."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        print("no browser was found. On Debian: apt-get install chromium", file=sys.stderr)
        return 1
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"FINDABLE_DATA_DIR": folder, "FINDABLE_PORT": PORT}
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "findable.demo"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )
        alarm = threading.Timer(PATIENCE_S, process.kill)
        alarm.start()
        try:
            address = report_address(process)
            if address is None:
                print("the demonstration did not name a report", file=sys.stderr)
                return 1
            for name, scheme in SCHEMES.items():
                picture(browser, address, IMAGES / f"report-{name}.png", scheme)
        finally:
            alarm.cancel()
            process.send_signal(signal.SIGINT)
            process.wait(30)
    return 0


def report_address(process: "subprocess.Popen[str]") -> str | None:
    """The address that the demonstration prints below the page's name, read when it has said everything."""
    said = ""
    for line in process.stdout or ():
        said += line
        if "Ctrl-C" in line:
            break
    found = re.search(rf"/{PICTURED},.*?(http\S+/r/\S+)", said, re.DOTALL)
    return found[1] if found else None


def picture(browser: str, address: str, path: Path, scheme: int) -> None:
    """One picture of the top of the page."""
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        f"--blink-settings=preferredColorScheme={scheme}",
        f"--window-size={WIDTH_PX},{HEIGHT_PX}",
        f"--screenshot={path}",
    ]
    subprocess.run([browser, *options, address], check=True, capture_output=True, timeout=PATIENCE_S)
    print(path.relative_to(ROOT))


if __name__ == "__main__":
    sys.exit(main())
