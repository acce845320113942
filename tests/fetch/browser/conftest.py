"""The test sites."""

from tests.sites.plugin import make_site, site

__all__ = ["make_site", "site"]
