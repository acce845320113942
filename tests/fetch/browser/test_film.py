"""Films of loads: bounded while they are taken, frames at equal distances, as the real browser draws them."""

import io
from itertools import pairwise

import pytest
from msgspec.structs import replace
from PIL import Image

from findable.capture.devices import PHONE
from findable.capture.rendering import Film, FilmFrame, Rendering
from findable.fetch.browser.browser_pool import BrowserPool
from findable.fetch.browser.filmed_visit import FRAMES_COUNT, MAX_DRAWN_COUNT, DrawnImage, FilmRecorder, frames_of
from findable.fetch.browser.lab_visit import LOADS_COUNT
from findable.fetch.browser.visit_order import VisitOrder
from tests.browser import needs_chromium
from tests.fetch.browser.visiting import in_pool
from tests.sites.server import Site

HEAD = "<!doctype html><html lang=en><head><meta name=viewport content='width=device-width'><title>A page</title></head>"
LATE = f"""{HEAD}<body style="margin:0;background:#00f"><h1>Tea and cups from Hamburg</h1><script>
setTimeout(()=>document.body.style.background='#f00',2000)</script>"""
MOVING = f"""{HEAD}<body><style>@keyframes turn{{to{{transform:rotate(1turn)}}}}
i{{display:block;width:9rem;height:9rem;background:red;animation:turn 1s infinite linear}}</style><h1>Tea and cups</h1><i></i>"""


def test_images_of_an_animation_are_thinned_out_and_the_last_one_stays() -> None:
    images = FilmRecorder()
    for number in range(5_000):
        images.add(DrawnImage(number * 16.0, b"%d" % number))
        assert len(images.held) <= MAX_DRAWN_COUNT
        assert images.held[-1].data == b"%d" % number
    assert images.held[0].at_ms == 0
    distances_ms = [after.at_ms - before.at_ms for before, after in pairwise(images.held[:-1])]
    assert max(distances_ms) < 5_000 * 16 / MAX_DRAWN_COUNT * 5


def test_frames_are_as_far_apart_as_the_last_change_demands() -> None:
    drawn = [DrawnImage(-9.0, b"white"), DrawnImage(1_258.0, b"text"), DrawnImage(1_300.0, b"image"), DrawnImage(2_774.0, b"banner")]
    assert frames_of(drawn, 2_774.0) == (
        FilmFrame(400.0, b"white"),
        FilmFrame(800.0),
        FilmFrame(1_200.0),
        FilmFrame(1_600.0, b"image"),
        FilmFrame(2_000.0),
        FilmFrame(2_400.0),
        FilmFrame(2_800.0, b"banner"),
        FilmFrame(3_200.0),
    )
    assert [frame.at_ms for frame in frames_of(drawn[1:2], 30.0)] == [100.0 * number for number in range(1, FRAMES_COUNT + 1)]
    assert frames_of([], 0.0) == frames_of(drawn[:1], -9.0) == ()


def film_of(url: str, order: VisitOrder | None = None) -> Film | None:
    async def work(pool: BrowserPool) -> Rendering:
        return await pool.measure(Rendering("2026-11-23T00:00:00Z", "", PHONE), order or VisitOrder(url))

    found: Rendering = in_pool(work)
    assert len(found.loads) == LOADS_COUNT
    return found.film


def colour_of(frame: FilmFrame) -> str:
    """Colour of the lower edge."""
    with Image.open(io.BytesIO(frame.data)) as image:
        assert (image.format, image.size) == ("JPEG", (320, 639))
        pixel = image.convert("RGB").getpixel((160, 620))
    assert isinstance(pixel, tuple)
    red, green, blue = (part > 128 for part in pixel)
    return {(True, True, True): "white", (False, False, True): "blue", (True, False, False): "red"}[red, green, blue]


@pytest.mark.full
@needs_chromium
def test_a_film_shows_the_page_empty_then_painted_then_changed(site: Site) -> None:
    film = film_of(site.page("/", LATE))
    assert film is not None
    assert film.largest_paint_ms is not None
    changes = [frame for frame in film.frames if frame.data]
    assert [colour_of(frame) for frame in changes] == ["white", "blue", "red"]
    step_ms = film.frames[0].at_ms
    assert [frame.at_ms for frame in film.frames] == [step_ms * number for number in range(1, FRAMES_COUNT + 1)]
    assert abs(changes[1].at_ms - film.largest_paint_ms) <= step_ms + 50
    assert changes[2].at_ms >= film.largest_paint_ms + 2_000 - step_ms
    assert len(site.asked("/")) == LOADS_COUNT + 1, "the film is of a load that is not measured"


@pytest.mark.full
@needs_chromium
def test_the_film_of_a_page_that_never_rests_ends_when_it_has_loaded(site: Site) -> None:
    film = film_of(site.page("/", MOVING))
    assert film is not None
    assert film.largest_paint_ms is not None
    assert film.frames[-1].at_ms < film.largest_paint_ms + 2_500
    assert len({frame.data for frame in film.frames}) > 2


@pytest.mark.full
@needs_chromium
def test_an_order_without_images_is_measured_without_a_film(site: Site) -> None:
    url = site.page("/", LATE)
    assert film_of(url, replace(VisitOrder(url), screenshots=False)) is None
    assert len(site.asked("/")) == LOADS_COUNT
