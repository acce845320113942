"""A declared sitemap cannot be read, or lists URLs that it should not.

In plain words: Google cannot rely on your list of pages, because the list is broken or contains wrong entries.

Why it matters: A search engine drops a file that it cannot read, and trusts a file less if it lists errors, redirects or false dates.

How to fix: Regenerate it from the list of pages that return 200 and are indexable.

    <?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      <url><loc>https://www.example.com/shop/blue-widgets</loc><lastmod>2026-10-30</lastmod></url>
    </urlset>

Sources: [sitemaps.org protocol](https://www.sitemaps.org/protocol.html); [Google: Build and submit a
sitemap](https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap) (2025); [Google: Manage your sitemaps with
sitemap index files](https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps) (2025).

Not judged: priority and changefreq, which Google ignores; files beyond the ten that are read; listed URLs that rejected this crawler; URLs
that are listed twice, which the protocol does not forbid and search engines read once.
"""

from collections.abc import Iterator

from findable.artifacts.site.sitemap import MAX_BYTES, MAX_URLS, NAMESPACE, SitemapFile, Sitemaps, SitemapState
from findable.artifacts.site.sitemap_sample import SampleFault, sample_fault
from findable.capture.response import Failure, ProbeResponse, outcome
from findable.capture.site_graph import CrawledSitemap
from findable.capture.sitemap_summary import SitemapForm, SitemapSummary
from findable.checks.engine import Evidence, Finding, check, failed, inapplicable, passed, quoted, unknown, url_evidence, warned
from findable.urls import host_of, without_www
from findable.vocabulary import EVIDENCE_TEXT, Code, Effort, Importance

SAMPLE_SHARE = 0.05
"""Share of faulty URLs in the sample up to which they are not reported (set by Findable)."""
SAME_DATES = 20
"""Number of equal dates from which they are those of a program, not of the pages (set by Findable)."""
WORDS = {
    "not_absolute": "the URL is not complete",
    "other_host": "the URL belongs to another host",
    "too_long": "the URL has more than 2,048 characters",
    "lastmod": "the date is no W3C date",
}


class Unquotable(Code, params=(EVIDENCE_TEXT,)):
    """Placeholder evidence if there is nothing to quote."""

    NO_NAMESPACE = "no namespace"


@check("Is the sitemap correct?", Importance.MEDIUM, Effort.SERVER, failed=20, warned=10, depends_on=("sitemap-present",))
def sitemap_valid(sitemaps: Sitemaps, crawled_sitemap: CrawledSitemap | None) -> Finding:
    """Checks each file, then the URLs that were requested; in a crawl site-sitemap-status and similar checks cover all of them."""
    broken = [file for file in sitemaps.files if file.state is SitemapState.BROKEN and file.is_declared]
    over = [file for file in sitemaps.readable if crawled_sitemap is None and file.summary and exceeds_limits(file.summary)]
    if broken or over:
        return failed(
            "{count|sitemap is|sitemaps are} unreadable or too large",
            count=len(broken) + len(over),
            evidence=[*(_broken_evidence(file) for file in broken), *(_too_large(file) for file in over)],
        )
    if not sitemaps.readable:
        unread = [file for file in sitemaps.files if file.state is SitemapState.UNKNOWN]
        if unread:
            return unknown("The sitemap was not read: {reason}", **outcome(unread[0].response))
        return inapplicable("There is no sitemap")
    if not sitemaps.urls_count and sitemaps.complete:
        files = [url_evidence(file.url, file.response.status) for file in sitemaps.readable]
        return warned("The sitemap lists no URL", evidence=files)
    odd = [shown for file in sitemaps.readable for shown in _minor_faults(file, in_crawl=crawled_sitemap is not None)]
    wrong = _wrong_entries(sitemaps.sample) if crawled_sitemap is None else []
    if wrong and not odd:
        message = "The sitemap lists {count|URL that fails, redirects or is noindex|URLs that fail, redirect or are noindex}"
        return warned(message, evidence=wrong)
    if odd:
        return warned("The sitemap is readable, but has {count|problem|problems}", count=len(odd) + len(wrong), evidence=[*odd, *wrong])
    return passed(
        "{urls_count|URL|URLs} in {files_count|file|files}, well-formed",
        urls_count=sitemaps.urls_count,
        files_count=len(sitemaps.readable),
        evidence=[url_evidence(file.url, file.response.status) for file in sitemaps.readable],
    )


def exceeds_limits(summary: SitemapSummary) -> bool:
    """Return whether a file exceeds the limits of the protocol."""
    return summary.urls_count > MAX_URLS or summary.decoded_bytes > MAX_BYTES


def _broken_evidence(file: SitemapFile) -> Evidence:
    response, summary = file.response, file.summary
    if response.failure is not Failure.NONE:
        return url_evidence(file.url, response.status, "was not received: {reason}", **outcome(response))
    if summary is None or not response.ok:
        return url_evidence(file.url, response.status, "returns {code}", code=response.status)
    if summary.form is SitemapForm.HTML:
        return url_evidence(file.url, response.status, "is an HTML page")
    if summary.error:
        note = "is not well-formed in line {line_number}: {error}"
        return url_evidence(file.url, response.status, note, line_number=summary.error_line, error=summary.error)
    return url_evidence(file.url, response.status, "is no sitemap")


def _too_large(file: SitemapFile) -> Evidence:
    count = file.summary.urls_count if file.summary else 0
    return url_evidence(file.url, file.response.status, "lists {count} URLs; 50,000 and 50 MB are the limits", count=count)


def _minor_faults(file: SitemapFile, *, in_crawl: bool) -> Iterator[Evidence]:
    """Yield the minor problems of a file.

    In a crawl site-sitemap-limits and site-sitemap-lastmod report nested indexes and equal dates.
    """
    summary = file.summary
    if summary is None:
        return
    if summary.has_doctype:
        yield url_evidence(file.url, file.response.status, "begins with a document type declaration, which parsers reject")
    if summary.form in (SitemapForm.URLSET, SitemapForm.INDEX) and summary.namespace != NAMESPACE:
        yield quoted(summary.namespace or Unquotable.NO_NAMESPACE, "is not the namespace of sitemaps", url=file.url, kind="sitemap")
    if summary.form is SitemapForm.INDEX and file.in_index and not in_crawl:
        yield url_evidence(file.url, file.response.status, "is an index that an index lists")
    if summary.lastmod_values_count == 1 and summary.lastmod_count >= SAME_DATES and not in_crawl:
        yield url_evidence(file.url, file.response.status, "gives all {count} URLs the same date", count=summary.lastmod_count)
    # A sitemap on another host is valid if robots.txt declares it; its URLs are then on another host by design.
    foreign = without_www(host_of(file.url)) != without_www(host_of(file.response.final_url)) or file.robots_line is not None
    for kind, text in summary.bad:
        if not (kind == "other_host" and foreign):
            yield quoted(text, WORDS[kind], url=file.url, kind="sitemap")


def _wrong_entries(sample: tuple[ProbeResponse, ...]) -> list[Evidence]:
    faults = [(response, fault) for response in sample if (fault := sample_fault(response)) is not None]
    known = sum(1 for response in sample if response.failure is Failure.NONE)
    if not faults or len(faults) <= SAMPLE_SHARE * known:
        return []
    return [_entry_evidence(response, fault) for response, fault in faults]


def _entry_evidence(response: ProbeResponse, fault: SampleFault) -> Evidence:
    return url_evidence(response.url, response.status, fault.value, code=response.status, target=response.final_url)
