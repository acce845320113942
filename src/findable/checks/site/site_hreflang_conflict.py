"""Pages are declared as versions in two languages.

In plain words: Google may show pages in the wrong language, because they are listed under two languages.

Why it matters: A page has one language. Declared as two, it is shown to readers who do not understand it, or to none.

How to fix: Declare each page with the language of its text. Omit the entry if a page is not translated; ``x-default`` may link to it as
well.

    <link rel="alternate" hreflang="x-default" href="https://www.example.com/">

Sources: [Google: Tell Google about localized versions of your
page](https://developers.google.com/search/docs/specialty/international/localized-versions) (2025).

Not judged: One page for several countries of one language (``en-GB`` and ``en-US``); ``x-default`` beside a code; one code with two URLs on
a page (see hreflang-valid).
"""

from findable.capture.site_languages import ANY, CrawledLanguages, LanguageFault
from findable.checks.causes import CausedFinding
from findable.checks.engine import EVIDENCE_SHOWN, Finding, check, url_evidence
from findable.checks.language_pairs import cause_of, language_finding
from findable.vocabulary import Effort, Importance, Stage, Verdict


@check("Is each page a version in one language?", Importance.MEDIUM, Effort.HEAD, status=Stage.PREVIEW)
def site_hreflang_conflict(languages: CrawledLanguages) -> Finding:
    """Warns about pages that hreflang links declare in two languages, grouped by language pair and template."""
    return language_finding(languages, [_cause(fault) for fault in languages.conflicts])


def _cause(fault: LanguageFault) -> CausedFinding:
    message = "{found_count|page is|pages are} declared as “{source_code}” and as “{target_code}”"
    if ANY in (fault.source, fault.target):
        message = "{found_count|page is|pages are} declared as “{one_code}” and as other languages"
    one = fault.target if fault.source == ANY else fault.source
    note = "{page} declares it as “{code}”"
    return CausedFinding(
        cause_of(fault),
        Verdict.WARNED,
        message,
        fault.pages_count,
        tuple(url_evidence(url, None, note, page=page, code=code) for url, page, code in fault.pairs[:EVIDENCE_SHOWN]),
        {"found_count": fault.pages_count, "source_code": fault.source, "target_code": fault.target, "one_code": one},
    )
