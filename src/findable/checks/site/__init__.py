"""Whole site: links, redirects, canonicals, duplicates and sitemaps of a crawl."""
