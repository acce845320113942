"""Pure parts of a crawl: what to request, what to store of a page, and what follows from all pages."""
