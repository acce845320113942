"""The command in processes that begin with everything imported: to start anew takes longer than what most tests ask it for.

What a start is like (how long it takes, what it loads, readers who go away) is asked of `python -m findable` itself.

    prepared.py REQUESTS REPLIES    two descriptors: a request is a line of JSON, its reply a line with the exit code
"""

import atexit
import gc
import importlib
import json
import os
import pkgutil
import select
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


class Prepared:
    """A process that forks one for each command."""

    def __init__(self) -> None:
        asked, self._requests = os.pipe()
        self._replies, told = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(asked), str(told)],
            pass_fds=(asked, told),
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
            start_new_session=True,
        )
        os.close(asked)
        os.close(told)

    def run(self, arguments: Sequence[str], environment: Mapping[str, str], cwd: Path, files: Sequence[Path], timeout_s: float) -> int:
        """The exit code. ``files`` stand for input, output and errors."""
        request = {"arguments": [*arguments], "environment": dict(environment), "cwd": str(cwd), "files": [str(path) for path in files]}
        os.write(self._requests, json.dumps(request).encode() + b"\n")
        if not select.select([self._replies], [], [], timeout_s)[0]:
            self._process.kill()  # nobody takes its late reply for that of the next command
            prepared.cache_clear()
            raise TimeoutError(f"{arguments} takes longer than {timeout_s} s")
        return int(os.read(self._replies, 20))

    def end(self) -> None:
        """Nothing more is asked for."""
        os.close(self._requests)
        self._process.wait(60)
        os.close(self._replies)


@cache
def prepared() -> Prepared:
    """The one of this process, until it ends."""
    made = Prepared()
    atexit.register(made.end)
    return made


def serve(requests: int, replies: int) -> None:
    """Answers until nobody asks any more."""
    from findable import artifacts, cli
    from findable.checks.engine import all_checks
    from findable.cli.main import main

    for package in (artifacts, cli):
        for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            importlib.import_module(found.name)
    all_checks()
    gc.freeze()  # else each of them walks through all of it when it ends, which takes longer than a start
    for line in os.fdopen(requests):
        child = os.fork()
        if not child:
            become(**json.loads(line))
            main()
        _, status = os.waitpid(child, 0)
        os.write(replies, f"{os.waitstatus_to_exitcode(status)}\n".encode())


def become(arguments: Sequence[str], environment: Mapping[str, str], cwd: str, files: Sequence[str]) -> None:
    """The process that was asked for."""
    os.setsid()
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["findable", *arguments]
    for number, (path, flags) in enumerate(zip(files, (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY), strict=True)):
        opened = os.open(path, flags)
        os.dup2(opened, number)
        os.close(opened)


if __name__ == "__main__":
    serve(int(sys.argv[1]), int(sys.argv[2]))
