"""The running service, and sites for it."""

from tests.sites.plugin import make_site, site
from tests.web.fixtures import client, live

__all__ = ["client", "live", "make_site", "site"]
