"""A language version does not link to this page in return.

In plain words: Google does not see that two of your pages are translations of each other, and may show the wrong language.

Why it matters: Search engines connect two pages only if both link to each other; otherwise anybody could claim to be a version of your
page. Entries without return are ignored.

How to fix: Write the same complete set on every version.

    <link rel="alternate" hreflang="en" href="https://www.example.com/">
    <link rel="alternate" hreflang="de" href="https://www.example.com/de/">

The return entry may be on the page, in a Link header or in the sitemap.

Sources: [Google: Tell Google about localized versions of your
page](https://developers.google.com/search/docs/specialty/international/localized-versions) (2025): if two pages don't both point to each
other, the tags will be ignored.

Not judged: versions beyond the twenty that are requested, those that rejected this crawler, and sitemaps of other sites.
"""

from findable.artifacts.page.canonical import Canonical
from findable.artifacts.responses.probed_page import ProbedPage
from findable.artifacts.site.language_versions import LanguageSet, LanguageVersions
from findable.artifacts.site.sitemap import Sitemaps
from findable.checks.engine import Finding, check, failed, inapplicable, passed, unknown, url_evidence, warned
from findable.vocabulary import Effort, Importance


@check("Do the language versions link back?", Importance.MEDIUM, Effort.HEAD, failed=40, warned=30, site_twins=("site-hreflang-return",))
def hreflang_return(versions: LanguageVersions, hreflang: LanguageSet, canonical: Canonical, sitemaps: Sitemaps | None) -> Finding:
    """Looks for this page in the language versions of each version that returned a page."""
    own = [url for url in (hreflang.page_url, canonical.target) if url]
    pages = [page for page in versions.pages if page.hreflang is not None]
    faulty = {entry.code for entry in hreflang.faulty(hreflang.page_url)}
    silent = [page for page in pages if not _links_back(page, own, faulty) and not versions.does_sitemap_list(page, own)]
    # Return links may be in a sitemap, or beyond the stored bytes of the page, so that their absence is not proved.
    proved = [page for page in silent if not page.response.truncated and not _may_be_listed(page, own, versions, sitemaps)]
    if proved:
        evidence = [url_evidence(page.response.final_url, page.response.status, "does not link to this page") for page in proved]
        return failed("{count|language version does|language versions do} not link back", count=len(proved), evidence=evidence)
    if not pages and versions.pages:
        return inapplicable("No language version responded with a page: see “{check}”", check="hreflang-targets")
    if not pages:
        return unknown("No language version responded with a page")
    open_count = len(silent) + len(versions.unknown) + versions.left_count
    if open_count:
        evidence = [url_evidence(page.response.final_url, page.response.status) for page in silent]
        evidence += [url_evidence(response.url, response.status) for response in versions.unknown]
        if evidence:
            return warned("{count} of the language versions could not be verified", count=open_count, evidence=evidence)
    return passed("{count|language version links|language versions link} back", count=len(pages) - len(silent))


def _may_be_listed(page: ProbedPage, own: list[str], versions: LanguageVersions, sitemaps: Sitemaps | None) -> bool:
    """Return whether a sitemap may list this page for the version, in an entry that was not read."""
    if sitemaps is None or not sitemaps.lists_alternates or versions.does_sitemap_list(page, own) is not None:
        return False
    return versions.sitemap_entries is None or not (page.hreflang and page.hreflang.entries)


def _links_back(page: ProbedPage, own: list[str], faulty: set[str]) -> bool:
    """Return whether a version links back, even with a wrong code, which is a fault of the code and not of the link."""
    if page.hreflang is None:
        return False
    if any(page.hreflang.for_url(url) for url in own):
        return True
    return bool(faulty) and any(entry.code in faulty for url in own for entry in page.hreflang.faulty(url))
