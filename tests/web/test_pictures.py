"""Pictures of a shared report: who sees the page sees them, nobody else learns that they are there."""

import io
import re

import pytest
from PIL import Image

from findable.service.reports import stored_images
from findable.service.reports.stored_images import EncodedImage
from findable.web.pages.report.report_images import IMAGE_FILES
from findable.web.pages.shared.attachments import SANDBOX
from findable.web.pages.shared.page_templates import static_url
from tests.web.live import Client, Live
from tests.web.test_downloads import public, same_answer
from tests.web.test_home import SAME
from tests.web.viewers import BY_EVERYBODY, look


def drawn(colour: str) -> EncodedImage:
    made = io.BytesIO()
    Image.new("RGB", (10, 10), colour).save(made, "PNG")
    return EncodedImage(made.getvalue(), 10, 10)


ICON, CARD, LOGO = drawn("#ff0000"), drawn("#00ff00"), drawn("#0000ff")
PHONE, DESKTOP, STRIP = drawn("#ffff00"), drawn("#00ffff"), drawn("#ff00ff")


def with_pictures(live: Live, report_id: int) -> None:
    with live.service.store.write() as session:
        row = session.reports.by_id(report_id)
        assert row is not None
        assert row.run is not None
        run = session.runs.get(report_id, row.run)
        assert run is not None
        stored_images.store_for_run(session, run.id, stored_images.ReportImages(ICON, CARD, PHONE, DESKTOP, STRIP))


@pytest.mark.parametrize(("name", "picture"), [("icon", ICON), ("card", CARD), ("phone", PHONE)])
def test_s35_pictures_are_ours_and_run_nothing(live: Live, client: Client, name: str, picture: EncodedImage) -> None:
    report = client.report("https://bad.example/")
    with_pictures(live, report["id"])
    reply = client.guest().get(f"/r/{report['public_id']}/{name}.png")

    assert (reply.status, reply.body) == (200, picture.data)
    assert reply.headers["Content-Type"] == "image/png"
    assert reply.headers["Content-Security-Policy"] == SANDBOX
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    tag = reply.headers["ETag"]
    assert client.guest().get(f"/r/{report['public_id']}/{name}.png", {"If-None-Match": tag}).status == 304


def test_s29_where_there_is_none_a_placeholder_is_named(client: Client) -> None:
    guest, path = public(client)
    for name in ("icon", "card"):
        reply = guest.get(f"{path}/{name}.png")
        assert (reply.status, reply.headers["Location"]) == (302, static_url(f"no-{name}.svg"))
        shown = guest.get(reply.headers["Location"])
        assert (shown.status, shown.headers["Content-Type"]) == (200, "image/svg+xml")
    assert [guest.get(f"{path}/{name}.png").status for name in ("logo", "phone", "desktop")] == [404] * 3


@BY_EVERYBODY
def test_s51_s57_whoever_sees_the_page_gets_the_pictures(live: Live, who: str, privacy: int) -> None:
    seen = look(live, who, privacy)
    with_pictures(live, seen.report["id"])
    for name in IMAGE_FILES:
        reply = seen.viewer.get(f"{seen.path}/{name}")
        if seen.may_see:
            assert reply.status == 200, name
            assert reply.headers["Cache-Control"] == seen.cache_control, name
        elif privacy == 2:
            assert (reply.status, reply.headers["Location"], reply.body) == (303, seen.path, b""), name
        else:
            assert reply.status == 404, name
            assert same_answer(reply) == same_answer(seen.viewer.get(f"/r/nothing/{name}")), name


def test_the_icon_of_a_site_stands_on_its_pages_for_its_people_and_for_guests(live: Live) -> None:
    email = live.email()
    client, person = live.client(email=email), live.signed_in(email)
    report = client.report("https://bad.example/")
    crawl = client.post("/crawls", {"url": "https://bad.example/", "privacy": 0}).json["data"]
    shared = person.post("/projects/selected", {"site": "bad.example", "action": "share"}, SAME)
    project = re.search(r"/p/[\w-]+", shared.text)
    assert project is not None
    pages = [f"/r/{report['public_id']}", f"/s/{crawl['public_id']}", project[0]]
    assert not any("site-icon.png" in client.guest().get(one).text for one in pages)
    with live.service.store.write() as session:
        stored_images.store_site_icon(session, session.projects.ensure(client.get("/account").json["data"]["id"], "bad.example", 0), ICON)
    version = ICON.hash.hex()[:12]
    for one in pages:
        assert f'src="{one}/site-icon.png?v={version}"' in client.guest().get(one).text, one
        reply = client.guest().get(f"{one}/site-icon.png")
        assert (reply.status, reply.body, reply.headers["Content-Security-Policy"]) == (200, ICON.data, SANDBOX), one
    for one in ("/", "/projects", "/projects/bad.example", "/projects/bad.example/findings"):
        assert f'src="/projects/bad.example/icon.png?v={version}"' in person.get(one).text, one


def test_a_picture_is_read_only(client: Client) -> None:
    guest, path = public(client)
    for method in ("POST", "PUT", "DELETE"):
        assert guest.request(method, f"{path}/icon.png").status == 405
