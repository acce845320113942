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

from findable.artifacts.tables.table_file import read_table
from findable.vocabulary import Code


class Severity(Code, params=("severity",)):
    """Severity of an advisory. Critical ones count as high."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Advisory(Struct, frozen=True):
    """Security advisory on a library: versions from ``since`` (included) to ``fixed`` (excluded; None if no version fixes it)."""

    library: str
    since: tuple[int, ...]
    fixed: tuple[int, ...] | None
    severity: Severity
    id: str

    def concerns(self, library: str, version: tuple[int, ...]) -> bool:
        """Return whether the advisory applies to a version."""
        return library == self.library and version >= self.since and (self.fixed is None or version < self.fixed)


class _Table(Struct, frozen=True):
    """Contents of data/advisories.json."""

    dated: str
    advisories: tuple[Advisory, ...]


_table = read_table("advisories", _Table)
DATED = _table.dated
ADVISORIES = _table.advisories
_RANK = {severity: rank for rank, severity in enumerate(Severity)}


def advisories_for(library: str, version: tuple[int, ...]) -> list[Advisory]:
    """Return the advisories on a version of a library, worst first. A version with two numbers is treated as its last release."""
    padded = version if len(version) > 2 else (*version, 9999)  # noqa: PLR2004 - major, minor, patch
    found = [advisory for advisory in ADVISORIES if advisory.concerns(library, padded)]
    return sorted(found, key=lambda advisory: -_RANK[advisory.severity])
