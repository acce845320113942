"""HTTP Archives, checked with the schemas that the public uses (tests/vendor/har-schema)."""

import subprocess
from pathlib import Path

from tests.external import program

FOLDER = Path(__file__).parent / "vendor" / "har-schema"
CHECKER = "check-jsonschema"


def problems_of_har(archive: bytes, folder: Path) -> str:
    """What is wrong with an archive; empty for HAR 1.2. ``folder`` is for a file."""
    path = folder / "checked.har"
    path.write_bytes(archive)
    arguments = ("--schemafile", FOLDER / "har.json", "--base-uri", f"{FOLDER.as_uri()}/", path)
    done = subprocess.run([program(CHECKER), *arguments], capture_output=True, text=True, timeout=60, check=False)
    return done.stdout + done.stderr if done.returncode else ""
