"""Some pages of a template lack the structured data of the others.

In plain words: Google shows extras such as price or rating for most pages of a kind, but cannot for some.

Why it matters: Search engines show rich results for pages with structured data. If most pages of a kind have it, it is usually missing on
the others by mistake: a missing field, a variant of the template.

How to fix: Let the template write the structured data for these pages too, or find the missing value that prevents it.

Sources: [Google: introduction to structured
data](https://developers.google.com/search/docs/appearance/structured-data/intro-structured-data) (2025). 80 % and ten pages are set by
this report.

Not judged: Pages of other folders and of other builds; types without a rich result.
"""

from findable.capture.site_templates import CrawledMarkup, PartialType
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import Finding, by_cause, check, inapplicable, url_evidence
from findable.vocabulary import Effort, Importance, Stage, Verdict


@check("Do all pages of a template have its structured data?", Importance.MEDIUM, Effort.HEAD, status=Stage.PREVIEW)
def site_sd_partial(markup: CrawledMarkup) -> Finding:
    """Warns if at least 80 % of the pages of one template and folder, but not all, have a type."""
    if not markup.typed_count:
        return inapplicable("no page has structured data with a rich result")
    return by_cause(
        "{typed_count|page has|pages have} structured data", [_cause(item) for item in markup.partial], typed_count=markup.typed_count
    )


def _cause(item: PartialType) -> CausedFinding:
    return CausedFinding(
        Cause(CauseKind.TEMPLATE, f"{item.pattern} {item.type}", "template {pattern}", {"pattern": item.pattern}),
        Verdict.WARNED,
        "{missing_count|page has|pages have} no {type}, which {typed_count} of {pages_count} pages like these have",
        item.missing.pages_count,
        tuple(url_evidence(url) for url in item.missing.urls),
        {"missing_count": item.missing.pages_count, "type": item.type, "typed_count": item.typed_count, "pages_count": item.pages_count},
    )
