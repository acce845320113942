"""Comparison with Lighthouse: serving pages to it, and combining both results."""

import gzip
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from findable.artifacts.registry import gather
from findable.checks.engine import runnable_checks
from findable.checks.runner import run
from findable.vocabulary import FETCHED
from research.lighthouse.agreement import Tally, enter
from research.lighthouse.cases import MARKUP_ONLY, Case, Plain, World, cases
from research.lighthouse.rules import COMPARED
from research.lighthouse.words import Seen, Word
from tests.checks.harness import capture, page

HTML = page('<a href="/a">More</a><img src="/a.png" alt="A">')
COMPARISONS = {item.audits[0]: item for item in COMPARED if not item.part}


@pytest.fixture
def port() -> Iterator[int]:
    given = {"url": "http://www.example.com/a", "robots_txt": "User-agent: *\nDisallow: /b\n", "content_encoding": "gzip"}
    world = World([Case("page.a", capture(HTML, **given))])
    world.use(0)
    handler = type("Served", (Plain,), {"world": world})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def ask(port: int, path: str, **headers: str) -> Any:
    return urlopen(Request(f"http://127.0.0.1:{port}{path}", headers={"Host": "www.example.com", **headers}), timeout=10)


def test_a_case_is_served_at_its_own_address_as_markup_only(port: int) -> None:
    answer = ask(port, "/a")
    assert gzip.decompress(answer.read()).decode() == HTML
    assert answer.headers["Content-Security-Policy"] == MARKUP_ONLY
    assert ask(port, "/robots.txt").read() == b"User-agent: *\nDisallow: /b\n"
    assert ask(port, "/a.png", Accept="image/avif,*/*").headers["Content-Type"] == "image/png"
    assert ask(port, "/a.css", Accept="text/css,*/*").read() == b""


def audit(score: float | None, *items: Mapping[str, Any]) -> dict[str, Any]:
    return {"score": score, "scoreDisplayMode": "notApplicable" if score is None else "binary", "details": {"items": list(items)}}


def entered(name: str, html: str, **audits: Any) -> Tally:
    artifacts = gather(*capture(html).roots)
    findings = {result.check.id: result.finding for result in run(artifacts, runnable_checks(FETCHED))}
    tally = Tally()
    enter(tally, COMPARISONS[name], "page.a", Seen({key.replace("_", "-"): value for key, value in audits.items()}, findings, artifacts))
    return tally


def test_the_same_word_agrees() -> None:
    assert entered("document-title", page(), document_title=audit(1)).agreed == {"pass": 1}
    assert entered("document-title", page(head=""), document_title=audit(0)).agreed == {"fail": 1}


def test_another_word_does_not() -> None:
    assert entered("document-title", page(), document_title=audit(0)).disagreed
    assert entered("document-title", page(head=""), document_title=audit(1)).disagreed


def test_a_fault_where_lighthouse_has_nothing_to_judge_is_a_disagreement() -> None:
    assert entered("document-title", page(head=""), document_title=audit(None)).disagreed
    assert entered("document-title", page(), document_title=audit(None)).cases_count == 0


def test_nothing_to_judge_is_no_case() -> None:
    assert entered("crawlable-anchors", page("<p>Text</p>"), crawlable_anchors=audit(1)).cases_count == 0


def test_a_declared_difference_leaves_out_what_it_explains_and_no_more() -> None:
    listed = [
        {"href": f"https://www.example.com/{letter}", "text": text}
        for letter, text in (("a", "More"), ("b", "Here"), ("c", "Blue widgets"))
    ]
    two = page('<a href="/a">More</a><a href="/b">Here</a><a href="/c">Blue widgets</a>')
    assert entered("link-text", two, link_text=audit(0, *listed[:2])).left_out == {"up to two": ["page.a"]}
    assert entered("link-text", two, link_text=audit(0, *listed)).disagreed


def test_every_difference_has_a_name_of_its_own_and_a_reason() -> None:
    for item in COMPARED:
        names = [difference.name for difference in item.differences]
        assert len(set(names)) == len(names)
        assert all(difference.reason and not difference.reason.endswith(".") for difference in item.differences)


def test_every_comparison_passes_a_case_and_fails_another(tmp_path: Path) -> None:
    (tmp_path / "page.html.gz").write_bytes(gzip.compress(b"<!doctype html><title>No encoding is declared</title>"))
    said: dict[str, set[Word]] = defaultdict(set)
    for case in cases(tmp_path, {check for item in COMPARED for check in item.checks}):
        artifacts = gather(*case.capture.roots)
        seen = Seen({}, {result.check.id: result.finding for result in run(artifacts, runnable_checks(FETCHED))}, artifacts)
        for item in COMPARED:
            said[item.name].add(item.ours(seen))
    assert not [name for name, words in said.items() if not words >= {Word.PASS, Word.FAIL}]
