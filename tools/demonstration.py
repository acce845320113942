"""Regenerate the saved page of the demonstration report: the bakery's neglected page, as if served from ORIGIN.

    .venv/bin/python tools/demonstration.py

This only writes the file; the service checks it with its current rules (`findable.web.pages.report.demonstration`).
"""

import gzip
import subprocess
import sys
from pathlib import Path

from findable.demo.demo_site import serve_site
from findable.web.pages.report import demonstration

ORIGIN = "https://bakery.example"
ADDRESS = "192.0.2.80"
"""IP address for documentation (RFC 5737), from which the page appears to come."""
FILE = Path(demonstration.__file__).with_name(demonstration.FILE)


def main() -> None:
    """Write the file; except for times, the same page gives the same bytes."""
    with serve_site() as origin:
        gather = [sys.executable, "-m", "findable", "gather", f"{origin}/visit", "--allow-target", origin.removeprefix("http://")]
        saved = subprocess.run(gather, check=True, capture_output=True, text=True).stdout
    host, _, port = origin.removeprefix("http://").partition(":")
    moved = saved.replace(origin, ORIGIN).replace(f"{host}:{port}", ORIGIN.removeprefix("https://")).replace(host, ADDRESS)
    FILE.write_bytes(gzip.compress(moved.encode(), mtime=0))


if __name__ == "__main__":
    main()
