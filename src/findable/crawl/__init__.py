"""Pure parts of a crawl: which URLs to request, which data of a page to store, and evaluation of all pages."""
