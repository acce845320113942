"""Evidence for robots rules, canonical links, language versions and robots.txt lines."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from findable.artifacts.page.canonical import Declaration
from findable.artifacts.page.hreflang import Alternate
from findable.artifacts.page.robots_directives import Directive
from findable.artifacts.site.robots import Robots
from findable.checks.engine import Evidence, element, header, quoted
from findable.formats.robots_txt import Decision
from findable.vocabulary import EVIDENCE_TEXT, Code


class Unquotable(Code, params=(EVIDENCE_TEXT,)):
    """Placeholder evidence if there is nothing to quote."""

    NO_RULE = "no rule matches"


def directive_evidence(directive: Directive, note: str = "", **params: Any) -> Evidence:
    """Return the meta element or header line with a robots rule."""
    if directive.element is not None:
        return element(directive.element, note, **params)
    return header("X-Robots-Tag", directive.header_value, note, **params)


def directives_evidence(directives: Sequence[Directive]) -> list[Evidence]:
    """Return each meta element or header line once, even if it has several rules."""
    sources: dict[object, Directive] = {}
    for item in directives:
        sources.setdefault(item.element or item.header_value, item)
    return [directive_evidence(item) for item in sources.values()]


def declaration_evidence(item: Declaration, note: str = "", **params: Any) -> Evidence:
    """Return one canonical link with its resolved URL."""
    shown = element(item.element, note, **params) if item.element is not None else header("Link", item.header_line, note, **params)
    return replace(shown, url=item.url or "")


def declarations_evidence(items: Sequence[Declaration]) -> list[Evidence]:
    """Return canonical links, each with the reason why it does not count."""
    return [declaration_evidence(item, item.ignored.value, **item.ignored_with) for item in items]


def alternate_evidence(item: Alternate, note: str = "", **params: Any) -> Evidence:
    """Return one language version; for a sitemap the element and its file."""
    if item.sitemap_url:
        return quoted(item.listed_as, note, url=item.sitemap_url, kind="sitemap", **params)
    shown = element(item.element, note, **params) if item.element is not None else header("Link", item.header_line, note, **params)
    return replace(shown, url=item.url or "")


def alternates_evidence(items: Sequence[Alternate]) -> list[Evidence]:
    """Return language versions."""
    return [alternate_evidence(item) for item in items]


def decision_evidence(robots: Robots, decision: Decision, note: str = "", **params: Any) -> Evidence:
    """Return the robots.txt line that decided, or the file if none did."""
    text = decision.rule or Unquotable.NO_RULE
    return quoted(text, note, line=decision.line, url=robots.response.url, kind="robots_txt", **params)
