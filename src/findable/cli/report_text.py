"""A report as text: the first five lines say it all, then what to fix first."""

from collections.abc import Iterator, Mapping
from typing import Any

from findable.checks.engine import all_checks
from findable.cli.terminal import Terminal, clean
from findable.export import first_line
from findable.reports.fixes import first_fixes, fixes_in_order
from findable.reports.scoring import rating_of
from findable.reports.titles import score_span
from findable.wording import Wording, later

MAX_LINES = 40
EVIDENCE_LINES = 2
FOOTER_LINES = 3
EFFORT = {1: later("one line in the page"), 3: later("a server setting"), 8: later("content or code")}
RATED = {"good": later("Rated good"), "decent": later("Rated decent"), "bad": later("Rated bad")}
NEXT = {
    "good": later("Next rating: good (%(span)s) by %(fixes)s below"),
    "decent": later("Next rating: decent (%(span)s) by %(fixes)s below"),
}
MARKS = {"failed": "✗", "warned": "!", "unknown": "?", "info": "i", "passed": "✓", "inapplicable": "–"}


def report_lines(report: Mapping[str, Any], terminal: Terminal, *, everything: bool = False) -> list[str]:
    """The report in at most MAX_LINES lines, or whole with ``everything``."""
    if report["status"] == "failed":
        return _not_seen(report, terminal)
    problems = fixes_in_order(report)
    lines = _summary(report, terminal)
    if everything:
        return [*lines, "", *_all(report, terminal)]
    shown = 0
    if problems:
        lines += ["", terminal.paint(terminal.say("Fix first"), "bold")]
        for number, result in enumerate(first_fixes(report), 1):
            block = list(_problem(number, result, terminal))
            if len(lines) + len(block) > MAX_LINES - FOOTER_LINES:
                break
            lines += block
            shown = number
    return [*lines, "", *_footer(report, len(problems) - shown, terminal)]


def _summary(report: Mapping[str, Any], terminal: Terminal) -> list[str]:
    """Address, rating, score, why, next rating: five lines."""
    say = terminal.say
    rating = report["result"]
    address = clean(report["url"])
    if report["judged_as"]:
        address = say("%(address)s (judged as %(origin)s)", address=address, origin=clean(report["judged_as"]))
    word = terminal.paint(say.text(RATED[rating]), rating) if rating else say("Not rated")
    provisional = f" ({say('provisional')})" if report["explained"]["provisional"] else ""
    measured = say.number(round(report["coverage"] * 100))
    score = "–" if report["score"] is None else say("%(score)s of 100", score=report["score"])
    return [
        terminal.cut(address),
        word + provisional,
        terminal.cut(say("Score %(score)s, %(percent)s %% of what applies was measured", score=score, percent=measured)),
        terminal.cut(_why(report, say)),
        terminal.cut(_next(report, say)),
    ]


def _why(report: Mapping[str, Any], say: Wording) -> str:
    held = report["explained"]["held_down_by"]
    counts = report["counts"]
    if report.get("error"):
        return clean(report["error"]["message"])
    if held:
        causes = [result["summary"] for result in report["results"] if result["id"] in held["checks"]]
        line = say("Held down to %(score)s by: %(cause)s", score=held["score"], cause=clean(causes[0]))
        more = len(causes) - 1
        return f"{line} {say.plural('(and %(count)s more)', '(and %(count)s more)', more)}" if more else line
    if not counts["failed"] + counts["warned"]:
        return say("No problem found; %(count)s checks passed", count=counts["passed"])
    return say("%(failed)s failed, %(warned)s warned, %(passed)s passed, %(unknown)s unknown", **counts)


def _next(report: Mapping[str, Any], say: Wording) -> str:
    path = report["explained"]["next_rating"]
    if report["result"] == "good":
        return say("Next rating: none, this is the best one")
    if path is None:
        return say("Next rating: not reachable by the fixes named here")
    fixes = say.plural("fix 1", "fixes 1 to %(count)s", len(path["checks"]))
    return say(NEXT[rating_of(path["score_to"]).value], span=score_span(path, say), fixes=fixes)


def _problem(number: int, result: Mapping[str, Any], terminal: Terminal) -> Iterator[str]:
    first = f"{number:>3}. {MARKS[result['verdict']]} "
    yield from terminal.wrap(clean(result["summary"]), " " * len(first), first)[:2]
    say = terminal.say
    for item in result["evidence"][:EVIDENCE_LINES]:
        yield terminal.cut(clean(first_line(item, say)), "       ")
    effort = say.text(EFFORT[result["effort"]])
    if result["lost"]:
        yield terminal.cut(say("costs %(points)s points; to mend: %(effort)s", points=say.number(result["lost"]), effort=effort), "       ")
    else:
        yield terminal.cut(say("costs no points; to mend: %(effort)s", effort=effort), "       ")


def _footer(report: Mapping[str, Any], rest: int, terminal: Terminal) -> list[str]:
    say, counts = terminal.say, report["counts"]
    accepted = sum(bool(result["accepted"]) for result in report["results"])
    parts = [
        say.plural("%(count)s more to fix", "%(count)s more to fix", rest) if rest else "",
        say("%(passed)s passed, %(unknown)s unknown, %(inapplicable)s not applicable", **counts),
        say.plural("%(count)s accepted", "%(count)s accepted", accepted) if accepted else "",
    ]
    return terminal.wrap(say("%(what)s (--all shows them)", what=", ".join(filter(None, parts))))


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
        yield from terminal.wrap(terminal.say("Not asked in this profile: %(names)s", names=names), "  ", "")


def _accepted(report: Mapping[str, Any], terminal: Terminal) -> Iterator[str]:
    """What somebody accepted, with the reason; nothing where nothing was."""
    accepted = [result for result in report["results"] if result["accepted"]]
    if not accepted:
        return
    yield terminal.paint(terminal.say("Accepted, in no score"), "bold")
    for result in accepted:
        yield from terminal.wrap(f"{clean(result['summary'])} [{result['id']}]", "    ", f"  {MARKS[result['verdict']]} ")
        reason, until = clean(result["accepted"]["reason"]), result["accepted"]["until"]
        if until:
            yield from terminal.wrap(terminal.say("Because: %(reason)s (until %(day)s)", reason=reason, day=until), "      ")
        else:
            yield from terminal.wrap(terminal.say("Because: %(reason)s", reason=reason), "      ")
    yield ""


def _entry(result: Mapping[str, Any], terminal: Terminal) -> Iterator[str]:
    yield from terminal.wrap(f"{clean(result['summary'])} [{result['id']}]", "    ", f"  {MARKS[result['verdict']]} ")
    if result["verdict"] in ("failed", "warned"):
        for item in result["evidence"]:
            yield terminal.cut(clean(first_line(item, terminal.say)), "      ")
        hidden = result["evidence_count"] - len(result["evidence"])
        if hidden > 0:
            yield "      " + terminal.say.plural("and %(count)s more", "and %(count)s more", hidden)
        fix = result["how_to_fix"].split("\n\n")[0]
        yield from terminal.wrap(terminal.say("Fix: %(how)s", how=" ".join(fix.split())), "      ")


def _not_seen(report: Mapping[str, Any], terminal: Terminal) -> list[str]:
    error = report["error"]
    say = terminal.say
    retry = say("Trying again can help.") if error["retryable"] else say("Trying again will not help by itself.")
    detail = clean(error.get("detail") or "")
    lines = [
        terminal.cut(clean(report["url"])),
        say("Not rated: the page could not be seen"),
        *terminal.wrap(clean(error["message"])),
    ]
    if detail:
        lines += terminal.wrap(detail)
    if error["code"] == "target_refused":
        lines += terminal.wrap(say("A private host is reached where it is typed, or named by --allow-target."))
    return [*lines, f"{retry} [{error['code']}]"]


def check_lines(check_id: str, terminal: Terminal) -> list[str]:
    """A check's page for the terminal."""
    check = all_checks()[check_id]
    say, text = terminal.say, check.documentation
    lines = [
        terminal.paint(f"{check.id}: {say.text(check.question)}", "bold"),
        say(
            "%(category)s, importance %(importance)s, effort: %(effort)s",
            category=check.category.value,
            importance=say.text(check.importance.value),
            effort=say.text(EFFORT[int(check.effort)]),
        ),
        "",
        *_paragraphs(say.text(text.summary), terminal),
    ]
    parts = (
        (say("Why it matters"), text.why),
        (say("How to fix"), text.how),
        (say("Sources"), text.sources),
        (say("Not judged"), text.not_judged),
    )
    for title, part in parts:
        if part:
            lines += ["", terminal.paint(title, "bold"), *_paragraphs(say.text(part), terminal)]
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
