"""Declared language versions return an error or are not indexable.

In plain words: Google cannot show some translations, because they are broken or kept out of search results.

Why it matters: A version that returns an error, redirects, is noindex or declares another page as canonical drops out of the set.

How to fix: Link to the final URL of a page that is indexable and declares itself as canonical, or remove the entry.

    <link rel="alternate" hreflang="de" href="https://www.example.com/de/">

Sources: [Google: Tell Google about localized versions of your
page](https://developers.google.com/search/docs/specialty/international/localized-versions) (2025).

Not judged: A redirect as ``x-default``, which may choose the language; versions outside the crawl; those that reject this crawler (401,
403, 429) or do not respond; URLs with another scheme or ``www.`` (see site-canonical-scheme).
"""

from findable.capture.site_languages import ANY, CrawledLanguages, LanguageFault
from findable.checks.causes import CausedFinding
from findable.checks.engine import EVIDENCE_SHOWN, Finding, check, url_evidence
from findable.checks.language_pairs import cause_of, language_finding
from findable.vocabulary import Effort, Importance, Verdict


@check("Are all language versions indexable pages?", Importance.MEDIUM, Effort.CONTENT, failed=150)
def site_hreflang_target(languages: CrawledLanguages) -> Finding:
    """Checks the responses of declared versions, grouped by language, reason and template."""
    return language_finding(languages, [_cause(fault) for fault in languages.bad_targets])


def _cause(fault: LanguageFault) -> CausedFinding:
    message = "{found_count|page declares|pages declare} a version “{target_code}” that is not indexable ({not_indexable})"
    if fault.target == ANY:
        message = "{found_count|page declares|pages declare} versions that are not indexable ({not_indexable})"
    return CausedFinding(
        cause_of(fault, fault.reason.value),
        Verdict.FAILED,
        message,
        fault.pages_count,
        tuple(url_evidence(target, fault.status, "declared by {page}", page=page) for page, target, _ in fault.pairs[:EVIDENCE_SHOWN]),
        {"found_count": fault.pages_count, "target_code": fault.target, "not_indexable": fault.reason},
    )
