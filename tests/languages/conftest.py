"""A browser."""

from tests.browser import chromium, window

__all__ = ["chromium", "window"]
