"""Check the fixes of saved pages: ``python -m research.fixes PAGES``.

PAGES is a directory of ``*.html.gz``. The output has the number of fixes by check, and each fix with a placeholder (an example domain,
a widget) that the page does not contain, that does not replace the source at its position, or that does not remove its finding or adds
one when it is pasted.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from findable.artifacts.registry import gather
from findable.checks.engine import runnable_checks
from findable.checks.page_fix import FixPlace
from findable.checks.runner import run
from findable.reports.prose import instructions
from findable.vocabulary import FETCHED, Verdict
from research.precision import saved_page
from tests.checks.fix_trial import try_fixes

MADE_UP = re.compile(r"\bexample\.(?:com|net|org)\b|widget", re.IGNORECASE)


def faults(path: Path, counts: Counter[str]) -> Iterator[str]:
    """Yield the faulty fixes of a page, and count its fixes."""
    capture = saved_page(path)
    source = capture.page.response.body.decode("utf-8", "replace").lower()
    results = tuple(run(gather(*capture.roots), runnable_checks(FETCHED)))
    before = {result.check.id: result.finding for result in results}
    for result in results:
        finding = result.finding
        if finding.verdict not in (Verdict.FAILED, Verdict.WARNED):
            continue
        counts[result.check.id] += bool(finding.fixes)
        shown = instructions(finding.advice or result.check.documentation.how, [fix.code for fix in finding.fixes])
        code = "\n".join(line for line in shown.split("\n") if line.startswith("    "))
        own = f"{source} {capture.page.response.final_url}".lower()
        yield from (f"{path.name} {result.check.id}: made up: {word}" for word in MADE_UP.findall(code) if word.lower() not in own)
        for fix in finding.fixes:
            if fix.place is FixPlace.ELEMENT and fix.instead_of.lower().encode().isascii() and fix.instead_of.lower() not in source:
                yield f"{path.name} {result.check.id}: not in the source: {fix.instead_of[:100]}"
        trial = try_fixes(capture, before, result.check.id)
        if finding.fixes and (trial is None or not trial.is_right):
            yield f"{path.name} {result.check.id}: wrong when it is pasted: {trial}"


def main() -> None:
    """Check all pages of the directory."""
    counts: Counter[str] = Counter()
    paths = sorted(Path(sys.argv[1]).glob("*.html.gz"))
    found = [fault for path in paths for fault in faults(path, counts)]
    print("\n".join(found))
    print(f"{len(paths)} pages, {sum(counts.values())} findings of {len(counts)} checks with code, {len(found)} faults")
    for name, count in counts.most_common():
        print(f"{count:6} {name}")


if __name__ == "__main__":
    main()
