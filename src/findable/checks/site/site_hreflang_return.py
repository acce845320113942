"""Language versions do not link back to the pages that declare them.

In plain words: Google does not see that pages are translations of each other, and may show the wrong language.

Why it matters: Google connects two pages only if both link to each other; otherwise anybody could claim to be a version of a page. Entries
without a return are ignored, and searchers get the wrong language.

How to fix: Write the same complete set on every version, including itself.

    <link rel="alternate" hreflang="en" href="https://www.example.com/">
    <link rel="alternate" hreflang="de" href="https://www.example.com/de/">

Sources: [Google: Tell Google about localized versions of your
page](https://developers.google.com/search/docs/specialty/international/localized-versions) (2025): if two pages don't both point to each
other, the tags will be ignored.

Not judged: Pages that are not indexable; versions outside the crawl or without a response; ``x-default``; sites whose sitemap lists
language versions, which may contain the return link; pages that omit themselves (see hreflang-self).
"""

from findable.artifacts.site.sitemap import Sitemaps
from findable.capture.site_languages import ANY, CrawledLanguages, LanguageFault
from findable.checks.causes import CausedFinding
from findable.checks.engine import EVIDENCE_SHOWN, Finding, check, unknown, url_evidence
from findable.checks.language_pairs import cause_of, language_finding
from findable.vocabulary import Effort, Importance, Verdict


@check("Do all language versions link back?", Importance.MEDIUM, Effort.HEAD, failed=80)
def site_hreflang_return(languages: CrawledLanguages, sitemaps: Sitemaps | None) -> Finding:
    """Fails for indexable language versions without a link back, grouped by language pair and template."""
    if languages.no_return and sitemaps is not None and sitemaps.lists_alternates:
        return unknown("Not known: the sitemap also lists language versions, and may contain the return links")
    return language_finding(languages, [_cause(fault) for fault in languages.no_return])


def _cause(fault: LanguageFault) -> CausedFinding:
    version, page, code = fault.pairs[0]
    message = "{found_count|page does|pages do} not link back to the version “{source_code}”"
    if fault.source == ANY:
        message = "{found_count|page does|pages do} not link back to the other language versions"
    return CausedFinding(
        cause_of(fault),
        Verdict.FAILED,
        message,
        fault.pages_count,
        tuple(url_evidence(url, None, "does not link back to {page}", page=other) for url, other, _ in fault.pairs[:EVIDENCE_SHOWN]),
        {"found_count": fault.pages_count, "source_code": fault.source, "version": version, "page": page, "code": code},
        'Add <link rel="alternate" hreflang="{code}" href="{page}"> to {version}, and the same for the others' if code else "",
    )
