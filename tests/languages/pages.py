"""What a page of ours says to people, and a service that says it in a made-up language."""

from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser

import pytest

from findable.web.pages.result import link_pages
from findable.web.pages.shared import page_templates, viewer
from findable.wording import Translator

SAID_IN = frozenset({"alt", "title", "aria-label", "placeholder", "data-ready", "data-show", "data-hide", "data-told"})
"""Attributes that are shown or read out."""
UNSAID = frozenset({"script", "style", "code", "pre"})
DESCRIBED = frozenset({"description", "og:title", "og:description"})


class Said(HTMLParser):
    """Reads off a page the texts that people get to see or hear, code left out."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._unsaid = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._unsaid += tag in UNSAID
        self.texts += [value for name, value in given.items() if name in SAID_IN]
        if tag == "meta" and (given.get("name") in DESCRIBED or given.get("property") in DESCRIBED):
            self.texts.append(given["content"])

    def handle_endtag(self, tag: str) -> None:
        self._unsaid -= tag in UNSAID

    def handle_data(self, data: str) -> None:
        if not self._unsaid:
            self.texts.append(data)


def said(html: str) -> str:
    """What the page says."""
    reader = Said()
    reader.feed(html)
    return "\n".join(reader.texts)


@contextmanager
def spoken(say: Translator) -> Iterator[None]:
    """While this lasts the pages of services in this process speak that language, whatever is asked for."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (page_templates, link_pages):
            patch.setattr(module, "wording", lambda _code: say)
        for module in (viewer, link_pages):
            patch.setattr(module, "client_wording", lambda _code, _rating_words: say)
        yield
