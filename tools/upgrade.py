"""Test the upgrade of an earlier release's database: ``python tools/upgrade.py [--from REVISION] [--findable COMMAND]``.

The earlier release is set up in a worktree and serves its demonstration; then this release serves the same data directory. What the
API returned before must not change: the reports with their ratings and findings, and the projects; the API key must stay valid. Without
--from the earlier release is the last tag. If there is none, a message says so, and the test passes.
"""

import argparse
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TIMEOUT_S = 120
COMPARED = ("id", "public_id", "url", "project", "status", "result", "score", "privacy", "created_at", "generated_at")


def last_tag() -> str:
    """Return the newest tag in the history of this commit; empty if there is none."""
    tags = _run("git", "tag", "--merged", "HEAD", "--sort", "-version:refname", "--list", "[0-9]*", "v[0-9]*", cwd=ROOT)
    return next(iter(tags.split()), "")


@contextmanager
def worktree(revision: str) -> Iterator[Path]:
    """Set up that revision in a worktree, which is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "earlier"
        _run("git", "worktree", "add", "--quiet", "--detach", str(place), revision, cwd=ROOT)
        try:
            _run("make", "setup", cwd=place)
            yield place
        finally:
            _run("git", "worktree", "remove", "--force", str(place), cwd=ROOT)


def _run(*command: str, cwd: Path) -> str:
    """Run a command and return its standard output. Raises SystemExit if it fails."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


@contextmanager
def run_service(command: Sequence[str | Path], data: Path, until: str) -> Iterator[tuple[int, str]]:
    """Start a service, wait until it is ready, and yield its port and output. Raises SystemExit if it ends before."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FINDABLE_", "PYTHON"))}
    environment = kept | {"FINDABLE_DATA_DIR": str(data), "FINDABLE_PORT": str(port), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [str(part) for part in command], cwd=data, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    alarm = threading.Timer(TIMEOUT_S, process.kill)
    alarm.start()
    try:
        printed = ""
        for line in process.stdout or ():
            printed += line
            if until in line:
                break
        else:
            raise SystemExit(f"{command[0]} did not start:\n{printed}")
        yield port, printed
    finally:
        alarm.cancel()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT_S)


def api_data(port: int, key: str) -> dict[str, Any]:
    """Return the data of every report, with findings by key, and of every project from the API."""
    reports = [_get(port, key, f"/reports/{report['id']}") for report in _get(port, key, "/reports?sort=asc&per_page=100")]
    return {
        "projects": [project["project"] for project in _get(port, key, "/projects?per_page=100")],
        "reports": [_reduced(report) for report in reports],
    }


def _reduced(report: Mapping[str, Any]) -> dict[str, Any]:
    return {name: report[name] for name in COMPARED} | {"findings": {item["key"]: item["verdict"] for item in report["results"]}}


def _get(port: int, key: str, path: str) -> Any:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
    connection.request("GET", f"/api/v1{path}", headers={"Authorization": f"Bearer {key}"})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    if response.status != http.HTTPStatus.OK:
        raise SystemExit(f"GET {path} returned {response.status}: {body.decode(errors='replace')[:500]}")
    return json.loads(body)["data"]


def upgrade(revision: str, findable: Sequence[str | Path]) -> str:
    """Upgrade the database of a revision and return a summary of the comparison. Raises SystemExit if data is lost."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        with (
            worktree(revision) as earlier,
            run_service([earlier / ".venv/bin/python", "-m", "findable.demo"], data, "Ctrl-C stops") as (port, printed),
        ):
            found = re.search(r"API key:\s+(\S+)", printed)
            if found is None:
                raise SystemExit(f"{revision} printed no API key:\n{printed}")
            before = api_data(port, found[1])
        with run_service([*findable, "serve"], data, "is ready at") as (port, _):
            after = api_data(port, found[1])
    if not before["reports"]:
        raise SystemExit(f"{revision} made no reports")
    if before != after:
        raise SystemExit(f"the upgrade from {revision} changed what the API tells:\n{json.dumps(before)}\n{json.dumps(after)}")
    findings_count = sum(len(report["findings"]) for report in before["reports"])
    return f"upgrade from {revision}: {len(before['reports'])} reports with {findings_count} findings are the same"


def main(arguments: Sequence[str]) -> int:
    """Test the upgrade; return 0 if it works or there is no earlier release."""
    parser = argparse.ArgumentParser(description="Open the database of an earlier release with this one.")
    parser.add_argument("--from", dest="revision", default="", help="the earlier release; else the last tag")
    parser.add_argument("--findable", type=Path, default=Path(sys.executable).with_name("findable"), help="the command of this release")
    given = parser.parse_args(arguments)
    revision = given.revision or last_tag()
    print(upgrade(revision, [given.findable]) if revision else "no earlier release is tagged: nothing to upgrade from")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
