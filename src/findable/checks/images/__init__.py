"""Checks of images: alternative text, size, format and layout."""
