"""A report as text: the first five lines say it all, then what to fix first."""

from collections.abc import Iterator, Mapping
from typing import Any

from findable.checks.engine import all_checks
from findable.cli.terminal import Terminal, clean
from findable.errors import as_sentence
from findable.reports.scoring import rating_of

MAX_LINES = 40
FIX_FIRST = 5
EVIDENCE_LINES = 2
FOOTER_LINES = 3
EFFORT = {1: "one line in the page", 3: "a server setting", 8: "content or code"}
MARKS = {"failed": "✗", "warned": "!", "unknown": "?", "info": "i", "passed": "✓", "inapplicable": "–"}


def report_lines(report: Mapping[str, Any], terminal: Terminal, *, everything: bool = False) -> list[str]:
    """The report in at most MAX_LINES lines, or whole with ``everything``."""
    if report["status"] == "failed":
        return _not_seen(report, terminal)
    problems = fix_first(report)
    lines = _summary(report, terminal)
    if everything:
        return [*lines, "", *_all(report, terminal)]
    shown = 0
    if problems:
        lines += ["", terminal.paint("Fix first", "bold")]
        for number, result in enumerate(problems[: max(FIX_FIRST, _path_length(report))], 1):
            block = list(_problem(number, result, terminal))
            if len(lines) + len(block) > MAX_LINES - FOOTER_LINES:
                break
            lines += block
            shown = number
    return [*lines, "", *_footer(report, len(problems) - shown, terminal)]


def fix_first(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What is held against the page: the cheapest way to the next rating first, then by points lost."""
    path = report["explained"]["next_rating"]
    order = {name: index for index, name in enumerate(path["checks"])} if path else {}
    held = (result for result in report["results"] if result["verdict"] in ("failed", "warned") and not result.get("accepted"))
    return sorted(held, key=lambda result: (order.get(result["id"], len(order)), -result["lost"], result["effort"], result["id"]))


def _path_length(report: Mapping[str, Any]) -> int:
    path = report["explained"]["next_rating"]
    return len(path["checks"]) if path else 0


def _summary(report: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """Address, rating, score, why, next rating: five lines."""
    explained = report["explained"]
    rating = report["result"]
    address = clean(report["url"])
    if report["judged_as"]:
        address = f"{address} (judged as {clean(report['judged_as'])})"
    word = terminal.paint(f"Rated {rating}", rating) if rating else "Not rated"
    provisional = " (provisional)" if explained["provisional"] else ""
    score = "–" if report["score"] is None else f"{report['score']} of 100"
    coverage = f", {round(report['coverage'] * 100)} % of what applies was measured"
    return [
        terminal.cut(address),
        word + provisional,
        terminal.cut(f"Score {score}{coverage}"),
        terminal.cut(_why(report)),
        terminal.cut(_next(report)),
    ]


def _why(report: Mapping[str, Any]) -> str:
    held = report["explained"]["held_down_by"]
    counts = report["counts"]
    if report.get("error"):
        return clean(report["error"]["message"])
    if held:
        causes = [result["summary"] for result in report["results"] if result["id"] in held["checks"]]
        more = f" (and {len(causes) - 1} more)" if len(causes) > 1 else ""
        return f"Held down to {held['score']} by: {clean(causes[0])}{more}"
    problems = counts["failed"] + counts["warned"]
    if not problems:
        return f"No problem found; {counts['passed']} checks passed"
    return f"{counts['failed']} failed, {counts['warned']} warned, {counts['passed']} passed, {counts['unknown']} unknown"


def _next(report: Mapping[str, Any]) -> str:
    path = report["explained"]["next_rating"]
    if report["result"] == "good":
        return "Next rating: none, this is the best one"
    if path is None:
        return "Next rating: not reachable by the fixes named here"
    low, high = path["score_from"], path["score_to"]
    span = str(high) if low == high else f"{low} to {high}"
    count = len(path["checks"])
    which = "fix 1" if count == 1 else f"fixes 1 to {count}"
    return f"Next rating: {rating_of(high).value} ({span}) by {which} below"


def _problem(number: int, result: Mapping[str, Any], terminal: Terminal) -> Iterator[str]:
    first = f"{number:>3}. {MARKS[result['verdict']]} "
    yield from terminal.wrap(clean(result["summary"]), " " * len(first), first)[:2]
    for item in result["evidence"][:EVIDENCE_LINES]:
        yield terminal.cut(evidence_text(item), "       ")
    worth = f"costs {result['lost']} points" if result["lost"] else "costs no points"
    yield terminal.cut(f"{worth}; to mend: {EFFORT[result['effort']]}", "       ")


def evidence_text(item: Mapping[str, Any]) -> str:
    """One piece of evidence on one line: where, then what."""
    where = ""
    if item.get("line"):
        where = f"line {item['line']}: "
    elif item.get("url"):
        where = f"{item['status']} " if item.get("status") else ""
    what = clean(item.get("text") or item.get("url") or item.get("selector") or "")
    note = clean(item.get("note") or "")
    return f"{where}{what}{' – ' + note if note and what else note}"


def _footer(report: Mapping[str, Any], rest: int, terminal: Terminal) -> list[str]:
    counts = report["counts"]
    more = f"{rest} more to fix, " if rest else ""
    accepted = sum(bool(result["accepted"]) for result in report["results"])
    also = f", {accepted} accepted" if accepted else ""
    known = f"{counts['passed']} passed, {counts['unknown']} unknown, {counts['inapplicable']} not applicable"
    text = f"{more}{known}{also} (--all shows them)"
    return terminal.wrap(text)


def _all(report: Mapping[str, Any], terminal: Terminal) -> Iterator[str]:
    titles = {category["id"]: category for category in report["categories"]}
    for category_id, category in titles.items():
        score = "" if category["score"] is None else f"  {category['score']}"
        yield terminal.paint(f"{category['title']}{score}", "bold")
        for verdict in MARKS:
            for result in report["results"]:
                if result["category"] == category_id and result["verdict"] == verdict and not result["accepted"]:
                    yield from _entry(result, terminal)
        yield ""
    yield from _accepted(report, terminal)
    names = ", ".join(report["not_asked"])
    if names:
        yield from terminal.wrap(f"Not asked in this profile: {names}", "  ", "")


def _accepted(report: Mapping[str, Any], terminal: Terminal) -> Iterator[str]:
    """What somebody accepted, with the reason; nothing where nothing was."""
    accepted = [result for result in report["results"] if result["accepted"]]
    if not accepted:
        return
    yield terminal.paint("Accepted, in no score", "bold")
    for result in accepted:
        yield from terminal.wrap(f"{clean(result['summary'])} [{result['id']}]", "    ", f"  {MARKS[result['verdict']]} ")
        until = f" (until {result['accepted']['until']})" if result["accepted"]["until"] else ""
        yield from terminal.wrap(f"Because: {clean(result['accepted']['reason'])}{until}", "      ")
    yield ""


def _entry(result: Mapping[str, Any], terminal: Terminal) -> Iterator[str]:
    yield from terminal.wrap(f"{clean(result['summary'])} [{result['id']}]", "    ", f"  {MARKS[result['verdict']]} ")
    if result["verdict"] in ("failed", "warned"):
        for item in result["evidence"]:
            yield terminal.cut(evidence_text(item), "      ")
        hidden = result["evidence_count"] - len(result["evidence"])
        if hidden > 0:
            yield f"      and {hidden} more"
        fix = result["how_to_fix"].split("\n\n")[0]
        yield from terminal.wrap(f"Fix: {' '.join(fix.split())}", "      ")


def _not_seen(report: Mapping[str, Any], terminal: Terminal) -> list[str]:
    error = report["error"]
    retry = "Trying again can help." if error["retryable"] else "Trying again will not help by itself."
    detail = clean(error.get("detail") or "")
    lines = [terminal.cut(clean(report["url"])), "Not rated: the page could not be seen", *terminal.wrap(clean(error["message"]))]
    if detail:
        lines += terminal.wrap(as_sentence(detail))
    return [*lines, f"{retry} [{error['code']}]"]


def check_lines(check_id: str, terminal: Terminal) -> list[str]:
    """A check's page for the terminal."""
    check = all_checks()[check_id]
    text = check.documentation
    lines = [
        terminal.paint(f"{check.id}: {check.question}", "bold"),
        f"{check.category.value}, importance {check.importance.value}, effort: {EFFORT[int(check.effort)]}",
        "",
        *_paragraphs(text.summary, terminal),
    ]
    for title, part in (("Why it matters", text.why), ("How to fix", text.how), ("Sources", text.sources), ("Not judged", text.not_judged)):
        if part:
            lines += ["", terminal.paint(title, "bold"), *_paragraphs(part, terminal)]
    return lines


def _paragraphs(text: str, terminal: Terminal) -> Iterator[str]:
    """Paragraphs wrapped, indented examples as they are."""
    for index, paragraph in enumerate(text.split("\n\n")):
        if index:
            yield ""
        if all(line.startswith("    ") for line in paragraph.splitlines()):
            yield from (terminal.cut(line) for line in paragraph.splitlines())
        else:
            yield from terminal.wrap(" ".join(paragraph.split()), "  ")
