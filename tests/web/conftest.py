"""The running service, sites for it, and a browser."""

from tests.browser import chromium, window
from tests.sites.plugin import make_site, site
from tests.web.fixtures import client, live

__all__ = ["chromium", "client", "live", "make_site", "site", "window"]
