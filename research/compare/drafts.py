"""Write saved pages for a record in addition to a corpus: the demonstration from `findable gather`, and every fault of tests/mutations.

They are written once, by one revision, and checked by both, because saved pages stay readable.
"""

import gzip
import random
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OTHER_PAGES = ("/", "/about", "/breads/", "/directions", "/nothing")


def write(folder: Path) -> None:
    """Write the pages to subfolders."""
    for name in ("demonstration", "mutations", "checks"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    _demonstration(folder / "demonstration")
    _mutations(folder / "mutations")
    shutil.copytree(ROOT / "tests/determinism/pages", folder / "determinism", dirs_exist_ok=True)
    for page in (ROOT / "tests/checks").rglob("*.html"):
        shutil.copy(page, folder / "checks" / f"{page.parent.name}-{page.name}")


def _demonstration(folder: Path) -> None:
    from findable.demo.demo_site import PAGES, serve_site

    with serve_site(0) as origin:
        for path in (*PAGES, *OTHER_PAGES):
            command = [sys.executable, "-m", "findable", "gather", f"{origin}{path}", "--allow-target", origin.removeprefix("http://")]
            saved = subprocess.run(command, check=True, capture_output=True).stdout
            _save(folder / f"{path.strip('/').replace('/', '-') or 'home'}.json.gz", saved)


def _mutations(folder: Path) -> None:
    """Write each of the valid pages, and one page per fault, chosen by the fault's name."""
    from findable.capture.saved import dump
    from tests.mutations import faults
    from tests.mutations.judging import harmed
    from tests.mutations.world import NAMES, captured, site

    for name in NAMES:
        _save(folder / f"sound-{name}.json.gz", dump(captured(site(name).html, site(name).keywords)))
    for fault in faults.FAULTS.values():
        draft = harmed(fault, random.Random(fault.name).choice(fault.pages))
        _save(folder / f"{fault.name.replace(' ', '-')}.json.gz", dump(captured(draft.body, draft.keywords)))


def _save(path: Path, page: bytes) -> None:
    path.write_bytes(gzip.compress(page, mtime=0))
