"""List findings on saved pages for manual review: ``python -m research.precision PAGES [--category links …]``.

PAGES is a directory of ``*.html.gz``. Each page is checked at its canonical URL, else at
``https://www.example.com/NAME``, with synthetic but plausible headers that depend only on its name. The output has rows of
research/precision.csv: up to ten with *failed* or *warned* for each check, spread over the pages, and five *passed* ones for checks of
high importance. Reviewed rows that still occur keep their judgement; a new row's judgement is empty. ``--write`` writes
them to research/precision.csv, replacing the rows of the same checks.

``--accept CHECK …`` records in research/precision.json that the rows of those checks were reviewed with the current rule.
``--accept-unchanged`` does so for each check whose rule changed while the pages still give the same rows.
"""

import argparse
import ast
import csv
import gzip
import hashlib
import inspect
import io
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from findable.artifacts.page.canonical import Canonical
from findable.artifacts.registry import gather
from findable.capture.capture import Capture
from findable.capture.page import PageCapture
from findable.capture.response import Certificate, Failure, Headers, Hop, ProbeResponse, Response, Timing, Tls
from findable.capture.site import SiteCapture
from findable.checks.engine import Check, Finding, all_checks, check, runnable_checks
from findable.checks.runner import run
from findable.reports.messages import render
from findable.urls import parse, without_fragment
from findable.vocabulary import FETCHED, Category, Importance, Stage, Verdict

ROWS = Path(__file__).with_name("precision.csv")
RULES = Path(__file__).with_name("precision.json")
COLUMNS = ("check", "page", "evidence", "verdict", "judgement", "reason")
AGAINST = (Verdict.FAILED.value, Verdict.WARNED.value)
FIRING_ROWS = 10
PASSED_ROWS = 5
EVIDENCE_CHARS = 160
NOW = "2026-11-01T12:00:00Z"

Row = dict[str, str]

CACHING = ((("cache-control", "max-age=300"),), (("cache-control", "no-cache"), ("etag", '"5f3c1a"')), ())
SERVERS = ((("server", "nginx"),), (("server", "Apache/2.4.57 (Debian)"),), (("server", "cloudflare"), ("x-powered-by", "PHP/8.2.7")))
SECURITY: tuple[tuple[tuple[str, str], ...], ...] = (
    (),
    (("strict-transport-security", "max-age=31536000; includeSubDomains"), ("x-content-type-options", "nosniff")),
    (("strict-transport-security", "max-age=300"), ("x-frame-options", "SAMEORIGIN"), ("referrer-policy", "same-origin")),
    (("content-security-policy", "default-src 'self' 'unsafe-inline' https:"), ("referrer-policy", "unsafe-url")),
    (("content-security-policy", "upgrade-insecure-requests; frame-ancestors 'self'"), ("x-xss-protection", "1; mode=block")),
)
COOKIES = ((), (("set-cookie", "session=…; Path=/; HttpOnly"),), (("set-cookie", "seen=…; Path=/; Secure; SameSite=Lax"),))
CODINGS = (("br", 5), ("gzip", 4), ("gzip", 4), ("", 1))
TIMINGS = (Timing(10, 20, 30, 160, 200), Timing(20, 40, 60, 700, 1200), Timing(30, 60, 90, 1100, 2600), Timing(30, 60, 90, 2100, 5400))


# --- the pages


def saved_page(path: Path) -> Capture:
    """Return the page at its canonical URL."""
    name = path.name.split(".")[0]
    body = gzip.decompress(path.read_bytes())
    first = capture(body, f"https://www.example.com/{name}", name)
    canonical = gather(*first.roots).get_or_none(Canonical)
    target = canonical.target if canonical else None
    return capture(body, without_fragment(target), name) if target and parse(target) else first


def capture(body: bytes, url: str, name: str) -> Capture:
    """Return a capture with headers chosen by the page's name; links, assets and the site's files are not requested."""
    parsed = parse(url)
    if parsed is None:
        raise ValueError(url)
    digest = iter(hashlib.sha256(name.encode()).digest())

    def one_of(choices: Sequence[Any]) -> Any:
        return choices[next(digest) % len(choices)]

    content_type = one_of(("text/html", "text/html; charset=utf-8"))
    lines = (("content-type", content_type), *one_of(CACHING), *one_of(SERVERS), *one_of(SECURITY), *one_of(COOKIES))
    coding, ratio = one_of(CODINGS)
    version, timing = one_of(("2", "2", "1.1")), one_of(TIMINGS)
    if parsed.scheme == "http":
        version, timing = "1.1", replace(timing, tls_ms=0.0)
    hop = Hop(url, 200, Headers(lines), version, timing, "93.184.215.14")
    leaf = Certificate(
        f"CN={parsed.host}", "CN=Example CA", (parsed.host,), "2026-09-01T00:00:00Z", "2027-03-01T00:00:00Z", "ecdsa-with-SHA256", "EC", 256
    )
    tls = Tls("TLSv1.3", chain=(leaf,)) if parsed.scheme == "https" else None
    response = Response(url, (hop,), body, len(body) // ratio, content_encoding=coding, tls=tls)
    site = SiteCapture(parsed.origin, NOW, ProbeResponse(f"{parsed.origin}/robots.txt", failure=Failure.NOT_ASKED))
    return Capture(PageCapture(NOW, response), site)


# --- the rows


def evidence_line(finding: Finding) -> str:
    """Return the first evidence, or else the message, on one line."""
    if not finding.evidence:
        return " ".join(render(finding.message, finding.params).split())[:EVIDENCE_CHARS]
    first = finding.evidence[0]
    place = f"{first.line}:{first.column}" if first.line and first.column else f"line {first.line}" if first.line else ""
    note = render(first.note, first.params)
    parts = [place, first.text, f"{first.url} {first.status or ''}" if first.url else "", f"[{note}]" if note else ""]
    return " ".join(" ".join(part for part in parts if part).split())[:EVIDENCE_CHARS].rstrip()


def candidates(pages: Iterable[Path], checks: Iterable[Check], read: Mapping[str, list[Row]]) -> Iterator[Row]:
    """Return the rows to review by check; reviewed rows that still occur have their judgement."""
    found: dict[str, list[Row]] = defaultdict(list)
    for path in pages:
        for result in run(gather(*saved_page(path).roots), runnable_checks(FETCHED)):
            row = {"check": result.check.id, "page": path.name.split(".")[0], "evidence": evidence_line(result.finding)}
            found[result.check.id].append({**row, "verdict": result.finding.verdict.value, "judgement": "", "reason": ""})
    for item in checks:
        firing = [row for row in found[item.id] if row["verdict"] in AGAINST]
        yield from chosen(firing, read.get(item.id, []), FIRING_ROWS)
        if item.importance is Importance.HIGH:
            passed = [row for row in found[item.id] if row["verdict"] == Verdict.PASSED.value]
            yield from chosen(passed, read.get(item.id, []), PASSED_ROWS)
        if not firing:
            old = [row["reason"] for row in read.get(item.id, []) if row["judgement"] == "unproven"]
            yield dict(zip(COLUMNS, (item.id, "", "", "", "unproven", *(old or [""])), strict=True))


def chosen(rows: list[Row], read: list[Row], most: int) -> list[Row]:
    """Return at most that many rows in page order: reviewed ones, and an even selection of the others."""
    judged = {tuple(row[name] for name in COLUMNS[:4]): row for row in read}
    keyed = [judged.get(tuple(row[name] for name in COLUMNS[:4]), row) for row in rows]
    kept = [index for index, row in enumerate(keyed) if row["judgement"]][:most]
    rest = [index for index in range(len(keyed)) if index not in kept]
    lacking = min(most - len(kept), len(rest))
    kept += [rest[number * len(rest) // lacking] for number in range(lacking)]
    return [keyed[index] for index in sorted(kept)]


def table(rows: Iterable[Row]) -> str:
    """Return the rows as CSV."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def read_rows() -> dict[str, list[Row]]:
    """Return the rows of research/precision.csv by check."""
    rows: dict[str, list[Row]] = defaultdict(list)
    if ROWS.exists():
        with ROWS.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                rows[row["check"]].append(row)
    return rows


def summary() -> str:
    """Return a Markdown table with the number of rows in research/precision.csv by category."""
    rows = [(all_checks()[row["check"]].category, row) for rows in read_rows().values() for row in rows]
    lines = [
        "| Category | Checks with rows | Rows read | Right | Undecidable | Wrong | Checks unproven |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, category in [*((category.value.replace("_", " "), category) for category in Category), ("all", None)]:
        judged = [row for of, row in rows if category in (of, None) and row["judgement"] != "unproven"]
        unproven = sum(1 for of, row in rows if category in (of, None) and row["judgement"] == "unproven")
        counts = Counter(row["judgement"] for row in judged)
        speaking = len({row["check"] for row in judged})
        numbers = (speaking, len(judged), counts["right"], counts["undecidable"], counts["wrong"], unproven)
        lines.append(f"| {name} | {' | '.join(map(str, numbers))} |")
    return "\n".join(lines)


# --- the rules


def rule_sha256(item: Check) -> str:
    """Return the digest of a check's code and of the declared members that decide whether it applies.

    It is without layout, comments, docstrings, import locations and the rest of the declaration: its form, question, costs and life cycle.
    """
    tree = ast.parse(inspect.getsource(sys.modules[item.function.__module__]))
    members = (item.depends_on, item.indexing_only, item.accepts_partial_input)
    return hashlib.sha256(f"{_stable_dump(tree)}{members}".encode()).hexdigest()


def _stable_dump(node: Any) -> str:
    """Return a dump of a syntax tree that is the same in every Python version, unlike that of `ast.dump`."""
    if isinstance(node, list):
        return f"[{','.join(_stable_dump(part) for part in node if not _is_ignored(part))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = [(name, value) for name, value in ast.iter_fields(node) if value not in (None, []) and name != "kind"]
    return f"{type(node).__name__}({','.join(f'{name}={_stable_dump(value)}' for name, value in fields)})"


def _is_ignored(node: Any) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == check.__name__:
        return True
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def accept(names: Iterable[str]) -> None:
    """Record the current rules of these checks as reviewed."""
    kept: dict[str, Any] = {"rules": {}, "unread": sorted(name for name, item in all_checks().items() if item.stage is not Stage.PREVIEW)}
    if RULES.exists():
        kept = json.loads(RULES.read_text(encoding="utf-8"))
    for name in names:
        kept["rules"][name] = rule_sha256(all_checks()[name])
    kept["unread"] = sorted(set(kept["unread"]) - set(kept["rules"]))
    RULES.write_text(json.dumps(kept, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def unchanged(found: Iterable[Row], read: Mapping[str, list[Row]]) -> list[str]:
    """Return the checks whose rule changed after the review but whose rows are still the same."""
    rules = json.loads(RULES.read_text(encoding="utf-8"))["rules"]
    changed = {name for name, digest in rules.items() if name in all_checks() and rule_sha256(all_checks()[name]) != digest}
    rows: dict[str, list[Row]] = defaultdict(list)
    for row in found:
        rows[row["check"]].append(row)
    return [name for name in sorted(changed) if rows[name] == read.get(name)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print rows, or accept rules."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pages", type=Path, nargs="?", help="directory of *.html.gz")
    parser.add_argument("--category", action="append", default=[], help="only the checks of this category; may be repeated")
    parser.add_argument("--check", action="append", default=[], help="only this check; may be repeated")
    parser.add_argument("--write", action="store_true", help="put the rows into research/precision.csv")
    parser.add_argument("--summary", action="store_true", help="print the numbers of docs/explanation/rightness.md")
    parser.add_argument("--accept", nargs="+", metavar="CHECK", help="the rows of these checks were read with the rule as it is")
    parser.add_argument("--accept-unchanged", action="store_true", help="accept the rules that give the same rows as before")
    given = parser.parse_args(arguments)
    if given.accept:
        accept(given.accept)
        return
    if given.summary:
        print(summary())
        return
    if given.pages is None:
        parser.error("which pages?")
    wanted = [
        item
        for item in all_checks().values()
        if (not given.category and not given.check) or item.category in given.category or item.id in given.check
    ]
    read = read_rows()
    found = list(candidates(sorted(given.pages.glob("*.html.gz")), wanted, read))
    if given.accept_unchanged:
        accept(same := unchanged(found, read))
        sys.stdout.write("".join(f"{name}\n" for name in same))
        return
    if given.write:
        others = [row for name, rows in read.items() if name not in {item.id for item in wanted} for row in rows]
        order = {name: place for place, name in enumerate(all_checks())}
        ROWS.write_text(table(sorted([*others, *found], key=lambda row: order.get(row["check"], len(order)))), encoding="utf-8")
        return
    sys.stdout.write(table(found))


if __name__ == "__main__":
    main()
