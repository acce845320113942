"""Published advisories on the libraries of libraries.py: a small, dated table, not a database.

Severities and versions are those of the GitHub Advisory Database. Advisories that concern Node.js only are left out.

Compared in November 2026 with the repository of Retire.js (jsrepository-master.json of commit fd9c1ad8, autumn 2025): jQuery and its
plug-ins, Bootstrap, AngularJS, Underscore, Moment.js, Handlebars, DOMPurify, Axios, Knockout, DataTables, Lodash and Vue.js. What is newer,
and Chart.js, Swiper and Prism, were compared with advisories of the GitHub Advisory Database as issues of 2025 and 2026 quote them:
GHSA-vxmc-5x29-h64v (Bootstrap up to 3.4.1, and 3.x has no fixed version: github/advisory-database pull request 6197), GHSA-prc3-vjfx-vhm9
(AngularJS, no fixed version), GHSA-xxjr-mmjv-4gpg, GHSA-f23m-r3pf-42rh and GHSA-r5fr-rjxr-66jc (Lodash), GHSA-h68q-55jf-x68w (Chart.js),
GHSA-hmx5-qpq5-p643 (Swiper), GHSA-x7hr-w5r2-h6wg (Prism). Not found there and not compared: CVE-2016-10744 (Select2), CVE-2021-23370
(Swiper), CVE-2022-23647 (Prism).
"""

from msgspec import Struct

from findable.vocabulary import Code

DATED = "2026-11-01"


class Severity(Code, params=("severity",)):
    """How much an advisory weighs; critical counts as high."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Advisory(Struct, frozen=True):
    """One advisory: versions from ``since`` (included) to ``fixed`` (excluded; None if no version fixes it)."""

    library: str
    since: tuple[int, ...]
    fixed: tuple[int, ...] | None
    severity: Severity
    id: str

    def concerns(self, library: str, version: tuple[int, ...]) -> bool:
        """Return whether it applies to that version."""
        return library == self.library and version >= self.since and (self.fixed is None or version < self.fixed)


ADVISORIES = (
    Advisory("jQuery", (1, 0, 3), (3, 5, 0), Severity.MEDIUM, "CVE-2020-11023"),
    Advisory("jQuery", (1, 2, 0), (3, 5, 0), Severity.MEDIUM, "CVE-2020-11022"),
    Advisory("jQuery", (1, 1, 4), (3, 4, 0), Severity.MEDIUM, "CVE-2019-11358"),
    Advisory("jQuery", (0,), (1, 9, 0), Severity.MEDIUM, "CVE-2012-6708"),
    Advisory("jQuery UI", (0,), (1, 13, 2), Severity.MEDIUM, "CVE-2022-31160"),
    Advisory("jQuery UI", (0,), (1, 13, 0), Severity.MEDIUM, "CVE-2021-41184"),
    Advisory("jQuery Validation", (0,), (1, 19, 5), Severity.HIGH, "CVE-2022-31147"),
    Advisory("jQuery Validation", (0,), (1, 20, 0), Severity.MEDIUM, "CVE-2025-3573"),
    Advisory("Bootstrap", (3, 0, 0), (3, 4, 1), Severity.MEDIUM, "CVE-2019-8331"),
    Advisory("Bootstrap", (4, 0, 0), (4, 3, 1), Severity.MEDIUM, "CVE-2019-8331"),
    Advisory("Bootstrap", (0,), (3, 4, 0), Severity.MEDIUM, "CVE-2018-14042"),
    Advisory("Bootstrap", (4, 0, 0), (4, 1, 2), Severity.MEDIUM, "CVE-2018-14042"),
    Advisory("Bootstrap", (1, 4, 0), (4, 0, 0), Severity.MEDIUM, "CVE-2024-6485"),
    Advisory("AngularJS", (0,), (1, 7, 9), Severity.HIGH, "CVE-2019-10768"),
    Advisory("AngularJS", (0,), (1, 8, 0), Severity.MEDIUM, "CVE-2020-7676"),
    Advisory("AngularJS", (0,), (2, 0, 0), Severity.MEDIUM, "CVE-2022-25869"),
    Advisory("Lodash", (0,), (4, 17, 12), Severity.HIGH, "CVE-2019-10744"),
    Advisory("Lodash", (0,), (4, 17, 21), Severity.HIGH, "CVE-2021-23337"),
    Advisory("Lodash", (4, 0, 0), (4, 17, 23), Severity.MEDIUM, "CVE-2025-13465"),
    Advisory("Lodash", (4, 0, 0), (4, 18, 0), Severity.MEDIUM, "CVE-2026-2950"),
    Advisory("Lodash", (4, 0, 0), (4, 18, 0), Severity.HIGH, "CVE-2026-4800"),
    Advisory("Underscore", (1, 3, 2), (1, 12, 1), Severity.HIGH, "CVE-2021-23358"),
    Advisory("Moment.js", (2, 18, 0), (2, 29, 4), Severity.HIGH, "CVE-2022-31129"),
    Advisory("Moment.js", (0,), (2, 19, 3), Severity.HIGH, "CVE-2017-18214"),
    Advisory("Handlebars", (0,), (4, 7, 7), Severity.HIGH, "CVE-2021-23369"),
    Advisory("Vue.js", (2, 0, 0), (3, 0, 0), Severity.LOW, "CVE-2024-9506"),
    Advisory("DOMPurify", (0,), (2, 5, 4), Severity.HIGH, "CVE-2024-45801"),
    Advisory("DOMPurify", (3, 0, 0), (3, 1, 3), Severity.HIGH, "CVE-2024-45801"),
    Advisory("DOMPurify", (0,), (3, 2, 4), Severity.MEDIUM, "CVE-2025-26791"),
    Advisory("Chart.js", (0,), (2, 9, 4), Severity.HIGH, "CVE-2020-7746"),
    Advisory("Select2", (0,), (4, 0, 6), Severity.MEDIUM, "CVE-2016-10744"),
    Advisory("Swiper", (0,), (6, 5, 1), Severity.HIGH, "CVE-2021-23370"),
    Advisory("Swiper", (6, 5, 1), (12, 1, 2), Severity.HIGH, "CVE-2026-27212"),
    Advisory("Axios", (0, 8, 1), (0, 28, 0), Severity.MEDIUM, "CVE-2023-45857"),
    Advisory("Axios", (1, 0, 0), (1, 6, 0), Severity.MEDIUM, "CVE-2023-45857"),
    Advisory("Axios", (0,), (0, 30, 0), Severity.HIGH, "CVE-2025-27152"),
    Advisory("Axios", (1, 0, 0), (1, 8, 2), Severity.HIGH, "CVE-2025-27152"),
    Advisory("Prism", (1, 14, 0), (1, 27, 0), Severity.HIGH, "CVE-2022-23647"),
    Advisory("Prism", (0,), (1, 30, 0), Severity.MEDIUM, "CVE-2024-53382"),
    Advisory("Knockout", (0,), (3, 5, 0), Severity.MEDIUM, "CVE-2019-14862"),
    Advisory("DataTables", (0,), (1, 10, 22), Severity.HIGH, "CVE-2020-28458"),
    Advisory("DataTables", (0,), (1, 11, 3), Severity.MEDIUM, "CVE-2021-23445"),
)
_RANK = {severity: rank for rank, severity in enumerate(Severity)}


def advisories_for(library: str, version: tuple[int, ...]) -> list[Advisory]:
    """Return advisories for a version, worst first. A version with two numbers is treated as its last release."""
    padded = version if len(version) > 2 else (*version, 9999)  # noqa: PLR2004 - major, minor, patch
    found = [advisory for advisory in ADVISORIES if advisory.concerns(library, padded)]
    return sorted(found, key=lambda advisory: -_RANK[advisory.severity])
