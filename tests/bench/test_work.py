"""How much work a page makes, in calls instead of seconds: what is read once stays read once, and twice the page is twice the work."""

import importlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from findable.artifacts.html import client_side_rendering
from findable.artifacts.html.document import Document
from findable.artifacts.html.page_tree import PageTree
from findable.artifacts.html.parse_tree import TreeWalk, shown_strings
from findable.artifacts.page.word_count import count_words
from findable.reports.analysis import analyse
from tests.checks.harness import capture, page

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
PAGES = importlib.import_module("bench_hostile").PAGES

ARTICLE = page(
    '<nav><a href="/">Home</a><a href="/shop">Shop</a></nav><main><h1>Blue widgets</h1>'
    + "<p>Widgets are made to measure in our own workshop and sent to you within three days.</p>" * 300
    + '<img src="/a.png" alt="A widget" width=10 height=10><a href="https://other.example/">Other</a></main>'
)


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """Calls of Python functions by name, those in this process and thread."""
    calls: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            calls[f"{frame.f_globals.get('__name__')}.{frame.f_code.co_qualname}"] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def name_of(function: Callable[..., Any]) -> str:
    """The name under which calls of a function are counted."""
    return f"{function.__module__}.{function.__qualname__}"


def calls_of(html: str) -> Counter[str]:
    what = capture(html)
    analyse(what)  # imports, word lists, patterns
    with counted() as calls:
        analyse(what)
    return calls


@pytest.mark.full
def test_a_page_is_parsed_walked_and_counted_once() -> None:
    calls = calls_of(ARTICLE)

    assert calls[name_of(TreeWalk._walk)] == calls[name_of(Document.__init__)] == 1
    assert 1 <= calls[name_of(count_words)] <= 3, "visible and main text, and the beginning of one"
    assert calls[name_of(client_side_rendering._is_shell)] == 1
    assert calls[f"{PageTree.__module__}.PageTree.{PageTree._holders._name}"] == 1
    assert 1 <= calls[name_of(Document.select)] < 6, "most elements are found by tag or by a rare attribute"
    assert calls[name_of(shown_strings)] < 50, "only texts that the page does not show are walked for"


@pytest.mark.full
def test_each_artifact_is_made_once() -> None:
    calls = calls_of(ARTICLE)
    makers = {name: count for name, count in calls.items() if ".artifacts." in name and name.rpartition(".")[2].startswith("make_")}

    assert len(makers) > 30
    assert set(makers.values()) == {1}


@pytest.mark.full
@pytest.mark.parametrize("name", PAGES)
def test_s30_twice_the_page_is_at_most_twice_the_work(name: str) -> None:
    small, middle, large = (calls_of(PAGES[name](size)).total() for size in (12_000, 24_000, 48_000))

    assert large - middle <= 2.2 * max(0, middle - small) + 2_000
