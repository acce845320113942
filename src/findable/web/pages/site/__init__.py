"""Report of a crawled site: its pages for the owner and for viewers with the link."""
