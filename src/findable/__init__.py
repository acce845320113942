"""Findable: self-hosted SEO reports."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("findable-seo")
except PackageNotFoundError:  # a source tree that is not installed
    __version__ = "0.0.0"
