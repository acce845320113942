"""The running service."""

from tests.web.fixtures import client, live  # noqa: F401
