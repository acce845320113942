"""Makes the saved page of the demonstration report anew: the bakery's neglected page, as if it stood at ORIGIN.

    .venv/bin/python tools/demonstration.py

Only the file is made here; the service judges it with the rules it has (`findable.web.pages.report.demonstration`).
"""

import gzip
import subprocess
import sys
from pathlib import Path

from findable.demo.demo_site import serve_site
from findable.web.pages.report import demonstration

ORIGIN = "https://bakery.example"
ADDRESS = "192.0.2.80"
"""Of documentation (RFC 5737): where the page seems to have come from."""
FILE = Path(demonstration.__file__).with_name(demonstration.FILE)


def main() -> None:
    """Writes the file; the same page gives the same bytes but for its moments."""
    with serve_site() as origin:
        gather = [sys.executable, "-m", "findable", "gather", f"{origin}/visit", "--allow-target", origin.removeprefix("http://")]
        saved = subprocess.run(gather, check=True, capture_output=True, text=True).stdout
    host, _, port = origin.removeprefix("http://").partition(":")
    moved = saved.replace(origin, ORIGIN).replace(f"{host}:{port}", ORIGIN.removeprefix("https://")).replace(host, ADDRESS)
    FILE.write_bytes(gzip.compress(moved.encode(), mtime=0))


if __name__ == "__main__":
    main()
