"""Measure claims of due schedules among many, on SQLite and, with --postgresql URL, on PostgreSQL: median and maximum of several hundred.

python -m bench.bench_schedules [--schedules 100000] [--postgresql postgresql+psycopg://…]
"""

import argparse
import json
import statistics
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from sqlalchemy import insert

from findable.service.accounts import account_admin
from findable.service.runtime.service import Service
from findable.settings import Settings
from findable.store.schema.site_tables import schedule

DAY_S = 86_400
START = 1_800_000_000
CLAIMED = 20


def measure_claims(database_url: str, folder: Path, schedules: int, claims: int = 300) -> dict[str, Any]:
    """Return the milliseconds of claims that find schedules, and of those that find none."""
    service = Service.open(Settings(data_dir=folder, database_url=database_url))
    try:
        account_admin.create_account(service, "owner@example.com", "")
        with service.store.write() as session:
            project = session.projects.ensure(1, "example.com", START)
            rows = [
                {
                    "account_id": 1, "project_id": project, "what": "reports", "every": "day", "at": "03:00", "time_zone": "UTC",
                    "settings": "{}", "created_at": START, "planned_at": START + number % DAY_S, "due_at": START + number % DAY_S,
                }
                for number in range(schedules)
            ]  # fmt: skip
            connection = session.schedules._connection  # noqa: SLF001 - rows in bulk
            for begin in range(0, schedules, 5000):
                connection.execute(insert(schedule), rows[begin : begin + 5000])
        found: dict[str, list[float]] = {"due": [], "none_due": []}
        for turn in range(claims):
            for name, now in (("due", START + DAY_S), ("none_due", START - 1)):
                began = perf_counter()
                with service.store.write() as session:
                    claimed = session.schedules.claim(now, START + 2 * DAY_S + turn, CLAIMED)
                found[name].append((perf_counter() - began) * 1000)
                assert len(claimed) == (CLAIMED if name == "due" else 0)
        return {name: {"median_ms": round(statistics.median(ms), 2), "longest_ms": round(max(ms), 2)} for name, ms in found.items()}
    finally:
        service.close()


def main() -> None:
    """Print the measurements as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schedules", type=int, default=100_000)
    parser.add_argument("--postgresql", default="")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = {"sqlite": measure_claims(f"sqlite:///{folder}/findable.db", Path(folder), chosen.schedules)}
        if chosen.postgresql:
            found["postgresql"] = measure_claims(chosen.postgresql, Path(folder), chosen.schedules)
    print(json.dumps({"schedules": chosen.schedules, "claimed": CLAIMED, **found}))


if __name__ == "__main__":
    main()
