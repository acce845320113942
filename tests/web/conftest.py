"""The running service, and a browser."""

from tests.browser import chromium, window  # noqa: F401
from tests.sites.plugin import make_site, site  # noqa: F401
from tests.web.fixtures import client, live  # noqa: F401
