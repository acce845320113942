"""Compares our findings in a browser with Lighthouse's on Lighthouse's own test pages: ``python -m research.lighthouse.in_browser URLS RESULTS``.

URLS is a file with one URL per line: the ``requestedUrl`` of Lighthouse's smoke tests, served by its ``cli/test/fixtures/static-server.js``.
Each page is loaded by ``findable gather --browser view`` and by Lighthouse with the same browser; RESULTS keeps both, so that a second run only
compares. A case is a page and an audit that Lighthouse passes or fails: each rule of axe-core that both run, scripts that fail, targets for
fingers, images larger than displayed. Left out is where the two disagree and a declared difference explains it (`_declared`): a rule, never
a list of pages.
"""

import argparse
import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import findable.fetch.browser
from findable.artifacts.browser.accessibility import Accessibility
from findable.artifacts.registry import Artifacts
from findable.capture.rendering import BrowserRequest, Rendering, WithheldReason
from findable.checks.engine import Verdict, runnable_checks
from findable.checks.runner import run as run_checks
from findable.vocabulary import FETCHED, Source
from research.lighthouse.commands import artifacts, gather_command, lighthouse_command, run

OPTIONS = (
    "--throttling-method=provided",
    "--only-categories=accessibility,best-practices",
    "--only-audits=image-delivery-insight",
    "--disable-full-page-screenshot",
)
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
"""Tags of the rules that our visits run."""
FAULTY = {Verdict.WARNED, Verdict.FAILED}


def loaded(url: str, folder: Path) -> Artifacts | None:
    """Return what we gather of the page, or None if it cannot be loaded."""
    file = folder / "page.json"
    if not file.exists():
        run(gather_command(url, "view", "--allow-target", "localhost"), file)
    return artifacts(file)


def judged(url: str, folder: Path) -> Mapping[str, Any]:
    """Return Lighthouse's audits by name; none if it could not load the page."""
    file = folder / "lighthouse.json"
    if not file.exists():
        run(lighthouse_command(url, file, *OPTIONS))
    if not file.exists():
        return {}
    told = json.loads(file.read_bytes())
    return {} if told.get("runtimeError") else told["audits"]


def common_rules() -> set[str]:
    """Return the rules of axe-core that our visits run; experimental ones are off unless named, as Lighthouse does."""
    axe = next(Path(findable.fetch.browser.__file__).parent.rglob("axe.min.js"))
    script = f"console.log(JSON.stringify(require({json.dumps(str(axe))}).getRules({json.dumps(TAGS)})"
    script += ".filter(rule => !rule.tags.includes('experimental')).map(rule => rule.ruleId)))"
    return set(json.loads(subprocess.run(["node", "-e", script], capture_output=True, check=True).stdout))


def cases(url: str, ours: Artifacts, audits: Mapping[str, Any], rules: set[str]) -> Iterator[tuple[str, bool, bool]]:
    """Yield (audit, Lighthouse finds a fault, we find one)."""
    found = ours.get_or_none(Accessibility)
    broken = {node.rule for node in found.violations} if found else None
    for name in sorted(rules & audits.keys()):
        if broken is not None and audits[name]["score"] in (0, 1) and audits[name]["scoreDisplayMode"] == "binary":
            yield name, audits[name]["score"] == 0, name in broken
    verdicts = {result.check.id: result.finding.verdict for result in run_checks(ours, runnable_checks(FETCHED | {Source.BROWSER}))}
    if audits["target-size"]["score"] in (0, 1):
        yield "target-size / tap-targets", audits["target-size"]["score"] == 0, verdicts["tap-targets"] in FAULTY
    if verdicts["console-errors"] in FAULTY or verdicts["console-errors"] is Verdict.PASSED:
        yield (
            "errors-in-console",
            any(_is_ours(item, url) for item in _items(audits, "errors-in-console")),
            verdicts["console-errors"] in FAULTY,
        )
    if verdicts["image-responsive"] in FAULTY or verdicts["image-responsive"] is Verdict.PASSED:
        wasted = [item for item in _items(audits, "image-delivery-insight") if "displayed dimensions" in json.dumps(item)]
        yield "image-delivery-insight, size", bool(wasted), verdicts["image-responsive"] in FAULTY


def _items(audits: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    return (audits[name].get("details") or {}).get("items", [])


def _is_ours(item: Mapping[str, Any], url: str) -> bool:
    """Return whether an item of errors-in-console is an uncaught error of the page's own host: failed requests and messages are excluded."""
    place = (item.get("sourceLocation") or {}).get("url", "")
    return item["source"] == "exception" and urlsplit(place).hostname in (None, urlsplit(url).hostname)


def _declared(ours: Artifacts, *, is_theirs: bool, is_ours: bool) -> bool:
    """Return whether a fault that only Lighthouse finds may be in what came after our visit.

    A request that is open for three seconds does not keep a visit waiting, because pages also hold connections open for ever; Lighthouse
    waits for up to 45 seconds.
    """
    rendering = ours.get_or_none(Rendering)
    return is_theirs and not is_ours and rendering is not None and any(_is_open(request) for request in rendering.requests)


def _is_open(request: BrowserRequest) -> bool:
    return request.end_ms is None and not request.failure and request.withheld is WithheldReason.NOT


def main() -> None:
    """Load what is not there yet, print the agreement per audit and each disagreement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("urls", type=Path)
    parser.add_argument("results", type=Path)
    options = parser.parse_args()
    rules, agreed, total, faults, left_out = common_rules(), Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for number, url in enumerate(options.urls.read_text(encoding="utf-8").split()):
        folder = options.results / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        ours, audits = loaded(url, folder), judged(url, folder)
        if ours is None or not audits:
            print(f"{url}: not loaded by {'us' if ours is None else 'Lighthouse'}")
            continue
        for name, is_theirs, is_ours in cases(url, ours, audits, rules):
            if _declared(ours, is_theirs=is_theirs, is_ours=is_ours):
                print(f"{url}: {name}: left out, a request was still open")
                left_out[name] += 1
                continue
            total[name] += 1
            agreed[name] += is_theirs == is_ours
            faults[name] += is_theirs
            if is_theirs != is_ours:
                print(f"{url}: {name}: Lighthouse {'finds' if is_theirs else 'finds no'} fault, we {'do' if is_ours else 'do not'}")
    for name, count in sorted(total.items()):
        print(f"{name}: {agreed[name]} of {count}, {faults[name]} with a fault")
    share = 100 * agreed.total() / max(1, total.total())
    print(f"all: {agreed.total()} of {total.total()} ({share:.1f} %), {faults.total()} with a fault, {left_out.total()} left out")


if __name__ == "__main__":
    main()
