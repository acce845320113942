"""Document, URL and technical quality."""
