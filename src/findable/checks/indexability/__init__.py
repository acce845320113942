"""Checks of indexability: whether search engines can fetch and index the page, and under which URL."""
