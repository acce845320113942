"""Checks of a whole crawled site: links, redirects, canonicals, duplicates and sitemaps."""
