"""A report of a page that a browser visited, measured and filmed: requests, lab values, images of a load."""

import io

from msgspec.structs import replace
from PIL import Image, ImageDraw

from findable.capture.rendering import Box, BrowserRequest, Film, FilmFrame, LargestPaint, Load, Rendering, SeenElement
from findable.fetch.browser.lab_visit import MOBILE
from tests.checks.harness import page, rendering
from tests.web.live import Live

HOST = "filmed.example"
URL = f"https://{HOST}/"
REQUESTS = (
    BrowserRequest(URL, "document", 200, 0.0, response_ms=640.0, end_ms=700.0, transferred_bytes=4_200, protocol="h2"),
    BrowserRequest(f"{URL}style.css", "stylesheet", 200, 710.0, response_ms=1_290.0, end_ms=1_300.0, transferred_bytes=9_000),
    BrowserRequest(f"{URL}app.js", "script", 200, 715.0, response_ms=1_300.0, end_ms=1_950.0, transferred_bytes=120_000),
    BrowserRequest(f"{URL}cups-and-teapots-from-many-countries-in-the-window-of-our-shop.jpg", "image", 404, 1_400.0, end_ms=1_990.0),
    BrowserRequest("https://cdn.example/font.woff2", "font", 0, 1_500.0, end_ms=1_501.0, failure="net::ERR_FAILED"),
)


def frame(*boxes: tuple[int, int, int, int], background: str = "#ffffff") -> bytes:
    """A JPEG with dark boxes, as the browser gives it."""
    drawn = Image.new("RGB", (320, 639), background)
    for box in boxes:
        ImageDraw.Draw(drawn).rectangle(box, "#20604a")
    made = io.BytesIO()
    drawn.save(made, "JPEG")
    return made.getvalue()


TITLE, IMAGE = (20, 30, 260, 60), (20, 90, 300, 300)
FRAMES = (frame(), b"", b"", frame(TITLE), b"", frame(TITLE, IMAGE), b"", frame(TITLE, IMAGE, background="#f6e7c8"))
FILM = Film(tuple(FilmFrame(400.0 * number, data) for number, data in enumerate(FRAMES, 1)), 2_210.0)


def filmed() -> Rendering:
    loads = tuple(Load(1_200.0 + ms, LargestPaint(2_200.0 + ms, "img"), quiet_ms=3_000.0, waited_share=0.0) for ms in (0.0, 30.0, 90.0))
    return replace(
        rendering(page(body="<h1>Tea and cups</h1><img src=cup.jpg>")),
        captured_at="2026-11-23T22:00:00Z",
        final_url=URL,
        requests=REQUESTS,
        throttling=MOBILE,
        loads=loads,
        film=FILM,
        first_view=(SeenElement(("html > body > img",), Box(20, 100, 200, 200)),),
    )


def filmed_report(live: Live, email: str) -> str:
    """Make such a report and return the path of its page."""
    live.analyser.renderings[HOST] = filmed()
    return f"/r/{live.client(email=email).report(URL)['public_id']}"
