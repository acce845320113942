"""Which advisories concern which versions."""

import pytest

from findable.artifacts.tables.advisories import advisories_for

VERSIONS = [
    ("Bootstrap", (2, 3, 2), {"CVE-2018-14042", "CVE-2024-6485"}),
    ("Bootstrap", (1, 3, 0), {"CVE-2018-14042"}),
    ("Bootstrap", (3, 4, 1), {"CVE-2024-6485"}),
    ("Bootstrap", (4, 6, 2), set()),
    ("Bootstrap", (4, 1, 3), {"CVE-2019-8331"}),
    ("Bootstrap", (5, 3, 0), set()),
    ("DOMPurify", (3, 2, 3), {"CVE-2025-26791"}),
    ("DOMPurify", (3, 2, 4), set()),
    ("Axios", (0, 30, 0), set()),
    ("Axios", (1, 8, 1), {"CVE-2025-27152"}),
    ("DataTables", (1, 11, 2), {"CVE-2021-23445"}),
    ("jQuery", (3, 5), set()),
    ("Lodash", (4, 18, 0), set()),
    ("Lodash", (4, 17, 23), {"CVE-2026-2950", "CVE-2026-4800"}),
    ("Lodash", (4, 17, 21), {"CVE-2025-13465", "CVE-2026-2950", "CVE-2026-4800"}),
    ("Lodash", (3, 10, 1), {"CVE-2019-10744", "CVE-2021-23337"}),
    ("Swiper", (12, 1, 2), set()),
    ("Swiper", (6, 5, 0), {"CVE-2021-23370"}),
    ("Swiper", (11, 2, 10), {"CVE-2026-27212"}),
    ("Prism", (1, 30, 0), set()),
    ("Prism", (1, 29, 0), {"CVE-2024-53382"}),
    ("Vue.js", (3, 0, 0), set()),
    ("Vue.js", (2, 7, 16), {"CVE-2024-9506"}),
]


@pytest.mark.parametrize(("library", "version", "expected"), VERSIONS)
def test_the_versions_of_an_advisory(library: str, version: tuple[int, ...], expected: set[str]) -> None:
    assert {advisory.id for advisory in advisories_for(library, version)} == expected
