"""The running service, and sites for it."""

from tests.sites.plugin import make_site, site  # noqa: F401
from tests.web.fixtures import client, live  # noqa: F401
