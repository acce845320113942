"""Measure the agreement of checks with Lighthouse: ``python -m research.lighthouse.agreement RESULTS PAGES [--markdown]``.

RESULTS is the output of research/lighthouse/run.mjs, PAGES the directory that it read. The output has, for each audit, the cases that both
tools judged, those that agree, those excluded by a declared difference, and each disagreement with its page.

A case counts if Lighthouse passes or fails the page; *unknown* or *inapplicable* of Findable is then no agreement. If Lighthouse reports
"not applicable", a fault reported by Findable is a disagreement and anything else is no case. A page with nothing to judge (no links, no
images) passes in Lighthouse and is *inapplicable* in Findable, which is no case either. Cases are excluded by rule, never by page: each rule is in
research/lighthouse/rules.py with its reason.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from findable.artifacts.registry import gather
from findable.checks.engine import Finding, runnable_checks
from findable.checks.runner import run
from findable.reports.messages import render
from findable.vocabulary import FETCHED
from research.lighthouse.cases import cases
from research.lighthouse.rules import COMMON, COMPARED
from research.lighthouse.words import Comparison, Seen, Word


@dataclass
class Tally:
    """Result of one comparison."""

    agreed: Counter[str] = field(default_factory=Counter)
    """Number of agreements by common verdict: "pass", "fail"."""
    left_out: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Excluded pages by declared difference."""
    disagreed: list[tuple[str, str, str, str]] = field(default_factory=list)
    """Page, verdict of Lighthouse, verdict of Findable, and the details of both."""

    @property
    def cases_count(self) -> int:
        """Number of cases outside the declared differences."""
        return self.agreed.total() + len(self.disagreed)


def compared(results: Path, pages: Path) -> dict[str, Tally]:
    """Return every comparison by name, over all cases with a result."""
    tallies = {item.name: Tally() for item in COMPARED}
    checks = {check for item in COMPARED for check in item.checks}
    for case in cases(pages, checks):
        path = results / f"{case.name}.json"
        if not path.exists():
            continue
        told = json.loads(path.read_text(encoding="utf-8"))
        if told.get("runtimeError"):
            continue
        artifacts = gather(*case.capture.roots)
        findings = {result.check.id: result.finding for result in run(artifacts, runnable_checks(FETCHED))}
        for item in COMPARED:
            enter(tallies[item.name], item, case.name, Seen(told["audits"], findings, artifacts))
    return tallies


def enter(tally: Tally, item: Comparison, name: str, seen: Seen) -> None:
    """Count one page."""
    theirs, ours = item.theirs(seen), item.ours(seen)
    if theirs is Word.NONE or (theirs is Word.INAPPLICABLE and ours is not Word.FAIL):
        return
    if theirs is Word.PASS and ours is Word.INAPPLICABLE and item.nothing_there(seen):
        return
    if theirs is ours:
        tally.agreed[ours.value] += 1
        return
    for difference in (*item.differences, *COMMON):
        if difference.applies(seen):
            tally.left_out[difference.name].append(name)
            return
    tally.disagreed.append((name, theirs.value, ours.value, _said(item, seen)))


def _said(item: Comparison, seen: Seen) -> str:
    ours = " | ".join(_finding(check, seen.findings[check]) for check in item.checks)
    theirs = " | ".join(_audit(name, seen.audits[name]) for name in item.audits if name in seen.audits)
    return f"      LH   {theirs}\n      ours {ours}"


def _finding(check: str, finding: Finding) -> str:
    shown = "; ".join(
        " ".join(f"{item.line or ''} {item.text or item.url} {render(item.note, item.params)}".split())[:170]
        for item in finding.evidence[:4]
    )
    return f"{check} {finding.verdict.value}: {render(finding.message, finding.params)[:160]} [{shown}]"


def _audit(name: str, audit: Mapping[str, Any]) -> str:
    if audit["score"] in (1, None):
        return f"{name} {audit['scoreDisplayMode']}"
    items = (audit.get("details") or {}).get("items", [])
    shown = []
    for item in items[:4] if isinstance(items, list) else [items]:
        node = item.get("node") or item.get("source") or item
        shown.append(str(node.get("snippet") or node if isinstance(node, dict) else node)[:170])
    return f"{name} {len(items)} {audit.get('explanation', '')} {shown}"


# --- output


def lines(tallies: Mapping[str, Tally]) -> Iterator[str]:
    """Yield a block for each comparison, with every disagreement."""
    for name, tally in tallies.items():
        count, agreed = tally.cases_count, tally.agreed.total()
        share = f"{100 * agreed / count:.1f} %" if count else "–"
        yield f"{name}: {agreed} of {count} ({share}), pass {tally.agreed['pass']}, fail {tally.agreed['fail']}"
        for difference, pages in tally.left_out.items():
            yield f"    left out, {difference}: {len(pages)} ({', '.join(pages[:6])})"
        for page, theirs, ours, said in tally.disagreed:
            yield f"    {page}: Lighthouse {theirs}, we {ours}\n{said}"
    yield _sum(tallies)


def _sum(tallies: Mapping[str, Tally]) -> str:
    count = sum(tally.cases_count for tally in tallies.values())
    agreed = sum(tally.agreed.total() for tally in tallies.values())
    left_out = sum(len(pages) for tally in tallies.values() for pages in tally.left_out.values())
    own = sum(len(tallies[item.name].left_out.get(one.name, [])) for item in COMPARED for one in item.differences if not one.catalogue)

    def share(also: int) -> str:
        return f"{100 * agreed / max(1, count + also):.2f} %"

    return (
        f"all: {agreed} of {count} agree ({share(0)}); {left_out} left out, {own} of them † (with those as disagreements {share(own)},"
        f" with all of them {share(left_out)})"
    )


def markdown(tallies: Mapping[str, Tally]) -> Iterator[str]:
    """Yield the tables of docs/explanation/rightness.md."""
    yield "| Lighthouse audit | check | cases | both pass | both fail | agree | left out |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    for item in COMPARED:
        tally = tallies[item.name]
        checks = ", ".join(f"`{check}`" for check in item.checks)
        audits = ", ".join(item.audits) + (f" ({item.part})" if item.part else "")
        share = f"{100 * tally.agreed.total() / tally.cases_count:.1f} %" if tally.cases_count else "–"
        left_out = sum(len(pages) for pages in tally.left_out.values())
        yield f"| {audits} | {checks} | {tally.cases_count} | {tally.agreed['pass']} | {tally.agreed['fail']} | {share} | {left_out} |"
    yield ""
    yield _sum(tallies)
    yield ""
    for difference in COMMON:
        count = sum(len(tally.left_out.get(difference.name, [])) for tally in tallies.values())
        yield f"- every check, {difference.name} ({count}): {difference.reason}."
    for item in COMPARED:
        for difference in item.differences:
            pages = tallies[item.name].left_out.get(difference.name, [])
            mark = "" if difference.catalogue else " †"
            if pages:
                yield f"- `{item.checks[0]}`, {difference.name} ({len(pages)}{mark}): {difference.reason}."


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("results", type=Path, help="directory of Lighthouse results, NAME.json")
    parser.add_argument("pages", type=Path, help="directory of *.html.gz")
    parser.add_argument("--markdown", action="store_true", help="as tables for the documentation")
    given = parser.parse_args(arguments)
    tallies = compared(given.results, given.pages)
    print("\n".join(markdown(tallies) if given.markdown else lines(tallies)))


if __name__ == "__main__":
    main()
