"""Language versions have codes or URLs that search engines do not understand.

In plain words: Google does not understand for which language or country a translation of this page is.

Why it matters: An entry with a wrong code or URL is ignored, so the two pages are not connected.

How to fix: Use a language of ISO 639-1, if necessary with a country of ISO 3166-1, and absolute URLs, in the head.

    <link rel="alternate" hreflang="en-GB" href="https://www.example.com/en-gb/">
    <link rel="alternate" hreflang="x-default" href="https://www.example.com/">

Sources: [Google: Tell Google about localized versions of your
page](https://developers.google.com/search/docs/specialty/international/localized-versions) (2025); [RFC
5646](https://www.rfc-editor.org/rfc/rfc5646).

Not judged: entries of a sitemap for other pages; upper and lower case, which makes no difference; languages that have a code of three
letters only.
"""

from collections.abc import Iterator

from findable.artifacts.page.early_head_end import EarlyHeadEnd
from findable.artifacts.page.hreflang import UrlFault
from findable.artifacts.page.language_codes import CodeFault
from findable.artifacts.site.language_versions import LanguageSet
from findable.checks.engine import Evidence, Finding, check, covered_by, failed, inapplicable, passed
from findable.checks.indexing_evidence import alternate_evidence, alternates_evidence
from findable.vocabulary import Effort, Importance


@check("Are hreflang codes and URLs right?", Importance.MEDIUM, Effort.HEAD, failed=25)
def hreflang_valid(hreflang: LanguageSet, early_end: EarlyHeadEnd) -> Finding:
    """Checks the code and URL of each hreflang entry, then entries with the same code."""
    if not hreflang.entries:
        return inapplicable("The page declares no language versions")
    if early_end.lost_metadata and all(item.in_body for item in hreflang.entries):
        return covered_by("head-valid")
    wrong = list(_faulty_entries(hreflang))
    if wrong:
        return failed(
            "{count} of {entries_count|language version|language versions} with a fault",
            count=len({(item.line, item.column, item.text, item.url) for item in wrong}),
            entries_count=hreflang.entries_count,
            evidence=wrong,
        )
    codes = list(dict.fromkeys(item.code for item in hreflang.entries))
    return passed(
        "{count|language version|language versions}: {codes}",
        count=hreflang.entries_count,
        codes=", ".join(codes[:20]),
        evidence=alternates_evidence(hreflang.entries),
    )


def _faulty_entries(hreflang: LanguageSet) -> Iterator[Evidence]:
    for item in hreflang.entries:
        if item.code_fault is not CodeFault.NONE:
            yield alternate_evidence(item, item.code_fault.value, code=item.code_as_written, part=item.part)
        elif item.url_fault is not UrlFault.NONE:
            yield alternate_evidence(item, item.url_fault.value, **item.url_fault_with)
        elif item.in_body:
            yield alternate_evidence(item, "it is in the body, where it is not read")
    for code, entries in hreflang.contradictions:
        for item in entries:
            yield alternate_evidence(item, "“{code}” is used for {count} URLs", code=code, count=len({entry.url for entry in entries}))
