"""Fetch the test data of others that tests/suites compares Findable with: ``suites.py FOLDER``.

suites.json has the revision, licence and paths of each repository. The data stays in FOLDER and is not part of the project. Each
revision is a hash, so another source gives the same files: SUITES_FROM, by default ``https://github.com/{owner}/{name}``.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

LIST = Path(__file__).with_name("suites.json")
SOURCE = os.environ.get("SUITES_FROM", "https://github.com/{owner}/{name}")
DONE = ".revision"


def main() -> None:
    """Fetch what is missing or of another revision."""
    folder = Path(sys.argv[1]).resolve()
    for repository, suite in json.loads(LIST.read_text()).items():
        place = folder / repository.partition("/")[2]
        done = place / DONE
        if done.exists() and done.read_text() == suite["revision"]:
            continue
        owner, _, name = repository.partition("/")
        place.mkdir(parents=True, exist_ok=True)
        _git(place, "init", "-q")
        _git(place, "config", "remote.origin.url", SOURCE.format(owner=owner, name=name))
        # Other files of the repository are neither fetched nor written.
        _git(place, "sparse-checkout", "set", "--no-cone", *(f"/{path}" for path in suite["paths"]))
        _git(place, "fetch", "-q", "--depth", "1", "--filter=blob:none", "origin", suite["revision"])
        _git(place, "checkout", "-q", suite["revision"])
        done.write_text(suite["revision"])


def _git(place: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(place), *arguments], check=True)  # noqa: S607 - the git on the PATH


if __name__ == "__main__":
    main()
