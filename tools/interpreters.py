"""Print the Python interpreters of this machine that can run the tests, one a line: ``version<TAB>path``.

They are searched on the PATH and in pyenv's versions; one for each version from 3.11, and only those that start: a pyenv
shim exists for every version ever installed, and most of them fail. Only the standard library is needed,
because this runs before anything is installed.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

MINORS = (11, 12, 13, 14)
PROBE = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"


def candidates(minor: int) -> Iterator[str]:
    """Yield candidate paths, the best first."""
    name = f"python3.{minor}"
    found = shutil.which(name)
    if found:
        yield found
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted((str(path) for path in pyenv.glob(f"versions/3.{minor}.*/bin/{name}")), reverse=True)


def version_of(path: str) -> str | None:
    """Return ``3.12``; None if the interpreter does not start or cannot create a virtual environment."""
    try:
        answer = subprocess.run([path, "-c", PROBE], capture_output=True, text=True, timeout=30, check=True, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout.strip()


def main() -> int:
    """Print the interpreters."""
    for minor in MINORS:
        path = next((path for path in candidates(minor) if version_of(path) == f"3.{minor}"), None)
        if path:
            print(f"3.{minor}\t{path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
