"""A service that makes real reports of sites on loopback."""

from tests.sites.plugin import make_site, site

__all__ = ["make_site", "site"]
