"""Checks of a whole site, on roots as a crawl makes them."""
