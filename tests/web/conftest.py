"""The running service, sites for it, and a browser."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import jinja2
import pytest

from findable.web.pages.shared import page_templates
from tests.browser import chromium, window
from tests.sites.plugin import make_site, site
from tests.web.fixtures import client, live

__all__ = ["chromium", "client", "live", "make_site", "site", "window"]


class MissingField(jinja2.StrictUndefined):
    """Value that a template reads and its page does not have: an error. Members of the OpenAPI document, which are dicts, are optional."""

    def __new__(cls, hint: str | None = None, obj: Any = jinja2.utils.missing, name: str | None = None, *_: Any) -> Any:
        """Return a value that counts as empty for a dict."""
        return jinja2.Undefined(hint, obj, name) if isinstance(obj, dict) else super().__new__(cls)


@pytest.fixture(scope="session", autouse=True)
def strict_templates() -> Iterator[None]:
    """Raise an error for a missing field of a page. Otherwise it would count as empty, and a part of the page would be missing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_templates, "Environment", partial(jinja2.Environment, undefined=MissingField))
        _clear_templates()
        yield
    _clear_templates()


def _clear_templates() -> None:
    """Empty the cache of template environments, unless a guard test has replaced it."""
    if hasattr(page_templates.environment, "cache_clear"):
        page_templates.environment.cache_clear()
