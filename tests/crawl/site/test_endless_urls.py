"""Series of URLs that are traps for crawlers."""

from findable.capture.crawl import TrapKind
from findable.capture.site_graph import Trap
from findable.crawl.site.endless_urls import is_trap, session_ids_in_paths

SITE = "https://shop.example"


def test_facets_that_were_not_fetched_are_no_trap() -> None:
    assert not is_trap(Trap(TrapKind.FACETS, f"{SITE}/shoes?{{}}", 900, 0))
    assert is_trap(Trap(TrapKind.FACETS, f"{SITE}/shoes?{{}}", 900, 1))
    assert is_trap(Trap(TrapKind.CALENDAR, f"{SITE}/{{}}", 900, 0))


def test_one_value_in_paths_is_no_session_id() -> None:
    urls = (f"{SITE}/a;sid=1", f"{SITE}/b;sid=2")

    assert list(session_ids_in_paths([f"sid=1 {urls[0]}", f"sid=1 {SITE}/b;sid=1"])) == []
    assert list(session_ids_in_paths([f"sid=1 {urls[0]}", f"sid=2 {urls[1]}"])) == [Trap(TrapKind.SESSION_ID, "sid", 2, 0, urls)]
