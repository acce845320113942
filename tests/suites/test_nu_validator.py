"""Tests of the Nu validator (validator/validator) for doctype, head, srcset and id, against what Findable reads and reports.

Each test page has one error, whose message is in messages.json, or none.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from findable.artifacts.html.document import Document
from findable.artifacts.html.ids import Ids
from findable.artifacts.registry import gather
from findable.formats.srcset import parse_srcset
from findable.vocabulary import Verdict
from tests.checks.harness import capture, findings
from tests.suites.places import declared, suite

NAME = "validator"
HEAD = ("elements/base", "elements/html", "elements/link", "elements/meta", "elements/title", "parser")
WITH_IDS = ("assertions", "attributes", "datatypes", "elements/form", "elements/label", "parser")
IMAGES = ("elements/img", "elements/picture")
REPORTED = {
    "title-present": r"“title” must not be empty|child element “title”",
    "doctype": r"doctype|(?:public|system) identifier",
    "charset": r"encoding declaration|the first 1024 bytes|“charset” attribute",
    "head-valid": r"“base” not allowed as child of “body”|“link” element must not appear as a descendant of a “body”|> in ",
}
"""Messages that each check has to report, and no other one."""


def cases(*folders: str) -> Iterator[tuple[str, Path, str]]:
    """Yield name, page and message of each test; the message is empty for a valid page."""
    folder = suite(NAME) / "tests"
    messages = json.loads((folder / "messages.json").read_bytes())
    for path in sorted(page for name in folders for page in (folder / "html" / name).glob("*.html")):
        name = path.relative_to(folder).as_posix()
        yield name.removeprefix("html/"), path, messages.get(name, "")


@pytest.mark.full
def test_nu_validator_errors_are_read_alike_or_declared() -> None:
    different, count = set(), 0
    for name, path, message in cases(*HEAD):
        count += 1
        found = findings(path.read_bytes(), headers=[("Content-Type", "text/html")])
        for check, pattern in REPORTED.items():
            if (found[check].verdict in (Verdict.FAILED, Verdict.WARNED)) != bool(re.search(pattern, message)):
                different.add(f"{name}: {check}")
    for name, path, message in cases(*WITH_IDS):
        count += 1
        ids = gather(*capture(path.read_bytes()).roots).get_or_none(Ids)
        assert ids is not None
        if bool(ids.duplicates) != message.startswith("Duplicate ID"):
            different.add(f"{name}: ids")
    for name, path, message in cases(*IMAGES):
        document = gather(*capture(path.read_bytes()).roots).get_or_none(Document)
        assert document is not None
        values = [value or "" for tag in ("img", "source") for _, value in document.values(tag, "srcset", 10)]
        if values:
            count += 1
            if any(map(is_read_in_part, values)) != ("attribute “srcset”" in message and "Bad value" in message):
                different.add(f"{name}: srcset")
    assert count == 619
    assert different == declared(NAME)


def is_read_in_part(srcset: str) -> bool:
    """Return whether a part of the attribute is no valid candidate."""
    read = sum(1 + (item.width is not None) + (item.density is not None) for item in parse_srcset(srcset))
    return len(re.findall(r"[^\s,]+", srcset)) != read
