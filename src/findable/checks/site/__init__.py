"""Whole site: links, redirects, canonicals, duplicates and sitemaps as a crawl finds them."""
