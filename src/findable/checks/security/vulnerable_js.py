"""The page loads a JavaScript library with a known vulnerability.

In plain words: Attackers could use a known weakness of an old program in your page.

Why it matters: Attackers search for such versions. Whether the vulnerability can be exploited depends on how the page uses the library.

How to fix: Update the library; jQuery 1 or 2 to 3 with jQuery Migrate, which reports what no longer works. Replace a library that is no
longer maintained, such as AngularJS.

    <script src="https://cdn.jsdelivr.net/npm/jquery@3.7.1/dist/jquery.min.js"></script>

Sources: [GitHub Advisory Database](https://github.com/advisories) and [CVE list](https://www.cve.org/), by the ids shown; the list of this
version is dated 2026-11-01 and contains only well-known libraries.

Not judged: Libraries inside bundles; versions in a query parameter; whether the vulnerability is exploitable; libraries not in the list.
"""

from findable.artifacts.responses.libraries import Libraries, Library
from findable.artifacts.tables.advisories import DATED, Severity, advisories_for
from findable.checks.engine import Finding, check, element, failed, inapplicable, passed, warned
from findable.vocabulary import Effort, Importance

ENDED = frozenset({"AngularJS"})
"""Discontinued libraries: the fixed version in the list is another library."""
MIGRATED = (3, 0, 0)
"""First jQuery without deprecated functions of version 1; the jQuery Migrate plugin restores them and warns."""


@check("Are known-vulnerable libraries loaded?", Importance.LOW, Effort.CONTENT, failed=10, warned=5)
def vulnerable_js(libraries: Libraries) -> Finding:
    if not libraries.scripts_count:
        return inapplicable("The page loads no scripts")
    found = [(library, advisories) for library in libraries.items if (advisories := advisories_for(library.name, library.version))]
    if not found:
        return passed(
            "{known_count} of {count|script is|scripts are} known, none on the list of {dated}",
            known_count=len(libraries.items),
            count=libraries.scripts_count,
            dated=DATED,
        )
    worst = max((advisories[0] for _, advisories in found), key=lambda advisory: advisory.severity is Severity.HIGH)
    judge = failed if worst.severity is Severity.HIGH else warned
    names = [f"{library.name} {library.version_text}" for library, _ in found]
    evidence = [
        element(
            library.element,
            "{library} {version}: {ids} ({severity})",
            library=library.name,
            version=library.version_text,
            ids=[advisory.id for advisory in advisories[:4]],
            severity=advisories[0].severity,
        )
        for library, advisories in found
    ]
    updates, ended = _updates([library for library, _ in found])
    return judge(
        "{names}: known vulnerabilities (list of {dated})",
        names=list(dict.fromkeys(names))[:5],
        dated=DATED,
        updates=updates[:5],
        ended=ended[:5],
        evidence=evidence,
        advice=_advice(updates, ended),
    )


def _advice(updates: list[str], ended: list[str]) -> str:
    if not ended:
        return "Update to these versions or later: {updates}."
    if not updates:
        return "No version fixes the holes of {ended}: move to another library."
    return "Update to these versions or later: {updates}. No version fixes the holes of {ended}: move to another library."


def _updates(libraries: list[Library]) -> tuple[list[str], list[str]]:
    """Return the first versions without a listed vulnerability, and the libraries without such a version."""
    updates: dict[str, None] = {}
    ended: dict[str, None] = {}
    version: tuple[int, ...] | None
    for library in libraries:
        version = None if library.name in ENDED else library.version
        while version and (advisories := advisories_for(library.name, version)):
            fixes = [advisory.fixed for advisory in advisories]
            version = max((fixed for fixed in fixes if fixed), default=None) if None not in fixes else None
        if version is None:
            ended[library.name] = None
        else:
            migrates = library.name == "jQuery" and library.version < MIGRATED <= version
            updates[f"{library.name} {'.'.join(map(str, version))}{' (+ jQuery Migrate)' if migrates else ''}"] = None
    return list(updates), list(ended)
