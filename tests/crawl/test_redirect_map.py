"""Lines of a redirect map, and the results of its URLs."""

import pytest

from findable.crawl.redirect_map import MapUrl, RedirectResult, map_headline, map_lines, redirect_row

SITE = "https://shop.example"


def cells(*lines: str, base: str = SITE) -> list[tuple[str, ...]]:
    return [line.cells for line in map_lines(lines, base)]


@pytest.mark.parametrize("mark", [" ", "\t", ",", ";", ", ", " ; ", "->", " -> ", " --> ", "=>", " => ", "→", " → "])
def test_a_target_follows_a_space_a_tab_a_comma_a_semicolon_or_an_arrow(mark: str) -> None:
    for old, new in (("https://old.example/a", "https://new.example/b"), ("old.example/a", "new.example/b/")):
        assert cells(f"{old}{mark}{new}", f'"{old}"{mark}"{new}"', f"  '{old}'{mark}'{new}' ") == [(old, new)] * 3
    assert cells(f"/a{mark}/b") == [(f"{SITE}/a", f"{SITE}/b")]


def test_a_comma_or_semicolon_within_a_url_separates_nothing() -> None:
    lines = (f"{SITE}/a,b", f"{SITE}/1,2 /3,4", f"{SITE}/a;jsessionid=1", f"{SITE}/artikel,12.html")
    assert cells(*lines) == [(lines[0],), (f"{SITE}/1,2", f"{SITE}/3,4"), (lines[2],), (lines[3],)]


@pytest.mark.parametrize("heading", ["old,new", "from;to", "source,target", "old\tnew", "Old URL -> New URL", '"Alt","Neu"', "url", "URLs"])
def test_a_line_of_headings_is_skipped(heading: str) -> None:
    assert cells("", "# exported", heading, "/a,/b", "shop.example/c") == [(f"{SITE}/a", f"{SITE}/b"), ("shop.example/c",)]


def test_a_host_alone_is_no_heading() -> None:
    assert cells("localhost") == [("localhost",)]


def test_an_error_names_the_line_and_its_number() -> None:
    twice = list(map_lines(["/a -> /b", "/a /b", "/a, /c"], SITE))
    assert [line.earlier for line in twice] == [0, 0, 1]
    assert str(twice[2].error(twice[2].problem)) == "Line 3, “/a, /c”: line 1 has another target for the same URL."
    good, wrong = map_lines(["old new", "/a /b", "", "/a /b /c"], SITE)
    assert (good.problem == "", wrong.problem == "") == (True, False)
    assert wrong.error(wrong.problem) == "Line 4, “/a /b /c”: a line has a URL, or a URL and its target."
    assert good.error("no host") == "Line 2, “/a /b”: no host"


OLD, NEW, OTHER = f"{SITE}/old", f"{SITE}/new", f"{SITE}/other"


def known(url: str, status: int | None = 200, not_indexable: str = "") -> MapUrl:
    return MapUrl(url, status, not_indexable, "" if status is not None else "robots")


def moved(url: str = OLD, status: int = 301) -> MapUrl:
    return known(url, status, "redirect")


@pytest.mark.parametrize(
    ("chain", "target", "result", "words"),
    [
        ([moved(), known(NEW)], known(NEW), "reached", "leads there directly"),
        ([moved(), moved(OTHER), known(NEW)], known(NEW), "chained", "leads there by 2 redirects"),
        ([moved(), known(OTHER)], known(NEW), "other_target", "leads to another page"),
        ([known(OLD)], known(NEW), "no_redirect", "does not redirect"),
        ([known(OLD, 404, "status")], known(NEW), "broken", "returns an error"),
        ([moved(), known(OTHER, 0, "failure")], known(NEW), "broken", "returns an error"),
        ([moved(), known(NEW, 404, "status")], known(NEW, 404, "status"), "target_broken", "the target returns an error"),
        ([moved(), moved(NEW), known(OTHER)], moved(NEW), "target_redirects", "the target itself redirects"),
        ([moved(), known(NEW, 200, "noindex")], known(NEW, 200, "noindex"), "target_noindex", "the target is noindex"),
        (
            [moved(), known(NEW, 200, "canonical")],
            known(NEW, 200, "canonical"),
            "target_canonical",
            "the target declares another page as canonical",
        ),
        ([known(OLD, None)], known(NEW), "not_requested", "was not requested"),
        ([], known(NEW), "not_requested", "was not requested"),
        ([moved(), known(NEW, None)], known(NEW, None), "not_requested", "was not requested"),
    ],
)
def test_each_url_of_a_map_has_a_result_in_words(chain: list[MapUrl], target: MapUrl, result: str, words: str) -> None:
    row = redirect_row(OLD, target, chain)
    assert (row.result.value, row.words) == (result, words)


def test_a_loop_is_called_a_loop_and_a_row_has_all_its_statuses() -> None:
    loop = redirect_row(OLD, known(NEW), [moved(), moved(OTHER, 302), moved()], is_loop=True)
    row = redirect_row(OLD, known(NEW), [moved(), moved(OTHER, 302), known(NEW)])
    assert loop.result is RedirectResult.LOOP
    assert (row.statuses, row.hops[1]) == ("301 → 302 → 200", f"302 {OTHER}")


def test_a_target_has_its_problem_even_if_the_url_leads_elsewhere() -> None:
    row = redirect_row(OLD, known(NEW, 404, "status"), [known(OLD)])
    assert (row.result, row.target_problem) == (RedirectResult.NO_REDIRECT, RedirectResult.TARGET_BROKEN)


def test_the_headline_counts_urls_that_do_not_lead_to_their_targets() -> None:
    good = redirect_row(OLD, known(NEW), [moved(), known(NEW)])
    wrong, noindex = redirect_row(OLD, known(NEW), [known(OLD)]), redirect_row(OLD, known(NEW, 200, "noindex"), [moved(), known(NEW)])
    assert map_headline([good, wrong, noindex]) == "1 of 3 old URLs does not lead where the map says"
    assert map_headline([good, noindex]) == "All 2 old URLs lead where the map says"
    assert map_headline([good]) == "The old URL leads where the map says"
    assert map_headline([good, redirect_row(OLD, known(NEW), [])]) == "Not all old URLs of the map were requested"
