"""The text of pages is in another language than they declare.

In plain words: Visitors find pages in another language than they expect, because these are not translated or state the wrong language.

Why it matters: Google uses the text: pages of a language version that are not translated compete with the original. A screen reader reads
them with the sounds of the wrong language.

How to fix: Translate the pages, or remove them from this language version. If the text is right, correct the lang attribute.

Sources: [Google: Managing multi-regional and multilingual
sites](https://developers.google.com/search/docs/specialty/international/managing-multi-regional-sites) (2025): the visible content decides;
translate more than the frame of a page; [WCAG 2.2, 3.1.1 Language of Page](https://www.w3.org/TR/WCAG22/#language-of-page).

Not judged: Short texts, lists of names, code and quotations; languages that are too similar to distinguish.
"""

from findable.capture.site_signals import CrawledSignals, MixedLanguage
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, url_evidence
from findable.vocabulary import Effort, Fixer, Importance, Verdict


@check("Is each page in the language it declares?", Importance.MEDIUM, Effort.CONTENT, failed=60, warned=30, fixer=Fixer.EDITOR)
def site_language_mix(signals: CrawledSignals) -> Finding:
    """Warns about indexable pages whose text is not in the declared language, grouped by language pair."""
    count = sum(item.pages.pages_count for item in signals.mixed_languages)
    return by_cause(
        "{found_count|page is|pages are} in another language than declared",
        [_cause(item) for item in signals.mixed_languages],
        found_count=count,
    )


def _cause(item: MixedLanguage) -> CausedFinding:
    cause = Cause(
        CauseKind.LANGUAGE_PAIR,
        f"{item.declared} {item.detected}",
        "{declared} in {folder}" if item.pages.name else "{declared}",
        {"declared": item.declared, "folder": item.pages.name},
    )
    return CausedFinding(
        cause,
        Verdict.WARNED,
        "{found_count|page declares|pages declare} {declared}, the text is in {detected}",
        item.pages.pages_count,
        tuple(url_evidence(url) for url in item.pages.urls[:EVIDENCE_SHOWN]),
        {"declared": item.declared, "detected": item.detected, "found_count": item.pages.pages_count},
    )
