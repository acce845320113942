"""Robots rules of the page contradict each other, or are unknown to search engines.

In plain words: Google may treat this page differently than you want, because the instructions for it are mistyped or contradict each other.

Why it matters: Of two rules that contradict each other, the stricter one wins, which is rarely intended. A misspelled rule does nothing.

How to fix: Keep one meta element with the intended rules. Without one, everything is allowed.

    <meta name="robots" content="max-image-preview:large">

Sources: [Google: Robots meta tag, data-nosnippet, and X-Robots-Tag
specifications](https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag) (2025); [Google: All meta tags that Google
understands](https://developers.google.com/search/docs/crawling-indexing/special-tags) (2025); Bing, "Robots meta tags" (2024), which
documents noarchive and nocache.

Not judged: rules that repeat the default (index, follow, all) without a contradiction.
"""

from collections.abc import Iterator, Sequence

from findable.artifacts.page.early_head_end import EarlyHeadEnd
from findable.artifacts.page.head import Head
from findable.artifacts.page.robots_directives import DEAD, GOOGLE, PLAIN, VALUED, Directive, RobotsDirectives
from findable.checks.engine import Evidence, Finding, check, inapplicable, info, passed, warned, with_fault
from findable.checks.indexing_evidence import directive_evidence
from findable.vocabulary import Effort, Fault, Importance, Verdict

IMAGE_PREVIEWS = frozenset({"none", "standard", "large"})
OPPOSITES = (("index", "noindex"), ("follow", "nofollow"), ("index", "none"), ("follow", "none"), ("all", "noindex"), ("all", "none"))
GOOGLEBOT = "googlebot"
"""Crawler of web search; others, such as googlebot-news, may have different rules."""
SINGLE = ("max-snippet", "max-image-preview", "max-video-preview")


@check(
    "Are the robots rules valid and free of contradictions?",
    Importance.LOW,
    Effort.HEAD,
    costs={Fault.ROBOTS_IN_BODY: 60, Verdict.WARNED: 20},
)
def robots_meta_valid(directives: RobotsDirectives, head: Head, early_end: EarlyHeadEnd | None) -> Finding:
    """Checks each robots rule, then the rules of one crawler for contradictions."""
    if not directives.all:
        return inapplicable("The page has no robots rules")
    in_body = [meta.element for meta in head.metas if not meta.in_head and not early_end.loses(meta.element)] if early_end else []
    in_body = [node for node in in_body if any(item.element == node for item in directives.all)]
    if in_body and not directives.noindex(*GOOGLE):  # noindex itself is reported by the check noindex
        return with_fault(
            warned("Robots rules are in the body, where not every crawler reads them", evidence=in_body), Fault.ROBOTS_IN_BODY
        )
    idle = [item for item in directives.all if _fault(item)]
    odd = [*(directive_evidence(item, "{rule}: " + _fault(item), rule=item.name) for item in idle), *_conflicts(directives)]
    if idle and len(odd) == len(idle) and all(item.name in DEAD for item in idle):
        return info("Robots rules of services that ended: {rules}", rules=_join_rules(idle), evidence=odd)
    if idle:
        return warned("Robots rules without effect: {rules}", rules=_join_rules(idle), evidence=odd)
    if odd:
        return warned("Robots rules contradict each other: {rules}", rules=_join_rules(directives.all), evidence=odd)
    count = len(directives.all)
    return passed(
        "{count|robots rule|robots rules}, valid and without contradictions: {rules}", count=count, rules=_join_rules(directives.all)
    )


def _fault(item: Directive) -> str:
    if item.name in DEAD:
        return "a rule whose service ended"
    if item.name in VALUED:
        return _value_fault(item)
    if item.name not in PLAIN:
        return "a rule that no search engine documents"
    return "" if item.follows_comma else "a comma is missing before a rule"


def _value_fault(item: Directive) -> str:
    if item.name == "unavailable_after":
        return "" if item.moment else "the date cannot be read"
    if item.name == "max-image-preview":
        return "" if item.value.lower() in IMAGE_PREVIEWS else "the value is none of none, standard, large"
    return "" if item.number is not None and item.number >= -1 else "the value is not a number"


def _conflicts(directives: RobotsDirectives) -> Iterator[Evidence]:
    everybody = {item.name: item for item in directives.all if not item.agent}
    for agent in ("", *directives.agents):
        own = {item.name: item for item in directives.all if item.agent == agent}
        for allowing, forbidding in OPPOSITES:
            if allowing in own and forbidding in own:
                yield directive_evidence(
                    own[forbidding], "{allowing} and {forbidding} contradict each other", allowing=allowing, forbidding=forbidding
                )
            elif agent == GOOGLEBOT and allowing in everybody and forbidding in own:
                note = "{forbidding} for {agent} contradicts {allowing} for all; the stricter rule counts"
                yield directive_evidence(own[forbidding], note, allowing=allowing, forbidding=forbidding, agent=agent)
            elif agent == GOOGLEBOT and allowing in own and forbidding in everybody:
                note = "{allowing} for {agent} contradicts {forbidding} for all; the stricter rule counts"
                yield directive_evidence(own[allowing], note, allowing=allowing, forbidding=forbidding, agent=agent)
        for name in SINGLE:
            values = {item.value.lower() for item in directives.all if item.agent == agent and item.name == name}
            if len(values) > 1:
                yield directive_evidence(own[name], "{rule} has different values", rule=name)
    embedded = directives.first(("indexifembedded",))
    if embedded and not directives.noindex(embedded.agent):
        yield directive_evidence(embedded, "indexifembedded does nothing without noindex")


def _join_rules(directives: Sequence[Directive]) -> str:
    rules = (f"{item.name}:{item.value}" if item.value else item.name for item in directives)
    return ", ".join(dict.fromkeys(rules))[:200]
