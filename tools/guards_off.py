"""Show that each test of a guard is red once the guard is disabled: part of `make test-full`; NAMES=csv,ports for some of them.

For every guard of tests/safety/guards.py its tests run in a process in which the guard does nothing. A test that stays green proves
nothing, one that was not found or did not end in time neither: each is named, the others go on, and the exit code is 1 at the end.
DEADLINE_S=600 gives each guard that much time on a busy machine, PARALLEL=4 tries so many at once.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from xml.etree import ElementTree as ET

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.safety.guards import GUARDS, Guard  # noqa: E402 - the path comes first
from tests.safety.guards_off import VARIABLE  # noqa: E402 - after the path is set

DEADLINE_S = float(os.environ.get("DEADLINE_S", "240"))
PARALLEL = int(os.environ.get("PARALLEL", "0")) or os.cpu_count() or 1
LINES_OF_PYTEST = 8
MISFITS = ("TypeError", "AttributeError", "NameError", "ImportError")
"""Errors that say that the replacement does not fit, not that the guard is missed."""


@dataclass(frozen=True)
class Outcome:
    """What came of one guard."""

    name: str
    guard: Guard
    green: Sequence[str]
    """Tests that did not fail."""
    said: str
    seconds: float

    def __str__(self) -> str:
        """One line where every test is red, else the tests that are not, and what pytest said."""
        total = len(self.guard.red)
        first = f"without {self.guard.what}, {total - len(self.green)} of {total} tests fail ({self.seconds:.0f} s)"
        if not self.green:
            return f"red    {self.name}: {first}"
        green = [f"       stays green: {test}" for test in self.green]
        return "\n".join(
            [f"GREEN  {self.name}: {first}", *green, *(f"         {line}" for line in self.said.splitlines()[-LINES_OF_PYTEST:])]
        )


def tried(name: str, guard: Guard) -> Outcome:
    """Runs the tests of the guard without it."""
    began_s = monotonic()
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.xml"
        said = _pytest(name, ["-o", "junit_family=xunit1", f"--junit-xml={results}", *guard.red])
        red = _red(results) if results.exists() else frozenset()
    return Outcome(name, guard, [test for test in guard.red if test not in red], said, monotonic() - began_s)


def _pytest(name: str, arguments: Sequence[str]) -> str:
    """What it said. With its children it is killed at the deadline; there are no results then."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:randomly",
        "-p",
        "tests.safety.guards_off",
        "-m",
        "",
        "--tb=line",
        *arguments,
    ]
    environment = {**os.environ, VARIABLE: name, "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}"}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as process:
        try:
            return process.communicate(timeout=DEADLINE_S)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return f"{process.communicate()[0]}\nnot ended after {DEADLINE_S:.0f} s; DEADLINE_S gives it more"


def _red(results: Path) -> frozenset[str]:
    """The tests, without their cases, that failed because the guard is missed."""
    cases = ET.parse(results).iter("testcase")  # noqa: S314 - written by pytest a moment ago
    return frozenset(f"{case.get('file')}::{str(case.get('name')).partition('[')[0]}" for case in cases if _is_red(case))


def _is_red(case: ET.Element) -> bool:
    failure = case.find("failure")
    return failure is not None and not str(failure.get("message")).startswith(MISFITS)


def main(names: Sequence[str]) -> int:
    """Exits 1 where a test stays green, is not found or does not end."""
    unknown = set(names) - set(GUARDS)
    if unknown:
        sys.exit(f"no such guard: {', '.join(sorted(unknown))}; there are {', '.join(GUARDS)}")
    began_s = monotonic()
    chosen = {name: guard for name, guard in GUARDS.items() if not names or name in names}
    missed = []
    with ThreadPoolExecutor(PARALLEL) as pool:
        for outcome in pool.map(tried, chosen, chosen.values()):
            print(outcome, flush=True)
            if outcome.green:
                missed.append(outcome.name)
    tests_count = sum(len(guard.red) for guard in chosen.values())
    print(f"{len(chosen) - len(missed)} of {len(chosen)} guards, {tests_count} tests, {monotonic() - began_s:.0f} s")
    if missed:
        print(f"not shown: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main([name for argument in sys.argv[1:] for name in argument.split(",") if name]))
