"""Checks of the document, its URL and its technical quality."""
