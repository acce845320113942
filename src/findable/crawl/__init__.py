"""Pure parts of a crawl: which URLs to request, which data of a page to store, and evaluation over all pages."""
