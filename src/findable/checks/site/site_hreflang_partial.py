"""Some pages of a template declare no language versions although a translation exists.

In plain words: Google may show some pages in the wrong language, because it does not know their translations.

Why it matters: Readers get these pages in the wrong language: search engines do not know that the translation belongs to them.

How to fix: Write the set of language versions on these pages as well.

Sources: [Google: Tell Google about localized versions of your
page](https://developers.google.com/search/docs/specialty/international/localized-versions) (2025). The limit of 80 % of a template is set
by this report.

Not judged: Pages without a page of the same path in another language folder or on another host of the site: they may not be translated;
templates of fewer than ten pages; pages that a version links to (see site-hreflang-return).
"""

from findable.capture.site_languages import CrawledLanguages, LanguageFault
from findable.checks.causes import CausedFinding
from findable.checks.engine import EVIDENCE_SHOWN, Finding, check, url_evidence
from findable.checks.language_pairs import cause_of, language_finding
from findable.vocabulary import Effort, Importance, Stage, Verdict


@check(
    question="Do all translated pages declare their language versions?",
    importance=Importance.LOW,
    effort=Effort.HEAD,
    costs={Verdict.FAILED: 30, Verdict.WARNED: 15},
    status=Stage.PREVIEW,
)
def site_hreflang_partial(languages: CrawledLanguages) -> Finding:
    """Warns about pages of a template whose other pages have language versions."""
    return language_finding(languages, [_cause(fault) for fault in languages.partial])


def _cause(fault: LanguageFault) -> CausedFinding:
    return CausedFinding(
        cause_of(fault),
        Verdict.WARNED,
        "{found_count|page declares|pages declare} no language versions, though a translation exists",
        fault.pages_count,
        tuple(url_evidence(url, None, "translation: {page}", page=other) for url, other, _ in fault.pairs[:EVIDENCE_SHOWN]),
        {"found_count": fault.pages_count},
    )
