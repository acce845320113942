"""Document, URL and runtime hygiene."""
