"""Verify that the tests of each guard fail once it is disabled: part of `make test-full`; NAMES=csv,ports selects some guards.

The tests of every guard in tests/safety/guards.py run in a process in which the guard does nothing. A test that still passes proves
nothing, and neither does one that was not found or did not end in time: each is named, and the exit code is 1.
DEADLINE_S=600 sets the time per guard for a busy machine, PARALLEL=4 the number of concurrent runs.
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
"""Errors that mean that the replacement does not fit, not that the guard is missing."""


@dataclass(frozen=True)
class Outcome:
    """Result of one guard."""

    name: str
    guard: Guard
    green: Sequence[str]
    """Tests that still pass."""
    said: str
    seconds: float

    def __str__(self) -> str:
        """Return one line if every test fails, else the tests that pass and the output of pytest."""
        total = len(self.guard.red)
        first = f"without {self.guard.what}, {total - len(self.green)} of {total} tests fail ({self.seconds:.0f} s)"
        if not self.green:
            return f"red    {self.name}: {first}"
        green = [f"       stays green: {test}" for test in self.green]
        return "\n".join(
            [f"GREEN  {self.name}: {first}", *green, *(f"         {line}" for line in self.said.splitlines()[-LINES_OF_PYTEST:])]
        )


def run_without_guard(name: str, guard: Guard) -> Outcome:
    """Run the tests of the guard without it."""
    began_s = monotonic()
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.xml"
        said = _pytest(name, ["-o", "junit_family=xunit1", f"--junit-xml={results}", *guard.red])
        red = _red(results) if results.exists() else frozenset()
    return Outcome(name, guard, [test for test in guard.red if test not in red], said, monotonic() - began_s)


def _pytest(name: str, arguments: Sequence[str]) -> str:
    """Run pytest and return its output. At the deadline it is killed with its children, and there are no results."""
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
    """Return the tests, without their parameters, that failed because the guard is missing."""
    cases = ET.parse(results).iter("testcase")  # noqa: S314 - just written by pytest
    return frozenset(f"{case.get('file')}::{str(case.get('name')).partition('[')[0]}" for case in cases if _is_red(case))


def _is_red(case: ET.Element) -> bool:
    failure = case.find("failure")
    return failure is not None and not str(failure.get("message")).startswith(MISFITS)


def main(names: Sequence[str]) -> int:
    """Return 1 if a test still passes, is not found or does not end, else 0."""
    unknown = set(names) - set(GUARDS)
    if unknown:
        sys.exit(f"no such guard: {', '.join(sorted(unknown))}; there are {', '.join(GUARDS)}")
    began_s = monotonic()
    chosen = {name: guard for name, guard in GUARDS.items() if not names or name in names}
    missed = []
    with ThreadPoolExecutor(PARALLEL) as pool:
        for outcome in pool.map(run_without_guard, chosen, chosen.values()):
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
