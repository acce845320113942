"""Which advisories concern which versions."""

import pytest

from findable.artifacts.advisories import advisories_for

VERSIONS = [
    ("Bootstrap", (2, 3, 2), {"CVE-2018-14042"}),
    ("Bootstrap", (3, 4, 1), set()),
    ("Bootstrap", (4, 1, 3), {"CVE-2019-8331"}),
    ("Bootstrap", (5, 3, 0), set()),
    ("DOMPurify", (3, 2, 3), {"CVE-2025-26791"}),
    ("DOMPurify", (3, 2, 4), set()),
    ("Axios", (0, 30, 0), set()),
    ("Axios", (1, 8, 1), {"CVE-2025-27152"}),
    ("DataTables", (1, 11, 2), {"CVE-2021-23445"}),
    ("jQuery", (3, 5), set()),
]


@pytest.mark.parametrize(("library", "version", "expected"), VERSIONS)
def test_the_versions_of_an_advisory(library: str, version: tuple[int, ...], expected: set[str]) -> None:
    assert {advisory.id for advisory in advisories_for(library, version)} == expected
