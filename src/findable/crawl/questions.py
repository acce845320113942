"""Questions about a crawl with names: SQL over its tables, with parameters that have defaults."""

from collections.abc import Mapping

from msgspec import Struct

from findable.wording import later


class NamedQuestion(Struct, frozen=True):
    """Question with a name."""

    title: str
    sql: str
    params: Mapping[str, str | int] = {}
    """Defaults of the parameters."""


QUESTIONS: Mapping[str, NamedQuestion] = {
    "thin-pages": NamedQuestion(
        later("Indexable pages with few words"),
        "SELECT url, words, inlinks FROM pages WHERE indexable AND status = 200 AND words < :words ORDER BY inlinks DESC",
        {"words": 200},
    ),
    "few-content-inlinks": NamedQuestion(
        later("Indexable pages with few inlinks from main content"),
        "SELECT url, content_inlinks, inlinks FROM pages "
        "WHERE indexable AND status = 200 AND content_inlinks < :inlinks ORDER BY content_inlinks, url",
        {"inlinks": 3},
    ),
    "visited-with-few-inlinks": NamedQuestion(
        later("Indexable pages with many clicks and few inlinks from main content"),
        "SELECT url, c.value AS clicks, content_inlinks FROM pages p JOIN numbers c ON c.n = p.n AND c.name = :column "
        "WHERE c.value > :clicks AND indexable AND content_inlinks < :inlinks ORDER BY clicks DESC",
        {"column": "clicks", "clicks": 100, "inlinks": 3},
    ),
    "not-requested-by": NamedQuestion(
        later("Indexable pages that a verified bot did not request in the last 30 days of the logs"),
        "SELECT p.url, p.inlinks FROM pages p LEFT JOIN bot_hits b ON b.n = p.n AND b.bot = :bot AND b.verification = 'verified' "
        "WHERE p.indexable AND p.status = 200 AND b.n IS NULL ORDER BY p.inlinks DESC, p.url",
        {"bot": "Googlebot"},
    ),
    "requested-but-unknown": NamedQuestion(
        later("URLs that verified bots requested and the crawl does not know"),
        "SELECT url, sum(hits) AS hits, sum(ok) AS ok, max(last_day) AS last_day FROM bot_hits "
        "WHERE n IS NULL AND verification = 'verified' GROUP BY url ORDER BY hits DESC, url",
    ),
    "broken-targets": NamedQuestion(
        later("Broken URLs by the number of pages that link to them"),
        "SELECT target_url, target_status, count(DISTINCT source) AS pages "
        "FROM broken_links GROUP BY target ORDER BY pages DESC, target_url",
    ),
    "redirected-links": NamedQuestion(
        later("Redirects that pages link to"),
        "SELECT url, status, end_url, hops, inlinks FROM redirects WHERE inlinks > 0 ORDER BY inlinks DESC, url",
    ),
    "redirect-chains": NamedQuestion(
        later("Redirects with several hops"), "SELECT url, hops, end_url, is_loop FROM redirects WHERE hops > 1 ORDER BY hops DESC, url"
    ),
    "same-titles": NamedQuestion(
        later("Titles of several indexable pages"),
        "SELECT title, count(*) AS pages "
        "FROM pages WHERE indexable AND status = 200 AND title IS NOT NULL GROUP BY title HAVING pages > 1 ORDER BY pages DESC, title",
    ),
    "same-h1": NamedQuestion(
        later("Main headings of several indexable pages"),
        "SELECT h1, count(*) AS pages "
        "FROM pages WHERE indexable AND status = 200 AND h1 IS NOT NULL GROUP BY h1 HAVING pages > 1 ORDER BY pages DESC, h1",
    ),
    "missing-title": NamedQuestion(
        later("Indexable pages without title"),
        "SELECT url, inlinks FROM pages WHERE indexable AND status = 200 AND title IS NULL ORDER BY url",
    ),
    "missing-description": NamedQuestion(
        later("Indexable pages without description"),
        "SELECT url, title, inlinks FROM pages WHERE indexable AND status = 200 AND description IS NULL ORDER BY url",
    ),
    "missing-h1": NamedQuestion(
        later("Indexable pages without main heading"),
        "SELECT url, title FROM pages WHERE indexable AND status = 200 AND h1 IS NULL ORDER BY url",
    ),
    "long-titles": NamedQuestion(
        later("Long titles"),
        "SELECT url, length(title) AS characters, title "
        "FROM pages WHERE indexable AND status = 200 AND length(title) > :characters ORDER BY characters DESC, url",
        {"characters": 60},
    ),
    "slow-pages": NamedQuestion(
        later("Pages with a slow first byte"),
        "SELECT url, round(first_byte_ms) AS first_byte_ms FROM pages WHERE first_byte_ms > :ms ORDER BY first_byte_ms DESC",
        {"ms": 800},
    ),
    "heavy-images": NamedQuestion(
        later("Large images"),
        "SELECT url, size_bytes, pages, page FROM images WHERE size_bytes > :bytes ORDER BY size_bytes DESC",
        {"bytes": 200_000},
    ),
    "deep-pages": NamedQuestion(
        later("Indexable pages many clicks from the start page"),
        "SELECT url, depth, inlinks FROM pages WHERE indexable AND status = 200 AND depth > :depth ORDER BY depth DESC, url",
        {"depth": 4},
    ),
    "indexable-not-in-sitemap": NamedQuestion(
        later("Indexable pages that no sitemap lists"),
        "SELECT url, inlinks FROM pages WHERE indexable AND status = 200 AND n NOT IN (SELECT n FROM sitemaps) ORDER BY inlinks DESC, url",
    ),
    "sitemap-not-indexable": NamedQuestion(
        later("Listed in a sitemap and not indexable"), "SELECT url, status, reason, refusal FROM sitemaps WHERE NOT indexable ORDER BY url"
    ),
    "statuses": NamedQuestion(later("Pages by status"), "SELECT status, count(*) AS pages FROM pages GROUP BY status ORDER BY pages DESC"),
    "checks": NamedQuestion(
        later("Failed and warned checks by the number of pages"),
        "SELECT check_id, verdict, count(*) AS pages FROM verdicts GROUP BY check_id, verdict ORDER BY pages DESC, check_id",
    ),
    "anchors": NamedQuestion(
        later("Link texts that lead to a URL"),
        "SELECT anchor_text, landmark, count(DISTINCT source) AS pages FROM links WHERE target_url = :url "
        "GROUP BY anchor_text, landmark ORDER BY pages DESC, anchor_text",
        {"url": ""},
    ),
    "external-hosts": NamedQuestion(
        later("Broken links to other sites"),
        "SELECT url, status, failure, pages FROM external WHERE status >= 400 OR failure IS NOT NULL ORDER BY pages DESC, url",
    ),
    "templates": NamedQuestion(
        later("Templates with their mean score and words"),
        "SELECT template, count(*) AS pages, round(avg(score), 1) AS score, round(avg(words)) AS words "
        "FROM pages WHERE indexable AND status = 200 "
        "GROUP BY template ORDER BY pages DESC",
    ),
}
"""Named questions, the most wanted first."""
PROJECT_QUESTIONS: Mapping[str, NamedQuestion] = {
    "crawls-pages": NamedQuestion(
        later("Pages, indexable pages and errors of each crawl"),
        "SELECT crawl, crawled_at, count(*) AS pages, sum(indexable) AS indexable, sum(status >= 400) AS errors, "
        "round(avg(CASE WHEN status = 200 THEN score END), 1) AS score "
        "FROM pages GROUP BY crawl ORDER BY crawled_at DESC, crawl DESC",
    ),
    "crawls-checks": NamedQuestion(
        later("Pages with a failed check in each crawl"),
        "SELECT check_id, crawl, crawled_at, count(*) AS pages FROM verdicts WHERE verdict = 'failed' "
        "GROUP BY check_id, crawl ORDER BY check_id, crawled_at DESC, crawl DESC",
    ),
    "crawls-lost": NamedQuestion(
        later("URLs that were indexable and no longer are"),
        "SELECT a.url, max(b.crawled_at) AS indexable_at, a.crawled_at, a.status, a.reason "
        "FROM pages a JOIN pages b ON b.url = a.url AND b.indexable AND b.crawled_at < a.crawled_at "
        "WHERE NOT a.indexable AND a.crawled_at = (SELECT max(crawled_at) FROM pages) GROUP BY a.crawl, a.url ORDER BY a.url",
    ),
    "crawls-titles": NamedQuestion(
        later("URLs whose title changed"),
        "SELECT url, count(DISTINCT title) AS titles, min(crawled_at) AS since FROM pages WHERE status = 200 "
        "GROUP BY url HAVING titles > 1 ORDER BY titles DESC, url",
    ),
    "crawls-url": NamedQuestion(
        later("One URL in each crawl"),
        "SELECT crawl, crawled_at, status, indexable, score, words, inlinks, title FROM pages WHERE url = :url ORDER BY crawled_at DESC",
        {"url": ""},
    ),
}
"""Named questions about several crawls, whose tables have the columns ``crawl`` and ``crawled_at``."""
PARAMETER_TITLES: Mapping[str, str] = {
    "words": later("Fewer words than"),
    "inlinks": later("Fewer inlinks than"),
    "column": later("Uploaded column"),
    "clicks": later("More than"),
    "characters": later("More characters than"),
    "ms": later("More milliseconds than"),
    "bytes": later("More bytes than"),
    "depth": later("More clicks than"),
    "url": later("URL"),
}
"""Names of the parameters of named questions, for people."""
