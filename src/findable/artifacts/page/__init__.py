"""Facts of the page itself."""
