-- crawls-pages: Pages, indexable pages and errors of each crawl
SELECT crawl, crawled_at, count(*) AS pages, sum(indexable) AS indexable, sum(status >= 400) AS errors, round(avg(CASE WHEN status = 200 THEN score END), 1) AS score
FROM pages
GROUP BY crawl
ORDER BY crawled_at DESC, crawl DESC;

-- crawls-checks: Pages with a failed check in each crawl
SELECT check_id, crawl, crawled_at, count(*) AS pages
FROM verdicts
WHERE verdict = 'failed'
GROUP BY check_id, crawl
ORDER BY check_id, crawled_at DESC, crawl DESC;

-- crawls-lost: URLs that were indexable and no longer are
SELECT a.url, max(b.crawled_at) AS indexable_at, a.crawled_at, a.status, a.reason
FROM pages a
JOIN pages b ON b.url = a.url AND b.indexable AND b.crawled_at < a.crawled_at
WHERE NOT a.indexable AND a.crawled_at = (SELECT max(crawled_at) FROM pages)
GROUP BY a.crawl, a.url
ORDER BY a.url;

-- crawls-titles: URLs whose title changed
SELECT url, count(DISTINCT title) AS titles, min(crawled_at) AS since
FROM pages
WHERE status = 200
GROUP BY url HAVING titles > 1
ORDER BY titles DESC, url;

-- crawls-url: One URL in each crawl
-- url =
SELECT crawl, crawled_at, status, indexable, score, words, inlinks, title
FROM pages
WHERE url = :url
ORDER BY crawled_at DESC;
