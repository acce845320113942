"""Record the results of the product, and compare two records.

    python -m research.compare pages FOLDER
    python -m research.compare record PAGES… --output new.json
    python -m research.compare diff old.json new.json --expected expected.txt

research/README.md describes the comparison of two revisions.
"""

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from research.compare import drafts, reports, routes
from research.compare.differences import Expected, changes


def main() -> int:
    """Write a record, or print differences; return 1 if there are unexpected differences, else 0."""
    parser = argparse.ArgumentParser(prog="python -m research.compare", description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(required=True)
    pages = commands.add_parser("pages", help="write the pages of the demonstration and of the tests, to be recorded")
    pages.add_argument("folder", type=Path)
    pages.set_defaults(run=_pages)
    record = commands.add_parser("record", help="write a record")
    record.add_argument("pages", type=Path, nargs="*", help="folders with *.html, *.html.gz, and saved pages as *.json, *.json.gz")
    record.add_argument("--output", "-o", type=Path, required=True)
    record.add_argument("--no-routes", action="store_true", help="pages only; starts no service")
    record.set_defaults(run=_record)
    diff = commands.add_parser("diff", help="compare two records")
    diff.add_argument("old", type=Path)
    diff.add_argument("new", type=Path)
    diff.add_argument("--expected", type=Path, action="append", default=[], help="file of changes made on purpose; may be repeated")
    diff.add_argument("--examples", type=int, default=3, help="how many of each group are shown")
    diff.set_defaults(run=_diff)
    given = parser.parse_args()
    code: int = given.run(given)
    return code


def _pages(given: argparse.Namespace) -> int:
    drafts.write(given.folder)
    return 0


def _record(given: argparse.Namespace) -> int:
    made: dict[str, Any] = {"pages": reports.recorded(given.pages)}
    if not given.no_routes:
        made["routes"] = routes.recorded()
    given.output.write_text(json.dumps(made, ensure_ascii=False, separators=(",", ":"), sort_keys=True), encoding="utf-8")
    print(f"{len(made['pages'])} pages, {len(made.get('routes', ()))} requests → {given.output}")
    return 0


def _diff(given: argparse.Namespace) -> int:
    old, new = (json.loads(path.read_text(encoding="utf-8")) for path in (given.old, given.new))
    expected = Expected("\n".join(path.read_text(encoding="utf-8") for path in given.expected))
    groups: dict[str, list[str]] = defaultdict(list)
    covered = 0
    for group, place, values in changes(old, new):
        if expected.covers(group, place):
            covered += 1
        else:
            groups[group].append(f"{place}: {values}" if values else place)
    for group, places in sorted(groups.items()):
        print(f"{len(places):>5} × {group}")
        for place in places[: given.examples]:
            print(f"          {place}")
    for rule in expected.unused:
        print(f"expected and not met: {rule}")
    print(f"{sum(map(len, groups.values()))} differences in {len(groups)} groups; {covered} more were expected")
    return 1 if groups else 0


if __name__ == "__main__":
    sys.exit(main())
