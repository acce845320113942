"""The pure parts of a crawl: what to request, what to keep of a page, and what follows from all pages."""
