"""Pages with the same text declare different canonical URLs.

In plain words: Google has to guess which of several pages with the same text to show, because your settings contradict each other.

Why it matters: The canonical links of one group of duplicates contradict each other, so that Google chooses by itself.

How to fix: Let all of these pages declare the same URL as canonical.

Sources: [Google: How to specify a canonical URL](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)
(2025): do not specify different URLs as canonical for the same page.

Not judged: Groups with several indexable pages (see site-text-duplicate); versions of a documentation; different languages; main texts
below 50 words.
"""

from findable.capture.site_signals import CanonicalCluster, CanonicalSignals
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, inapplicable, url_evidence
from findable.vocabulary import Effort, Importance, Stage, Verdict


@check("Do duplicates agree on one canonical URL?", Importance.HIGH, Effort.HEAD, status=Stage.PREVIEW)
def site_canonical_cluster(canonicals: CanonicalSignals) -> Finding:
    """Fails for pages with the same main text, at most one of them indexable, that declare different canonical URLs."""
    if not canonicals.declared_count:
        return inapplicable("no page declares another page as canonical")
    message = "{clusters_count|group|groups} of pages with one text and several canonical URLs"
    return by_cause(message, [_cause(item) for item in canonicals.clusters], clusters_count=canonicals.clusters_count)


def _cause(item: CanonicalCluster) -> CausedFinding:
    return CausedFinding(
        Cause(CauseKind.GROUP, item.title, "“{text}”", {"text": item.title}),
        Verdict.FAILED,
        "{group_count|page with this text declares|pages with this text declare} {targets_count|canonical URL|different canonical URLs}",
        item.pages_count,
        tuple(url_evidence(pair.url, None, "canonical URL {target}", target=pair.target) for pair in item.pairs[:EVIDENCE_SHOWN]),
        {"group_count": item.pages_count, "targets_count": item.targets_count, "target": item.pairs[0].target},
        "Let all of them declare one URL, for example {target}",
    )
