"""Report of a crawled site: its pages for the owner and for people with the link."""
