"""Facts of the site: robots.txt and sitemaps."""
