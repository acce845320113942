"""Endless series of URLs."""

import re
from pathlib import Path

import pytest

from findable.capture.crawl import Refusal, TrapKind
from findable.crawl.traps import (
    BARREN_PAGES,
    CALENDAR_PAGES,
    Series,
    facets_of,
    is_growing,
    series_of,
    session_values,
    text_without_numbers,
)
from findable.crawl.url_parameters import without_parameters
from findable.formats.session_ids import path_session, session_name, without_session
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_frontier import REFUSED
from findable.store.crawl_schema import URL
from findable.store.trap_roots import TrapRoots
from tests.crawl.stored_crawl import Link, StoredPage, stored_crawl

SITE = "https://example.com"


@pytest.mark.parametrize(
    ("path", "grows"),
    [
        ("/a/b/c", False),
        ("/x/x/x", True),
        ("/x/x/y", False),
        ("/de/shop/de/shop/de/shop", True),
        ("/2001/01/01/01/01", False),
        ("/2001/01/01/01/x/x/x", True),
        ("/" + "/".join(f"s{n}" for n in range(15)), False),
        ("/" + "/".join(f"s{n}" for n in range(16)), True),
    ],
)
def test_a_path_that_repeats_itself_grows(path: str, grows: bool) -> None:
    assert is_growing(SITE + path) is grows


@pytest.mark.parametrize(
    ("path", "kind", "pattern"),
    [
        ("/about", None, ""),
        ("/product/17", TrapKind.COUNTER, "/product/{}"),
        ("/events/2026-11-22", TrapKind.CALENDAR, "/events/{}-{}-{}"),
        ("/events?month=2026-11", TrapKind.CALENDAR, "/events?month={}-{}"),
        ("/events/2026/3", TrapKind.CALENDAR, "/events/{}/{}"),
        ("/page/19001", TrapKind.COUNTER, "/page/{}"),
        ("/product/200511", TrapKind.COUNTER, "/product/{}"),
        ("/product/20051123-lamp", TrapKind.COUNTER, "/product/{}-lamp"),
        ("/show?id=200511", TrapKind.PARAMETERS, "/show?id={}"),
        ("/list?size=xl&color=red", TrapKind.PARAMETERS, "/list?color={}&size={}"),
    ],
)
def test_a_series_is_what_urls_have_in_common(path: str, kind: TrapKind | None, pattern: str) -> None:
    name = series_of(SITE + path)

    assert (name and (name.kind, name.pattern)) == (None if kind is None else (kind, SITE + pattern))


def test_two_parameters_are_facets_and_one_is_not() -> None:
    assert facets_of(f"{SITE}/list?a=1") is None
    assert facets_of(f"{SITE}/list?a=1&b=2") == facets_of(f"{SITE}/list?c=1&b=2")


@pytest.mark.parametrize(
    ("series", "endless"),
    [
        (Series(TrapKind.COUNTER, 5000, 5000), False),
        (Series(TrapKind.COUNTER, 30, 25, BARREN_PAGES), True),
        (Series(TrapKind.CALENDAR, 90, 80, CALENDAR_PAGES), True),
        (Series(TrapKind.CALENDAR, 300, 300, BARREN_PAGES), False),
        (Series(TrapKind.FACETS, 1001, 10, shapes_count=9), True),
        (Series(TrapKind.FACETS, 1001, 10, shapes_count=3), False),
    ],
)
def test_a_series_ends_by_its_counts(series: Series, endless: bool) -> None:
    assert series.is_endless is endless


RANDOM = "9f86d081884c7d659a2feaa0c55ad015"


def test_values_that_name_things_are_no_session_ids() -> None:
    check_ins = [(1, f"{SITE}/timeline?c=5594a121bf132a98"), (1, f"{SITE}/timeline?c=6694a121bf132a98"), (2, f"{SITE}/info?c={RANDOM}")]
    in_few_links = [(3, f"{SITE}/diff?c={RANDOM}"), (3, f"{SITE}/log?c={RANDOM}"), *((3, f"{SITE}/page{number}") for number in range(3))]
    words = [(4, f"{SITE}/?title=internationalization-of-everything"), (4, f"{SITE}/b?title=internationalization-of-everything")]

    assert list(session_values([*check_ins, *in_few_links, *words])) == []


def test_session_ids_are_known_by_name_or_stand_in_most_links_of_a_page() -> None:
    named = [(1, f"{SITE}/?sid={RANDOM}&color=red"), (1, f"{SITE}/a"), (1, f"{SITE}/b")]
    appended = [(2, f"{SITE}/a?visit={RANDOM}"), (2, f"{SITE}/b?visit={RANDOM}"), (2, f"{SITE}/c")]

    assert [(name, value) for _, name, value in session_values(named)] == [("sid", RANDOM)]
    assert [(name, value) for _, name, value in session_values(appended)] == [("visit", RANDOM)] * 2


def test_a_url_loses_its_session_id_only() -> None:
    assert without_session(f"{SITE}/a;jsessionid=1?b=2&PHPSESSID=x#c") == f"{SITE}/a?b=2#c"
    assert without_session(f"{SITE}/a?sid=5") == f"{SITE}/a?sid=5"
    assert session_name(f"{SITE}/a?sid={RANDOM}") == "sid"


def test_a_session_id_leaves_the_query_and_the_path() -> None:
    assert without_parameters(f"{SITE}/a;jsessionid=12AB?x=1&sid=9", frozenset({"sid"})) == f"{SITE}/a?x=1"
    assert without_parameters(f"{SITE}/a;id=0123456789abcdef/b", frozenset()) == f"{SITE}/a/b"
    assert without_parameters(f"{SITE}/a;id=5", frozenset()) == f"{SITE}/a;id=5"
    assert path_session(f"{SITE}/a;id=5") is None
    assert path_session(f"{SITE}/a;JSESSIONID=12AB?x=1") == ("jsessionid", "12AB")
    assert without_parameters(f"{SITE}/a?sid=9", frozenset({"sid"})) == f"{SITE}/a"


@pytest.mark.parametrize("text", ["12 – März 2026 “3 Tage”", "7", "", "Стр. 17 из 400", "第12页 a 3 b"])
def test_numbers_leave_no_space_behind(text: str) -> None:
    assert text_without_numbers(text) == " ".join(re.sub(r"\d", "", text).split())


def test_a_text_without_numbers_is_equal_on_pages_of_a_counter() -> None:
    assert text_without_numbers("Page 17 of 400") == text_without_numbers("Page 3  of 400")


def test_a_growing_path_is_named_after_most_of_its_urls_and_not_after_the_first(tmp_path: Path) -> None:
    places = [f"/a/{number}" for number in range(12)] + [f"/shop/{number}" for number in range(60)]
    stored_crawl(tmp_path, {"/": StoredPage(tuple(map(Link, places)))})
    file = CrawlFile(tmp_path / "crawl.sqlite")
    with file.engine.begin() as connection:
        refused = {"state": REFUSED, "refusal": Refusal.TRAP.value, "detail": TrapKind.GROWING_PATH.value}
        connection.execute(URL.update().where(URL.c.url.contains("/a/") | URL.c.url.contains("/shop/")).values(refused))
        state = file.state()
        assert state is not None
        (trap,) = TrapRoots(connection, state).traps().items

    assert (trap.pattern, trap.found_count) == ("/shop/*", 72)
