"""Pure functions of a crawl: choose the URLs to request and the page data to store, and evaluate all pages."""
