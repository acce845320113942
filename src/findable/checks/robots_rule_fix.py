"""Fixes of robots rules in metas and X-Robots-Tag headers."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from findable.artifacts.page.robots_directives import GENERIC, TEXT_CHARS, Directive, rules_of_header, rules_of_meta
from findable.checks.page_fix import Fix, attribute_fix, header_fix


def rule_fixes(rules: Iterable[Directive], replacement: str = "", *, other_of_none: str = "") -> Iterator[Fix | None]:
    """Yield each meta element or header without these robots rules, or with another rule in their place; None for a header that was cut.

    ``other_of_none`` takes the place of ``none``, which means noindex and nofollow: the one of these that stays.
    """
    sources: dict[object, list[Directive]] = {}
    for rule in rules:
        sources.setdefault(rule.element or rule.header_value, []).append(rule)
    for same in sources.values():
        element, written = same[0].element, same[0].header_value
        instead = {(rule.agent, rule.name): other_of_none if rule.name == "none" else replacement for rule in same}
        if element is not None:
            left = [rule for _, rule in _left(rules_of_meta(element.attr("content") or "", same[0].agent, element), instead)]
            yield attribute_fix(element, content=", ".join(left) or "all")
        elif len(written) < TEXT_CHARS:
            yield header_fix("X-Robots-Tag", ", ".join(_with_agents(_left(rules_of_header(written), instead))) or "all")
        else:
            yield None


def _left(rules: Iterable[Directive], instead: dict[tuple[str, str], str]) -> Iterator[tuple[str, str]]:
    """Yield once the agent and the text of each rule that stays, or takes the place of another one."""
    texts = ((rule.agent, instead.get((rule.agent, rule.name), _written(rule))) for rule in rules)
    yield from dict.fromkeys((agent, text) for agent, text in texts if text)


def _written(rule: Directive) -> str:
    space = " " if rule.name == "unavailable_after" else ""
    return f"{rule.name}:{space}{rule.value}" if rule.value else rule.name


def _with_agents(rules: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield rules of a header, with the name of a crawler before the first of its rules: it applies until the next name."""
    is_named = False
    for agent, same in groupby(rules, key=lambda rule: rule[0]):
        texts = [text for _, text in same]
        is_named |= agent != GENERIC
        yield from (f"{agent or '*'}: {texts[0]}" if is_named else texts[0], *texts[1:])
