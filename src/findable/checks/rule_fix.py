"""Fixes of robots rules in metas and X-Robots-Tag headers."""

import re
from collections.abc import Iterable, Iterator

from findable.artifacts.page.robots_directives import Directive
from findable.checks.page_fix import Fix, attribute_fix, header_fix


def rule_fixes(rules: Iterable[Directive], replacement: str = "") -> Iterator[Fix | None]:
    """Yield each meta element or header without these robots rules, or with another rule in their place.

    ``none`` means noindex and nofollow: if one of them is removed, the other one is written out.
    """
    sources: dict[object, list[Directive]] = {}
    for rule in rules:
        sources.setdefault(rule.element or rule.header_value, []).append(rule)
    for same in sources.values():
        element = same[0].element
        written = (element.attr("content") or "") if element is not None else same[0].header_value
        left = _replace_rules(written, same, replacement)
        yield header_fix("X-Robots-Tag", left) if element is None else attribute_fix(element, content=left)


def _replace_rules(text: str, rules: list[Directive], instead: str) -> str:
    names = "|".join(re.escape(rule.name) for rule in rules)
    kept = re.sub(rf"(?:^|(?<=[\s,:]))(?:{names})(?:\s*:[^,]*)?(?=[\s,]|$)", "", text, flags=re.IGNORECASE)
    parts = [part.strip() for part in kept.split(",") if part.strip()]
    return ", ".join((*parts, instead) if instead else parts) or "all"
