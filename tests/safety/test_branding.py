"""What an owner puts on reports: a name, a colour, a logo. Data everywhere, never a template, never a file that runs."""

import base64
import io
import json
import re
import shutil
import struct
import subprocess
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from PIL import Image

from findable.web.app import ENDPOINTS
from tests.safety.test_hostile_text import ANSI, CONTROLS, EVIL, Seen
from tests.safety.world import HOST, World
from tests.web.live import Client, Live, Reply

ROOT = Path(__file__).parents[2]
GUEST_FILES = sorted(
    {path for endpoint in ENDPOINTS if endpoint.method == "GET" for path in endpoint.paths if path[:3] in ("/r/", "/s/", "/p/")}
)
NAMED = re.compile(r".{,40}findable.{,40}", re.IGNORECASE)
OWN_FILES = re.compile(r"\"findable\.\w+/\d|findable (?:audit|crawl|recheck) ")
"""Names of formats, and commands."""
TYPST = '#read("/etc/passwd") #panic("x") #import "x.typ" $x$'
TEMPLATES = (
    "{{ 1337*1337 }}",
    "{{ config.__class__.__init__.__globals__ }}",
    "{% include '/etc/passwd' %}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "${1337*1337}",
    "%(address)s %s {0} {0.__class__}",
    TYPST,
    EVIL,
)


@pytest.fixture(scope="module")
def world(live: Live) -> World:
    made = World(live)
    assert made.public["project"] == HOST  # a project is there from its first report on
    return made


def put(client: Client, **members: Any) -> Reply:
    return client.put(f"/projects/{HOST}", json.dumps(members), {"Content-Type": "application/json"})


@pytest.mark.parametrize("name", TEMPLATES)
def test_s37_s87_a_name_is_no_template(world: World, name: str) -> None:
    path = f"/r/{world.public['public_id']}"
    made = put(world.api, brand_name=name)
    assert made.status in (200, 422), made.text
    for who in (world.browser("nobody"), world.browser("owner")):
        for address in (path, f"{path}/history", f"{path}/report.md", f"{path}/report.pdf", f"{path}/badge.svg"):
            reply = who.get(address)
            assert reply.status in (200, 404), (address, reply.status)
            if reply.headers["Content-Type"].startswith("text/html"):
                assert Seen(reply.text).runs == [], address
                assert "1787569" not in reply.text
            assert b"root:" not in reply.body
            assert b"__subclasses__" not in reply.body or "__subclasses__" in name
    assert put(world.api, brand_name="").status == 200


def test_s87_no_template_is_made_of_text() -> None:
    """Templates are files of the package; nothing else is read as one. Markup is what stands in them, never what is put into them."""
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")}
    made_of_text = re.compile(r"from_string\(|(?:jinja2|string) import .*\bTemplate\b|jinja2\.Template|autoescape=False")
    assert [path for path, text in sources.items() if made_of_text.search(text)] == []
    templates = {path: path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.html")}
    assert [path for path, text in templates.items() if re.search(r"[^'\"]\s*\|\s*safe\b", text) or "{% autoescape" in text] == []


@pytest.mark.parametrize("name", [f"Shop{ANSI}", "Shop\r\nSet-Cookie: planted=1", "Shop\u202e\u2066gpj", "a" * 5000, "\0"])
def test_s37_s80_a_name_stays_on_one_line(world: World, name: str) -> None:
    made = put(world.api, brand_name=name)
    assert made.status in (200, 400, 422), made.text
    reply = world.browser("owner").get(f"/r/{world.public['public_id']}")
    assert not CONTROLS.search(reply.text)
    assert "planted" not in str(reply.headers["Set-Cookie"])
    assert put(world.api, brand_name="").status == 200


COLOURS = (
    "red",
    "#12345",
    "#1234567",
    "#12345g",
    "red;background:url(//x)",
    "#fff}",
    "url(x)",
    "＃１２３４５６",
    "#12345\n6",
    "expression(1)",
    "</style>",
)


@pytest.mark.parametrize("color", COLOURS)
def test_s37_a_colour_is_six_hex_digits_or_refused(world: World, color: str) -> None:
    made = put(world.api, brand_color=color)
    assert made.status == 422
    assert list(made.json["errors"]) == ["brand_color"]


def pdf_text(data: bytes) -> str:
    if shutil.which("pdftotext") is None:
        return ""
    return subprocess.run(["pdftotext", "-", "-"], input=data, capture_output=True, check=True).stdout.decode()


def png(width_px: int, height_px: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack("!I", len(data)) + kind + data + struct.pack("!I", zlib.crc32(kind + data))

    head = struct.pack("!IIBBBBB", width_px, height_px, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")


def picture(kind: str, **more: Any) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (64, 64), "#1a5442").save(file, kind, **more)
    return file.getvalue()


SCRIPT = b"<script>document.title='owned'</script><?php system($_GET[0]); ?>"
POLYGLOTS = {
    "html behind a PNG": picture("PNG") + SCRIPT,
    "html behind a JPEG": picture("JPEG", comment=SCRIPT),
    "html behind a WebP": picture("WEBP", exif=b"Exif\0\0" + SCRIPT),
    "html behind an ICO": picture("ICO") + SCRIPT,
    "zip behind a PNG": picture("PNG") + b"PK\x03\x04" + b"evil" * 100 + b"PK\x05\x06" + b"\0" * 18,
}
NO_PICTURES = {
    "html": SCRIPT,
    "svg": b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><script>1</script></svg>",
    "svg with a mark of PNG": b"\x89PNG\r\n\x1a\n<svg onload=alert(1)>",
    "gif": b"GIF89a" + SCRIPT,
    "bmp": picture("BMP"),
    "tiff": picture("TIFF"),
    "eps": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 1 1\n(/etc/passwd) (r) file",
    "bomb": png(60_000, 60_000),
    "nothing in it": png(0, 0),
    "cut": picture("PNG")[:60],
    "pdf": b"%PDF-1.7\n1 0 obj<</JS(app.alert(1))>>",
}


@pytest.mark.parametrize("name", POLYGLOTS)
def test_s29_s42_of_a_logo_only_its_pixels_are_kept(world: World, name: str) -> None:
    path = f"/r/{world.public['public_id']}/logo.png"
    put(world.api, brand_logo="")
    made = put(world.api, brand_logo=base64.b64encode(POLYGLOTS[name]).decode())
    if made.status == 422:
        assert world.browser("nobody").get(path).status == 404
        return
    assert made.status == 200, made.text
    reply = world.browser("nobody").get(path)
    assert (reply.status, reply.headers["Content-Type"], reply.headers["X-Content-Type-Options"]) == (200, "image/png", "nosniff")
    assert "sandbox" in reply.headers["Content-Security-Policy"]
    for part in (b"<script", b"<?php", b"PK\x03\x04", b"evil", b"tEXt", b"eXIf"):
        assert part not in reply.body
    assert Image.open(io.BytesIO(reply.body)).format == "PNG"


@pytest.mark.parametrize("name", NO_PICTURES)
def test_s29_what_is_no_picture_is_no_logo(world: World, name: str) -> None:
    made = put(world.api, brand_logo=base64.b64encode(NO_PICTURES[name]).decode())
    assert made.status == 422, made.text
    assert list(made.json["errors"]) == ["brand_logo"]


def _text_of(reply: Reply) -> str:
    """Return the text of a page, of a PDF, or of all parts of a workbook."""
    if reply.body.startswith(b"%PDF"):
        return pdf_text(reply.body)
    if reply.body.startswith(b"PK"):
        with ZipFile(io.BytesIO(reply.body)) as parts:
            return " ".join(parts.read(name).decode() for name in parts.namelist())
    return reply.text


@pytest.mark.parametrize("brand", [{"brand_name": "Agéncy & Söhne"}, {"brand_logo": base64.b64encode(picture("PNG")).decode()}])
def test_guests_of_a_branded_report_read_findable_nowhere(world: World, brand: Mapping[str, Any]) -> None:
    """Every page and file of a report, a site and a project that guests can open, by the matrix of routes."""
    nothing = {"brand_name": "", "brand_logo": ""}
    assert world.api.put("/account/settings", json.dumps(brand), {"Content-Type": "application/json"}).status == 200
    assert put(world.api, **nothing).status == 200
    ids = {"/r/": world.public["public_id"], "/s/": world.public_site["public_id"], "/p/": world.public_project["public_id"]}
    assert world.crawled
    walked: dict[str, Reply] = {}
    wrong: set[tuple[str, str]] = set()
    for route in GUEST_FILES:
        for start, public_id in ids.items():
            if not route.startswith(start):
                continue
            path = route.replace("{public_id}", public_id).replace("{name}", "headers").replace("{page}", "1")
            reply = world.browser("nobody").get(path)
            if reply.status != 200 or reply.headers["Content-Type"] == "image/png":
                continue
            walked[route] = reply
            shown = _text_of(reply)
            wrong |= {(route, found[0]) for found in NAMED.finditer(OWN_FILES.sub("", shown))}
            named = reply.headers["Content-Disposition"] or ""
            assert "findable" not in named, route
            if "brand_name" in brand and 'filename="' in named and not route.endswith(("/export", "/tables")):
                assert 'filename="agency-sohne-' in named, route
    assert wrong == set()
    assert {"/r/{public_id}", "/r/{public_id}/details/{name}", "/r/{public_id}/report.md", "/r/{public_id}/badge.svg"} <= walked.keys()
    assert {"/s/{public_id}", "/s/{public_id}/report.md", "/p/{public_id}"} <= walked.keys()
    if "brand_name" in brand:
        assert "Agéncy &amp; Söhne: " in walked["/r/{public_id}/badge.svg"].text
    assert world.api.put("/account/settings", json.dumps(nothing), {"Content-Type": "application/json"}).status == 200
    assert "Findable" in world.browser("nobody").get(f"/r/{ids['/r/']}").text
