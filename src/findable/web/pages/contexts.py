"""What the report page shows, as values that need no thinking in the template."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from findable.checks.engine import all_checks
from findable.clock import rfc3339
from findable.reports.messages import format_value
from findable.reports.model import body
from findable.reports.scoring import PROVISIONAL_BELOW
from findable.service.values import ReportView
from findable.urls import display_host, parse
from findable.vocabulary import Effort, Privacy, Status, Verdict
from findable.web.api.addresses import Addresses

Finding = Mapping[str, Any]
FIXES_SHOWN = 5
RING_RADIUS = 52
RING_LENGTH = 326.7
"""Circumference of the score ring, 2π · RING_RADIUS."""

EFFORTS = {Effort.HEAD: "one line", Effort.SERVER: "a server setting", Effort.CONTENT: "content or code"}
PRIVACIES = {Privacy.PUBLIC: "Public: anyone with the link", Privacy.PRIVATE: "Private: only you", Privacy.PASSWORD: "Behind a password"}
RATINGS = {"good": "Good", "decent": "Decent", "bad": "Bad"}
STAGES = {
    "fetch": "fetching the page",
    "site": "asking what belongs to the site",
    "page": "asking for what the page loads and links to",
    "checks": "checking",
}

SEARCH_ROWS = (
    ("http-status", "Status"),
    ("robots-txt-allows", "robots.txt"),
    ("noindex", "Indexing"),
    ("canonical-valid", "Canonical address"),
    ("canonical-self", "Canonical is this page"),
    ("sitemap-lists-page", "Sitemap"),
    ("html-lang", "Language"),
)
"""Checks that say what search engines may do with the page, in the order in which they matter."""

NEXT_STEPS = {
    "login_required": "Report the page as a visitor sees it without signing in, or give the service a login for this site.",
    "access_denied": "Allow our user agent and address on the server or its firewall, then generate the report again.",
    "bot_challenge": "Let our user agent pass the bot protection or consent wall, then generate the report again.",
    "target_rate_limited": "Wait some minutes, then generate the report again.",
    "needs_browser": "Serve the content in the HTML itself. Many crawlers see what we saw: an empty page.",
    "dns_failed": "Check the spelling of the host and its DNS records, then generate the report again.",
    "connect_failed": "Check that the server runs and that its firewall lets us in, then generate the report again.",
    "tls_failed": "Check the certificate and the TLS settings of the server.",
    "target_timeout": "Check how long the server takes to answer, then generate the report again.",
    "too_many_redirects": "Follow the redirects listed by the server by hand; one of them leads back to an earlier one.",
    "not_html": "Report the address of an HTML page.",
    "target_refused": "Report an address on the public internet, or ask the operator of this service to allow this one.",
    "worker_crashed": "Generate the report again. If it happens once more, tell the operator of this service.",
    "internal_error": "Generate the report again. If it happens once more, tell the operator of this service.",
}
"""What the owner of a page can do where it could not be seen."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of "What search engines may do with this page"."""

    label: str
    finding: Finding


@dataclass(frozen=True, slots=True)
class Fix:
    """One thing to fix first."""

    finding: Finding
    effort: str
    on_path: bool
    """Part of the cheapest way to the next rating."""


@dataclass(frozen=True, slots=True)
class Group:
    """One category."""

    id: str
    title: str
    score: int | None
    against: tuple[Finding, ...]
    """Failed and warned, worst first."""
    notes: tuple[Finding, ...]
    """Unknown and informative."""
    passed: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the facts appendix."""

    name: str
    value: Any
    count: int | None
    """How many there are, where it is a list; it may hold fewer."""


_ORDER = {verdict.value: index for index, verdict in enumerate((Verdict.FAILED, Verdict.WARNED, Verdict.UNKNOWN, Verdict.INFO))}


def report_page(view: ReportView, at: Addresses, *, is_owner: bool) -> dict[str, Any]:
    """The variables of report.html."""
    shown = body(view.analysis, at.check_docs) if view.analysis else {"results": [], "facts": {}, "explained": {}}
    findings: list[Finding] = shown["results"]
    facts: Mapping[str, Any] = shown["facts"]
    by_id = {str(finding["id"]): finding for finding in findings}
    title = page_title(facts)
    return {
        "view": view,
        "is_owner": is_owner,
        "title": title,
        "name": title or readable_address(view.url),
        "requested_url": shown.get("requested_url", view.url),
        "reached_url": shown.get("url", view.url),
        "short_address": readable_address(shown.get("url", view.url)),
        "hops": _hops(facts),
        "captured_at": shown.get("captured_at") or (rfc3339(view.generated_at) if view.generated_at else ""),
        "privacy": PRIVACIES[view.privacy],
        "rating": RATINGS.get(view.result.value, "") if view.result else "",
        "ring": ring(view.score),
        "counts_words": counts_sentence(view.counts) if findings else "",
        "provisional": view.coverage is not None and view.coverage < PROVISIONAL_BELOW and view.score is not None,
        "held": _held(shown["explained"], by_id),
        "next_step": NEXT_STEPS.get(view.error.code, "") if view.error else "",
        "stage": STAGES.get(view.progress.stage, "waiting for its turn") if view.progress else "",
        "refresh_s": _refresh_s(view),
        "search_rows": [Row(label, by_id[name]) for name, label in SEARCH_ROWS if name in by_id],
        "fixes": fixes(findings, shown["explained"]),
        "path": shown["explained"].get("next_rating"),
        "path_effort": _path_effort(shown["explained"].get("next_rating")),
        "groups": groups(findings, view.categories),
        "accepted": [finding for finding in findings if finding["accepted"]],
        "inapplicable": [finding for finding in findings if finding["verdict"] == Verdict.INAPPLICABLE],
        "not_asked": [all_checks()[name] for name in view.not_asked if name in all_checks()],
        "facts": sections(facts),
        "result_preview": _result_preview(facts),
        "ratings": RATINGS,
        "is_empty": is_empty,
        "cell": cell,
        "columns": columns,
    }


def page_title(facts: Mapping[str, Any]) -> str:
    """The title the page gives itself, empty where none is known."""
    found = facts.get("title")
    if isinstance(found, Mapping):
        found = found.get("text")
    return " ".join(found.split()) if isinstance(found, str) else ""


def readable_address(url: str) -> str:
    """An address without its scheme, IDN hosts in their own script."""
    parsed = parse(url)
    if parsed is None:
        return url
    port = f":{parsed.port}" if parsed.origin.count(":") > 1 else ""
    return f"{display_host(parsed.host)}{port}{'' if parsed.path_and_query == '/' else parsed.path_and_query}"


def ring(score: int | None) -> str:
    """`stroke-dasharray` of the score ring."""
    return f"{RING_LENGTH * (score or 0) / 100:.1f} {RING_LENGTH}"


def counts_sentence(counts: Mapping[str, int]) -> str:
    """``1 problem, 6 warnings, 88 passed, 20 not applicable, 3 could not be measured``."""
    words = (
        (Verdict.FAILED, "problem", "problems"),
        (Verdict.WARNED, "warning", "warnings"),
        (Verdict.PASSED, "passed", "passed"),
        (Verdict.INAPPLICABLE, "not applicable", "not applicable"),
        (Verdict.UNKNOWN, "could not be measured", "could not be measured"),
    )
    parts = [
        f"{counts[verdict.value]} {one if counts[verdict.value] == 1 else many}"
        for verdict, one, many in words
        if counts.get(verdict.value)
    ]
    return ", ".join(parts)


def fixes(findings: Iterable[Finding], explained: Mapping[str, Any]) -> list[Fix]:
    """The cheapest way to the next rating first, then what costs most points for its effort."""
    path = list((explained.get("next_rating") or {}).get("checks", ()))
    against = {
        finding["id"]: finding for finding in findings if finding["verdict"] in (Verdict.FAILED, Verdict.WARNED) and not finding["accepted"]
    }
    rest = sorted(
        (finding for name, finding in against.items() if name not in path and finding["lost"]),
        key=lambda finding: (-finding["lost"] / finding.get("effort", Effort.CONTENT), finding["id"]),
    )
    chosen = [against[name] for name in path if name in against] + rest
    return [
        Fix(finding, EFFORTS.get(Effort(finding["effort"]), "") if "effort" in finding else "", finding["id"] in path)
        for finding in chosen[: max(FIXES_SHOWN, len(path))]
    ]


def groups(findings: Iterable[Finding], categories: Iterable[Mapping[str, Any]]) -> list[Group]:
    """Findings by category, worst first."""
    found = list(findings)
    made = []
    for category in categories:
        of = [finding for finding in found if finding.get("category") == category["id"] and not finding["accepted"]]
        shown = sorted(
            (item for item in of if item["verdict"] in _ORDER), key=lambda item: (_ORDER[item["verdict"]], -item["lost"], item["id"])
        )
        against = tuple(item for item in shown if item["verdict"] in (Verdict.FAILED, Verdict.WARNED))
        notes = tuple(item for item in shown if item["verdict"] in (Verdict.UNKNOWN, Verdict.INFO))
        passed = tuple(item for item in of if item["verdict"] == Verdict.PASSED)
        if shown or passed:
            made.append(Group(category["id"], category.get("title", category["id"]), category.get("score"), against, notes, passed))
    return made


def _held(explained: Mapping[str, Any], by_id: Mapping[str, Finding]) -> dict[str, Any] | None:
    held = explained.get("held_down_by")
    if not held:
        return None
    return {"score": held["score"], "findings": [by_id[name] for name in held["checks"] if name in by_id]}


def _path_effort(path: Mapping[str, Any] | None) -> str:
    if not path:
        return ""
    efforts = [int(all_checks()[name].effort) for name in path["checks"] if name in all_checks()]
    named = [f"{efforts.count(effort)} × {words}" for effort, words in EFFORTS.items() if effort in efforts]
    return ", ".join(named)


def _hops(facts: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    timings = facts.get("timings")
    hops = timings.get("hops") if isinstance(timings, Mapping) else None
    return list(hops) if isinstance(hops, list) else []


def _refresh_s(view: ReportView) -> int:
    """How often the page reloads itself; 0 where nothing will change."""
    if view.progress is None and view.status in (Status.DONE, Status.FAILED):
        return 0
    return 2 if view.run is None else 10


FACTS_FIRST = (
    "title",
    "description",
    "canonical",
    "redirects",
    "robots",
    "robots_directives",
    "sitemap",
    "headings",
    "words",
    "keywords",
    "links",
)


def sections(facts: Mapping[str, Any]) -> list[Section]:
    """The appendix, what readers look for first; the count of a list stands beside its name."""
    names = [*(name for name in FACTS_FIRST if name in facts), *(name for name in facts if name not in FACTS_FIRST)]
    counted = [name for name in names if not (name.endswith("_count") and isinstance(facts[name], int))]
    return [Section(name, facts[name], _count_of(facts, name)) for name in counted if not is_empty(facts[name])]


def _count_of(facts: Mapping[str, Any], name: str) -> int | None:
    value = facts[name]
    if not isinstance(value, list):
        return None
    count = facts.get(f"{name}_count")
    return count if isinstance(count, int) else len(value) + int(facts.get(f"{name}_left_count") or 0)


def _result_preview(facts: Mapping[str, Any]) -> Mapping[str, str] | None:
    """Title and description as a result page has room for them."""
    shown = {name: facts[name].get("preview", "") for name in ("title", "description") if isinstance(facts.get(name), Mapping)}
    return shown if shown.get("title") else None


# --- facts of any shape -----------------------------------------------------------------------------------------------


def is_empty(value: Any) -> bool:
    """Whether nothing would be shown: null, an empty text, list or group, or a group of such."""
    if isinstance(value, Mapping):
        return all(is_empty(item) for item in value.values())
    return value is None or value == "" or (isinstance(value, list) and not value)


def columns(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """The members that at least one row has, in the order of the first."""
    found: dict[str, None] = {}
    for row in rows:
        found.update({name: None for name, value in row.items() if not is_empty(value)})
    return list(found)


def cell(name: str, value: Any) -> str:
    """One value of a table."""
    if is_empty(value):
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {cell(str(key), item)}" for key, item in value.items() if not is_empty(item))
    if isinstance(value, list):
        return ", ".join(cell(name, item) for item in value)
    return format_value(name if name.count("_") or name != "bytes" else "_bytes", value)
