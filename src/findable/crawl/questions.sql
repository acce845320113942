-- thin-pages: Indexable pages with few words
-- words = 200
SELECT url, words, inlinks
FROM pages
WHERE indexable AND status = 200 AND words < :words
ORDER BY inlinks DESC;

-- few-content-inlinks: Indexable pages with few inlinks from main content
-- inlinks = 3
SELECT url, content_inlinks, inlinks
FROM pages
WHERE indexable AND status = 200 AND content_inlinks < :inlinks
ORDER BY content_inlinks, url;

-- visited-with-few-inlinks: Indexable pages with many clicks and few inlinks from main content
-- column = clicks
-- clicks = 100
-- inlinks = 3
SELECT url, c.value AS clicks, content_inlinks
FROM pages p
JOIN numbers c ON c.n = p.n AND c.name = :column
WHERE c.value > :clicks AND indexable AND content_inlinks < :inlinks
ORDER BY clicks DESC;

-- not-requested-by: Indexable pages that a verified bot did not request in the last 30 days of the logs
-- bot = Googlebot
SELECT p.url, p.inlinks
FROM pages p
LEFT JOIN bot_hits b ON b.n = p.n AND b.bot = :bot AND b.verification = 'verified'
WHERE p.indexable AND p.status = 200 AND b.n IS NULL
ORDER BY p.inlinks DESC, p.url;

-- requested-but-unknown: URLs that verified bots requested and the crawl does not know
SELECT url, sum(hits) AS hits, sum(ok) AS ok, max(last_day) AS last_day
FROM bot_hits
WHERE n IS NULL AND verification = 'verified'
GROUP BY url
ORDER BY hits DESC, url;

-- broken-targets: Broken URLs by the number of pages that link to them
SELECT target_url, target_status, count(DISTINCT source) AS pages
FROM broken_links
GROUP BY target
ORDER BY pages DESC, target_url;

-- redirected-links: Redirects that pages link to
SELECT url, status, end_url, hops, inlinks
FROM redirects
WHERE inlinks > 0
ORDER BY inlinks DESC, url;

-- redirect-chains: Redirects with several hops
SELECT url, hops, end_url, is_loop
FROM redirects
WHERE hops > 1
ORDER BY hops DESC, url;

-- same-titles: Titles of several indexable pages
SELECT title, count(*) AS pages
FROM pages
WHERE indexable AND status = 200 AND title IS NOT NULL
GROUP BY title HAVING pages > 1
ORDER BY pages DESC, title;

-- same-h1: Main headings of several indexable pages
SELECT h1, count(*) AS pages
FROM pages
WHERE indexable AND status = 200 AND h1 IS NOT NULL
GROUP BY h1 HAVING pages > 1
ORDER BY pages DESC, h1;

-- missing-title: Indexable pages without title
SELECT url, inlinks
FROM pages
WHERE indexable AND status = 200 AND title IS NULL
ORDER BY url;

-- missing-description: Indexable pages without description
SELECT url, title, inlinks
FROM pages
WHERE indexable AND status = 200 AND description IS NULL
ORDER BY url;

-- missing-h1: Indexable pages without main heading
SELECT url, title
FROM pages
WHERE indexable AND status = 200 AND h1 IS NULL
ORDER BY url;

-- long-titles: Long titles
-- characters = 60
SELECT url, length(title) AS characters, title
FROM pages
WHERE indexable AND status = 200 AND length(title) > :characters
ORDER BY characters DESC, url;

-- slow-pages: Pages with a slow first byte
-- ms = 800
SELECT url, round(first_byte_ms) AS first_byte_ms
FROM pages
WHERE first_byte_ms > :ms
ORDER BY first_byte_ms DESC;

-- heavy-images: Large images
-- bytes = 200000
SELECT url, size_bytes, pages, page
FROM images
WHERE size_bytes > :bytes
ORDER BY size_bytes DESC;

-- deep-pages: Indexable pages many clicks from the start page
-- depth = 4
SELECT url, depth, inlinks
FROM pages
WHERE indexable AND status = 200 AND depth > :depth
ORDER BY depth DESC, url;

-- indexable-not-in-sitemap: Indexable pages that no sitemap lists
SELECT url, inlinks
FROM pages
WHERE indexable AND status = 200 AND n NOT IN (SELECT n FROM sitemaps)
ORDER BY inlinks DESC, url;

-- sitemap-not-indexable: Listed in a sitemap and not indexable
SELECT url, status, reason, refusal
FROM sitemaps
WHERE NOT indexable
ORDER BY url;

-- statuses: Pages by status
SELECT status, count(*) AS pages
FROM pages
GROUP BY status
ORDER BY pages DESC;

-- checks: Failed and warned checks by the number of pages
SELECT check_id, verdict, count(*) AS pages
FROM verdicts
GROUP BY check_id, verdict
ORDER BY pages DESC, check_id;

-- anchors: Link texts that lead to a URL
-- url =
SELECT anchor_text, landmark, count(DISTINCT source) AS pages
FROM links
WHERE target_url = :url
GROUP BY anchor_text, landmark
ORDER BY pages DESC, anchor_text;

-- external-hosts: Broken links to other sites
SELECT url, status, failure, pages
FROM external
WHERE status >= 400 OR failure IS NOT NULL
ORDER BY pages DESC, url;

-- templates: Templates with their mean score and words
SELECT template, count(*) AS pages, round(avg(score), 1) AS score, round(avg(words)) AS words
FROM pages
WHERE indexable AND status = 200
GROUP BY template
ORDER BY pages DESC;
