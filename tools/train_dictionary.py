"""Train a compression dictionary for packed analyses: ``python tools/train_dictionary.py NUMBER``.

It is trained on analyses of the pages in tests/ and written to src/findable/store/dictionaries/NUMBER.zdict. Then
``NEWEST_DICTIONARY`` in src/findable/store/packed_values.py is that number. A released number must never be trained again:
databases contain values that can only be read with exactly that file.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from findable.formats.zstd import zstd  # noqa: E402 - after the path is set
from findable.reports.analysis import analyse  # noqa: E402 - tests/ is no installed package
from findable.store.packed_values import DICTIONARIES  # noqa: E402 - after the path is set
from tests.checks.harness import capture, fixture  # noqa: E402 - after the path is set
from tests.mutations.world import NAMES, captured, site  # noqa: E402 - after the path is set

DICTIONARY_BYTES = 112_640
"""Size that zstd recommends; half of it compresses 2 % worse, twice as much 2 % better."""


def main() -> None:
    """Write the dictionary."""
    number = int(sys.argv[1])
    path = DICTIONARIES / f"{number}.zdict"
    if path.exists():
        sys.exit(f"{path} exists: what was packed with it needs it")
    samples = list(_samples())
    trained = zstd.train_dict(samples, DICTIONARY_BYTES).dict_content
    content = trained[:4] + number.to_bytes(4, "little") + trained[8:]  # replaces the random id of zstd, which follows the magic number
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    sys.stdout.write(f"{path}: {len(content)} bytes from {len(samples)} analyses\n")


def _samples() -> Iterator[bytes]:
    for path in sorted((ROOT / "tests/checks").rglob("*.html")):
        html, keywords = fixture(path)
        yield analyse(capture(html, **keywords)).to_bytes()
    for name in NAMES:
        page = site(name)
        yield analyse(captured(page.html, page.keywords)).to_bytes()


if __name__ == "__main__":
    main()
