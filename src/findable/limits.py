"""Limits of crawls and of what is stored about a site, which no setting raises; docs/reference/limits.md lists them.

What a limit cut off is said in the report of the crawl. Where a limit concerns one finding only, that finding counts what was checked.
Limits of single pages and responses stand where they are read.
"""

MAX_PAGES: int = 1_000_000
"""URLs that a crawl requests; by default 10,000."""
LEAST_KNOWN: int = 100_000
"""URLs that a crawl reads from sitemaps, and from the earlier crawl: at least these, and at least as many as it may request."""
MAX_SITEMAP_FILES: int = 5_000
"""Files of an index of sitemaps that a crawl reads, within half an hour."""
MAX_LISTED: int = 100_000
"""URLs of a list or a redirect map in one request."""
MAX_SECONDS: int = 30 * 86_400
"""Duration of a crawl in seconds."""
MAX_RATE: float = 50.0
"""Requests per second to one host."""
MAX_CONNECTIONS: int = 4
"""Open connections to one host."""
MAX_RESOURCES: int = 2_000
"""Stylesheets, scripts and images of the site that a crawl requests; 100 and two for each page of its page limit in small crawls."""
MAX_KNOWN_RESOURCES: int = 100_000
"""Stylesheets, scripts and images that a crawl lists."""
MAX_EXTERNAL: int = 2_000
"""Links to other sites that a crawl requests."""
MAX_VISITS: int = 5_000
"""Pages that a crawl opens in a browser."""
MAX_TEMPLATES: int = 200
"""Templates of which pages are opened in a browser."""
MAX_STORED_BYTES: int = 1_000_000_000
"""Bytes of stored responses of a crawl. Later pages are not stored, so that they cannot be rescored without a request."""
MAX_ORIGINS: int = 10_000
"""Hosts of a crawl of a whole domain."""
MAX_PLACES: int = 100_000
"""Places within pages that links lead to, whose existence is checked."""
MAX_SIMILAR: int = 1_000
"""Pages with a part of their text in common that are compared with each other as near duplicates."""
MAX_VARIANTS: int = 5_000
"""Pages with several URLs that are compared as variants."""
MAX_PAGED_LISTS: int = 200
"""Lists on several pages, the longest ones, that are checked."""
MAX_BROKEN: int = 20_000
"""Missing pages, those with the most links first, that are checked for a missing folder."""
MAX_TEMPORARY: int = 20_000
"""Temporary redirects that are compared with those of earlier crawls."""
MAX_NUMBER_ROWS: int = 100_000
"""Rows of an uploaded table of numbers by URL."""
MAX_LOG_URLS: int = 2_000_000
"""URLs of a project in its access logs; further ones are counted together."""
