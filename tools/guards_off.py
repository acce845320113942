"""Show that each test of a guard is red once the guard is disabled: ``make test-guards-off``; NAMES=csv,ports for some of them.

For every guard of tests/safety/guards.py its tests run in a process in which the guard does nothing. A test that stays green proves
nothing and is named; the exit code is 1 then.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.safety.guards import GUARDS, Guard  # noqa: E402 - the path comes first
from tests.safety.guards_off import VARIABLE  # noqa: E402

TIMEOUT_S = 300


def failed(name: str, guard: Guard) -> tuple[set[str], str]:
    """The tests, without their cases, that fail while that guard is off; and what pytest said."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "-p", "tests.safety.guards_off", "--tb=line"]
        done = subprocess.run(
            [*command, "-o", "junit_family=xunit1", f"--junit-xml={results}", *guard.red],
            cwd=ROOT,
            env={**os.environ, VARIABLE: name, "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}"},
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        if not results.exists():
            return set(), done.stdout[-2000:] + done.stderr[-2000:]
        cases = ET.parse(results).iter("testcase")  # noqa: S314 - written by pytest a moment ago
        red = {f"{case.get('file')}::{str(case.get('name')).partition('[')[0]}" for case in cases if _is_red(case)}
        return red, done.stdout[-2000:]


def _is_red(case: ET.Element) -> bool:
    """Whether it failed, and not because the replacement does not fit."""
    failure = case.find("failure")
    return failure is not None and not str(failure.get("message")).startswith(("TypeError", "AttributeError", "NameError", "ImportError"))


def main(names: Sequence[str]) -> int:
    """Exits 1 where a test stays green, or is not found."""
    unknown = set(names) - set(GUARDS)
    if unknown:
        sys.exit(f"no such guard: {', '.join(sorted(unknown))}; there are {', '.join(GUARDS)}")
    green_count = 0
    for name, guard in GUARDS.items():
        if names and name not in names:
            continue
        red, said = failed(name, guard)
        green = [test for test in guard.red if test not in red]
        green_count += len(green)
        print(
            f"{'GREEN' if green else 'red':<5}  {name}: without {guard.what}, {len(guard.red) - len(green)} of {len(guard.red)} tests fail"
        )
        for test in green:
            print(f"       stays green: {test}")
        if green:
            print("\n".join(f"         {line}" for line in said.splitlines()[-8:]))
        sys.stdout.flush()
    return 1 if green_count else 0


if __name__ == "__main__":
    sys.exit(main([name for argument in sys.argv[1:] for name in argument.split(",") if name]))
