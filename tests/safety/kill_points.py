"""Makes a report again and again and is killed at the first, second, third … statement, then makes it with the same key once more.

    python tests/safety/kill_points.py DATA_DIR ACCOUNT_ID

Prints one JSON line per round: where it was killed, how many reports there were after the kill and after the retry.
"""

import json
import os
import signal
import sqlite3
import sys
from pathlib import Path

from sqlalchemy import event

from findable.service.reports import reports
from findable.service.runtime.idempotency import IdempotencyKey
from findable.service.runtime.service import Service
from findable.service.values.caller import SCOPES, Caller
from findable.service.values.report_values import NewReport
from tests.service import samples

ENDED = 0


def main() -> None:
    data_dir, account_id = Path(sys.argv[1]), int(sys.argv[2])
    for point in range(1, 100):
        killed = in_a_child(data_dir, account_id, point)
        after_kill = count(data_dir, point)
        assert not in_a_child(data_dir, account_id, point, retry=True)
        sys.stdout.write(json.dumps([point, killed, after_kill, count(data_dir, point)]) + "\n")
        if not killed:
            return


def in_a_child(data_dir: Path, account_id: int, point: int, *, retry: bool = False) -> bool:
    """Whether it was killed before it ended."""
    child = os.fork()
    if child == 0:
        create(data_dir, account_id, point, kill_at=0 if retry else point)
        os._exit(ENDED)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def create(data_dir: Path, account_id: int, point: int, kill_at: int) -> None:
    service = Service.open(samples.settings(data_dir), exclusive=True)
    told = 0

    def killed_here() -> None:
        nonlocal told
        told += 1
        if told == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    engine = service.store._writer  # type: ignore[attr-defined]  # of the two stores, the one on SQLite
    for moment in ("before_cursor_execute", "after_cursor_execute", "commit"):
        event.listen(engine, moment, lambda *_, **__: killed_here())
    caller = Caller(account_id, 1, 1, SCOPES)
    created = reports.create(service, caller, NewReport(f"https://example.com/{point}"), IdempotencyKey(f"key{point}", "digest"))
    killed_here()  # accepted, and not yet said
    with (data_dir / "said").open("a") as file:
        file.write(f"{point} {created.report.id}\n")


def count(data_dir: Path, point: int) -> int:
    # Read-only: closing another last connection would empty and remove the log, which the next start would miss.
    connection = sqlite3.connect(f"{(data_dir / 'findable.db').as_uri()}?mode=ro", uri=True)
    query = "SELECT (SELECT count(*) FROM report WHERE url = :url), (SELECT count(*) FROM job j JOIN report r ON r.id = j.report_id WHERE url = :url)"
    of_reports, of_jobs = connection.execute(query, {"url": f"https://example.com/{point}"}).fetchone()
    connection.close()
    assert of_reports == of_jobs
    return int(of_reports)


if __name__ == "__main__":
    main()
