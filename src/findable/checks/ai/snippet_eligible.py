"""The page forbids snippets, or allows only a few characters.

In plain words: Google may show no text, or hardly any, under this page's title, so people cannot tell what it offers.

Why it matters: Without a snippet the result is a bare title. Google's AI Overviews and AI Mode only use what may be shown as a snippet, so
the page is not cited there either.

How to fix: Remove the rule unless it is meant.

    <meta name="robots" content="max-snippet:-1">

Sources: [Google: robots meta tag](https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag) (2025): nosnippet and
max-snippet:0 also keep the content out of AI Overviews and AI Mode; [Google: AI
features](https://developers.google.com/search/docs/appearance/ai-features) (2025). The limit of 160 characters, about one and a half lines,
is set by this report.

Not judged: data-nosnippet on parts of the page, see the check of that name; rules for other crawlers than Google's.
"""

from findable.artifacts.html.document import Document
from findable.artifacts.page.robots_directives import GOOGLE, RobotsDirectives
from findable.checks.engine import Finding, check, element, failed, passed, warned
from findable.checks.indexing_evidence import directive_evidence
from findable.checks.robots_rule_fix import rule_fixes
from findable.vocabulary import Effort, Importance

USEFUL_CHARACTERS = 160


@check("May the page be quoted?", Importance.HIGH, Effort.HEAD, failed=150, warned=50, depends_on=("noindex",))
def snippet_eligible(document: Document, directives: RobotsDirectives) -> Finding:
    rule = directives.shortest_snippet(*GOOGLE)
    if rule is None:
        return passed(
            "Nothing forbids quoting the page", evidence=element(document.head, "no nosnippet and no max-snippet, here or in the headers")
        )
    if rule.name == "nosnippet":
        return failed("nosnippet prevents snippets and use in AI Overviews", evidence=directive_evidence(rule), fixes=rule_fixes([rule]))
    limit = rule.number
    if limit is None or limit < 0:
        return passed("Snippets may have any length", evidence=directive_evidence(rule))
    if limit == 0:
        return failed(
            "max-snippet:0 prevents snippets and use in AI Overviews", evidence=directive_evidence(rule), fixes=rule_fixes([rule])
        )
    if limit < USEFUL_CHARACTERS:
        return warned(
            "Snippets may have only {count|character|characters}, fewer than {least}",
            count=limit,
            least=USEFUL_CHARACTERS,
            evidence=directive_evidence(rule),
            fixes=rule_fixes([rule]),
        )
    return passed("Snippets may have {count|character|characters}", count=limit, evidence=directive_evidence(rule))
