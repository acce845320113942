"""An article does not allow large image previews.

In plain words: Google may show this article only with a small image or none, so fewer people notice it.

Why it matters: Google Discover shows articles with large images far more prominently, but only if max-image-preview is large.

How to fix: Allow it for the whole site in the template.

    <meta name="robots" content="max-image-preview:large">

Sources: [Google: Discover](https://developers.google.com/search/docs/appearance/google-discover) (2025): large images are enabled by the
max-image-preview:large setting, or by AMP.

Not judged: pages that are not marked as articles; AMP pages.
"""

from findable.artifacts.html.document import Document
from findable.artifacts.page.article import Article
from findable.artifacts.page.early_head_end import EarlyHeadEnd
from findable.artifacts.page.robots_directives import GOOGLE, RobotsDirectives
from findable.checks.engine import Finding, check, element, inapplicable, passed, warned
from findable.checks.indexing_evidence import directive_evidence
from findable.checks.page_fix import head_fix, tag
from findable.checks.robots_rule_fix import rule_fixes
from findable.vocabulary import Effort, Importance

STRICTEST_FIRST = ("none", "standard", "large")


@check("Are large image previews allowed?", Importance.LOW, Effort.HEAD, warned=10, depends_on=("noindex",))
def max_image_preview(document: Document, article: Article, directives: RobotsDirectives, early_end: EarlyHeadEnd | None) -> Finding:
    root = document.html
    if root.attr("amp") is not None or root.attr("⚡") is not None:
        return inapplicable("An AMP page")
    rules = [item for item in directives.for_agents(*GOOGLE) if item.name == "max-image-preview" and item.value.lower() in STRICTEST_FIRST]
    if not rules:
        return warned(
            "The page is an article ({sign}) and does not allow large previews",
            sign="og:type article" if article.sign == "og:type" else article.sign,
            evidence=element(document.head, "no max-image-preview, here or in the headers"),
            fixes=[] if early_end and early_end.element else [head_fix(tag("meta", name_="robots", content="max-image-preview:large"))],
        )
    rule = min(rules, key=lambda item: STRICTEST_FIRST.index(item.value.lower()))
    if rule.value.lower() == "large":
        return passed("Large previews are allowed", evidence=directive_evidence(rule))
    return warned(
        "max-image-preview is {value}, not large",
        value=rule.value,
        evidence=directive_evidence(rule),
        fixes=rule_fixes([rule], "max-image-preview:large"),
    )
