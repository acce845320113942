"""Findable: self-hosted SEO reports. One address in, one honest report out."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("findable-seo")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0.0.0"
