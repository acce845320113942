"""Medians and shares of what a browser saw."""

from typing import Any

import pytest
from msgspec.structs import replace

from findable.artifacts.browser.accessibility import Accessibility
from findable.artifacts.browser.browser_requests import BrowserRequests
from findable.artifacts.browser.console import Console
from findable.artifacts.browser.layout import Layout, overlay_share, small_targets
from findable.artifacts.browser.rendered_page import RenderedPage
from findable.artifacts.browser.vitals import Vitals, blocking_ms, cumulative_shift
from findable.artifacts.content import Content, needs_browser
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.text import Text
from findable.artifacts.registry import Absent, Artifacts
from findable.capture.devices import Device
from findable.capture.rendering import (
    AxeNode,
    Box,
    BrowserRequest,
    ConsoleLine,
    Film,
    FilmFrame,
    LargestPaint,
    Layer,
    LayoutShift,
    Load,
    LongTask,
    RenderingFailure,
    ShownImage,
    Target,
    TextRun,
    Throttling,
    WithheldReason,
)
from findable.capture.saved import dump, load
from findable.checks.engine import runnable_checks
from findable.checks.runner import run
from findable.reports.facts import browser_facts
from findable.vocabulary import Verdict
from tests.checks.harness import PAGE, artifacts, capture, page, rendering

PHONE = Device("phone", 400, 800, 2.0)
IMAGE = "https://www.example.com/i.jpg"
SHELL = page('<div id="root"></div><script src="/app.js"></script>')


def visited(html: str = "", **fields: Any) -> Artifacts:
    return artifacts(html or page(), rendering=replace(rendering(page()), device=PHONE, **fields))


def one_load(lcp_ms: float, selector: str = "img") -> Load:
    return Load(first_paint_ms=500.0, largest_paint=LargestPaint(lcp_ms, selector))


def test_lab_values_are_medians_of_the_loads() -> None:
    found = visited(loads=(one_load(3000, "a"), one_load(1000, "b"), one_load(2000, "c"))).get_or_none(Vitals)

    assert found == Vitals(2000.0, "c", 0.0, 0.0, 500.0)


def test_a_layer_that_asks_for_consent_is_told_with_what_it_covers() -> None:
    for selector, name, percent in (("div#onetrust-banner-sdk > div", "div#onetrust-banner-sdk > div", 50), ("aside#newsletter", "", None)):
        facts = browser_facts.browser(visited(layers=(Layer(selector, Box(0, 400, 400, 400)), Layer("nav", Box(0, 0, 400, 80)))))
        assert facts is not None
        assert (facts.cookie_banner, facts.cookie_banner_percent) == (name, percent)


def test_loads_on_a_busy_machine_are_shown_and_not_judged() -> None:
    loads = tuple(replace(one_load(lcp_ms), waited_share=share) for lcp_ms, share in ((3000, 0.1), (1000, 0.3), (2000, 0.2)))
    busy, idle = visited(loads=loads), visited(loads=tuple(replace(one, waited_share=0.02) for one in loads))
    found = busy.get(Vitals)

    assert isinstance(found, Absent)
    assert (found.verdict, found.params) == (Verdict.UNKNOWN, {"waited_percent": 20})
    assert isinstance(idle.get(Vitals), Vitals)
    for one, is_busy in ((loads, True), (tuple(replace(one, waited_share=0.02) for one in loads), False)):
        facts = browser_facts.browser(visited(loads=one, throttling=Throttling(562.5, 1474.56, 675.0, 4.0)))
        assert facts is not None
        assert facts.lab is not None
        assert (facts.lab.loads_count, facts.lab.machine_was_busy) == (3, is_busy)
        assert (facts.metrics[0].median, facts.metrics[0].lowest, facts.metrics[0].highest) == (2000, 1000, 3000)


def test_loads_that_painted_nothing_are_unknown() -> None:
    found = visited(loads=(Load(),)).get(Vitals)

    assert isinstance(found, Absent)
    assert found.verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(("lcp_ms", "marked"), [(700.0, 800.0), (790.0, 1200.0), (1_190.0, None), (None, None)])
def test_the_first_frame_with_the_largest_paint_is_marked(lcp_ms: float | None, marked: float | None) -> None:
    film = Film((FilmFrame(400.0, b"white"), FilmFrame(800.0, b"text"), FilmFrame(1200.0)), lcp_ms)
    found = browser_facts.browser(visited(film=film))
    assert found is not None
    assert [frame.at_ms for frame in found.filmstrip] == [400.0, 800.0, 1200.0]
    assert next((frame.at_ms for frame in found.filmstrip if frame.largest_paint), None) == marked
    plain = browser_facts.browser(visited())
    assert plain is not None
    assert plain.filmstrip == ()


def test_a_visit_that_measures_no_load_leaves_lab_values_out() -> None:
    found = visited(loads=()).get(Vitals)

    assert isinstance(found, Absent)
    assert found.verdict is Verdict.INAPPLICABLE


@pytest.mark.parametrize(
    ("shifts", "expected"),
    [
        ((), 0.0),
        (((0, 0.1), (500, 0.1)), 0.2),
        (((0, 0.1), (1500, 0.15)), 0.15),
        (tuple((second * 900, 0.1) for second in range(8)), 0.6),
    ],
)
def test_layout_shifts_add_up_within_a_session(shifts: tuple[tuple[float, float], ...], expected: float) -> None:
    assert cumulative_shift(LayoutShift(at, value) for at, value in shifts) == pytest.approx(expected)


def test_tasks_block_beyond_fifty_ms_after_the_first_paint() -> None:
    tasks = (LongTask(0, 200), LongTask(600, 90), LongTask(700, 60), LongTask(5000, 500))

    assert blocking_ms(Load(first_paint_ms=500, quiet_ms=4000, long_tasks=tasks)) == 50


def test_layers_that_overlap_count_once() -> None:
    half = Layer("a", Box(0, 0, 400, 400))

    assert overlay_share((), PHONE) == 0
    assert overlay_share((half, half), PHONE) == pytest.approx(0.5)
    assert overlay_share((half, Layer("b", Box(0, 400, 400, 400))), PHONE) == 1


def test_small_targets_are_those_too_close_to_others() -> None:
    close = (Target("a", Box(0, 0, 10, 10)), Target("b", Box(12, 0, 10, 10)))
    alone, large, in_text = (
        Target("c", Box(100, 0, 10, 10)),
        Target("d", Box(200, 0, 48, 48)),
        Target("e", Box(0, 12, 10, 10), in_text=True),
    )

    assert [target.selector for target in small_targets((*close, alone, large, in_text))] == ["a", "b"]


def test_layout_has_shares_of_small_text() -> None:
    found = visited(texts=(TextRun("p", 16, 75), TextRun("small", 10, 25)), page_width_px=420).get_or_none(Layout)

    assert found == Layout(420, 400, 0.0, 0, (), 0.25)


def test_images_waste_what_the_screen_cannot_show() -> None:
    image = ShownImage("img", IMAGE, Box(0, 0, 100, 100), 400, 400)
    found = visited(images=(image,), requests=(BrowserRequest(IMAGE, "image", 200, transferred_bytes=40_000),)).get_or_none(BrowserRequests)

    assert found is not None
    assert found.oversized_images == ((IMAGE, 30_000),)


def test_an_image_shown_twice_wastes_by_its_largest_place() -> None:
    small, large = ShownImage("a", IMAGE, Box(0, 0, 10, 10), 200, 200), ShownImage("b", IMAGE, Box(0, 0, 100, 100), 200, 200)
    found = visited(images=(small, large), requests=(BrowserRequest(IMAGE, "image", 200, transferred_bytes=40_000),)).get_or_none(
        BrowserRequests
    )

    assert found is not None
    assert found.oversized_images == ()


def test_uncaught_errors_of_own_scripts_are_shown_once() -> None:
    own = ConsoleLine("error", "x is not defined", "https://www.example.com/a.js", 3, uncaught=True)
    other = replace(own, url="https://cdn.example.net/a.js")
    found = visited(console=(own, own, other, replace(own, uncaught=False))).get_or_none(Console)

    assert found == Console(("x is not defined, https://www.example.com/a.js:3",))


def test_script_errors_are_unknown_if_hosts_were_not_loaded() -> None:
    error = ConsoleLine("error", "gtag is not defined", "https://www.example.com/a.js", 3, uncaught=True)
    counter = BrowserRequest("https://www.google-analytics.com/a.js", "script", withheld=WithheldReason.HOST)

    assert visited(console=(error,), requests=(counter,)).get_or_none(Console) is None
    assert visited(requests=(counter,)).get_or_none(Console) == Console(())


def test_axe_nodes_are_kept_as_found() -> None:
    node = AxeNode("image-alt", "critical", "img")

    assert visited(axe_version="4.14.1", axe=(node, node)).get_or_none(Accessibility) == Accessibility((node,))


def test_the_rendered_page_is_read_like_the_raw_one() -> None:
    found = visited(html=page(head="<title>a</title>")).get_or_none(RenderedPage)
    assert found is not None
    assert (found.head.titles[0].text, found.document.url) == ("Blue widgets – Example", PAGE)
    assert found.canonical.target is None


def test_content_is_the_rendered_document_where_there_is_one() -> None:
    raw, seen = artifacts(page()).get_or_none(Content), visited().get_or_none(Content)

    assert raw is not None
    assert seen is not None
    assert (raw.is_rendered, seen.is_rendered) == (False, True)


def test_content_of_a_shell_needs_a_browser() -> None:
    shell, seen = artifacts(SHELL), visited(SHELL)

    assert needs_browser(shell)
    assert shell.get_or_none(Text) is None
    assert not needs_browser(seen)
    text, headings = seen.get_or_none(Text), seen.get_or_none(Headings)
    assert text is not None
    assert "Blue widgets" in text.visible
    assert headings is not None
    assert headings.main_text == "Blue widgets"


def test_a_browser_that_failed_leaves_its_checks_unknown() -> None:
    made = visited(failure=RenderingFailure.TIMEOUT)
    found = {result.check.id: result.finding.verdict for result in run(made, runnable_checks(made.sources))}

    assert {found[name] for name in ("lcp", "content-width", "console-errors", "axe-violations", "image-responsive")} == {Verdict.UNKNOWN}
    assert found["title-present"] is Verdict.PASSED
    assert found["raw-vs-rendered"] is Verdict.UNKNOWN


def test_a_missing_browser_is_said_once_at_the_root() -> None:
    found = artifacts(page()).get(Vitals)

    assert isinstance(found, Absent)
    assert found.reason == "a browser was not used for this report"


def test_a_rendering_survives_in_a_saved_page() -> None:
    seen = capture(page(), rendering=replace(rendering(page()), device=PHONE, loads=(one_load(1.5),), axe=(AxeNode("a", "minor", "b"),)))

    assert load(dump(seen)) == seen


def test_without_an_end_of_axe_nothing_is_said_of_accessibility() -> None:
    assert visited().get_or_none(Accessibility) is None
