"""A page is parsed once in one process, and handed over as a value."""

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from findable.analyze import ParsedPage, check_capture, read_page
from findable.artifacts.html.document import Document
from tests.checks.harness import capture, page


@contextmanager
def parsed_documents(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The URLs of the documents that are parsed meanwhile."""
    urls: list[str] = []
    parse = Document.__init__

    def counted(self: Document, text: str, url: str, *more: Any, **named: Any) -> None:
        urls.append(url)
        parse(self, text, url, *more, **named)

    with monkeypatch.context() as patched:
        patched.setattr(Document, "__init__", counted)
        yield urls


def test_a_page_that_this_process_has_read_is_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = capture(page('<a href="/a">A</a>'))
    with parsed_documents(monkeypatch) as urls:
        check_capture(seen, read_page(seen.page), False, (), True)

    assert urls.count(seen.page.response.final_url) == 1


def test_a_page_that_another_process_has_read_is_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = capture(page('<a href="/a">A</a>'))
    read = read_page(seen.page)
    told: ParsedPage = pickle.loads(pickle.dumps(read))
    assert told.targets == read.targets

    with parsed_documents(monkeypatch) as urls:
        judged = check_capture(seen, told, False, (), True)

    assert urls.count(seen.page.response.final_url) == 1
    assert pickle.loads(pickle.dumps(judged)) == judged == check_capture(seen, read, False, (), True)
