"""What is made private is private with the next request, under every address and whatever was kept before."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from http.client import HTTPConnection

import pytest

from tests.checks.harness import page
from tests.safety.test_matrix import BELOW_A_REPORT, BELOW_A_SITE
from tests.safety.world import HOST, SAME, TITLE, World
from tests.web.live import Client, Live, Reply, run_live
from tests.web.test_share_page import unlocked

SHARE_PAGE = "/r/{public_id}"
ONLY_PUBLIC = "/r/{public_id}/badge.svg"
Change = Callable[[World, int, str], None]


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    for made in run_live(tmp_path_factory.mktemp("privacy"), rate_limit=0):
        made.analyser.pages[HOST] = page(head=f"<title>{TITLE}</title>")
        yield made


@pytest.fixture
def world(live: Live) -> World:
    return World(live)


def by_interface(world: World, privacy: int, password: str) -> None:
    fields = {"privacy": privacy, **({"password": password} if password else {})}
    assert world.api.put(f"/reports/{world.public['id']}", fields).status == 200


def by_form(world: World, privacy: int, password: str) -> None:
    path = f"/r/{world.public['public_id']}/privacy"
    assert world.browser("owner").post(path, {"privacy": privacy, "password": password}, SAME).status == 303


def answers(world: World, client: Client, kept: Mapping[str, str] | None = None) -> dict[str, Reply]:
    """What a client gets at every address of the report; ``kept`` are the ETags it asks to renew."""
    found = {}
    for path in BELOW_A_REPORT:
        tag = (kept or {}).get(path)
        found[path] = client.get(path.replace("{public_id}", world.public["public_id"]), {"If-None-Match": tag} if tag else None)
    return found


@pytest.mark.full
@pytest.mark.parametrize("change", [by_interface, by_form])
def test_s52_privacy_holds_for_the_next_request_everywhere(world: World, change: Change) -> None:
    world.with_logo(world.public)
    world.with_saved_page(world.public)
    guest = world.browser("nobody")
    before = answers(world, guest)
    seen = {path for path, reply in before.items() if reply.status in (200, 302)}
    assert {SHARE_PAGE, ONLY_PUBLIC, f"{SHARE_PAGE}/report.pdf", f"{SHARE_PAGE}/logo.png", f"{SHARE_PAGE}/evidence"} <= seen
    kept = {path: tag for path, reply in before.items() if (tag := reply.headers["ETag"])}
    renewed = answers(world, guest, kept)
    for path in kept:
        assert renewed[path].status == {200: 304}.get(before[path].status, before[path].status), path
        assert before[path].headers["Cache-Control"] == "no-cache"

    change(world, 1, "")
    for path, reply in answers(world, guest, kept).items():
        assert told_nothing(reply) == (404, "private, no-store", None), path

    change(world, 2, "open sesame")
    for path, reply in answers(world, guest, kept).items():
        status, *kept_values = told_nothing(reply)
        assert (is_locked(path, status), kept_values) == (True, ["private, no-store", None]), path
    friend = unlocked(guest, f"/r/{world.public['public_id']}", "open sesame")
    for path, reply in answers(world, friend, kept).items():
        assert reply.status == (before[path].status if path in seen - {ONLY_PUBLIC} else 404), path
        assert (reply.headers["Cache-Control"], reply.headers["ETag"]) == ("private, no-store", None), path

    change(world, 2, "another one")
    for path, reply in answers(world, friend, kept).items():
        assert is_locked(path, told_nothing(reply)[0]), path
    friend = unlocked(guest, f"/r/{world.public['public_id']}", "another one")
    change(world, 1, "")
    assert {told_nothing(reply)[0] for reply in answers(world, friend, kept).values()} == {404}

    change(world, 0, "")
    assert {path for path, reply in answers(world, guest).items() if reply.status in (200, 302)} == seen


def is_locked(path: str, status: int) -> bool:
    """The form for the password on the page, the way to it from pages and files of people; nothing elsewhere."""
    return status == 200 if path == SHARE_PAGE else status in (303, 404)


def told_nothing(reply: Reply) -> tuple[int, str | None, str | None]:
    whole = reply.body + b"".join(f"{name}: {value}\n".encode() for name, value in reply.headers.items())
    assert HOST.encode() not in whole
    assert TITLE.encode() not in whole
    return reply.status, reply.headers["Cache-Control"], reply.headers["ETag"]


def test_s52_it_holds_on_a_connection_that_stays_open(world: World) -> None:
    path = f"/r/{world.public['public_id']}"
    with closing(HTTPConnection("127.0.0.1", world.live.port, timeout=60)) as connection:

        def status() -> int:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            return answer.status

        assert status() == 200
        by_interface(world, 1, "")
        assert status() == 404
        by_interface(world, 0, "")
        assert status() == 200
        assert world.api.delete(f"/reports/{world.public['id']}").status == 200
        assert status() == 404


def test_s52_what_is_deleted_is_gone_everywhere(world: World) -> None:
    world.with_logo(world.public)
    owner, guest = world.browser("owner"), world.browser("nobody")
    kept = {path: tag for path, reply in answers(world, guest).items() if (tag := reply.headers["ETag"])}
    assert world.api.delete(f"/reports/{world.public['id']}").status == 200
    for client in (owner, guest):
        assert {told_nothing(reply)[0] for reply in answers(world, client, kept).values()} == {404}


@pytest.mark.parametrize("of", ["private_project", "private_site"])
def test_s52_the_link_of_a_project_opens_its_page_only_and_ends_at_once(world: World, of: str) -> None:
    result, path = getattr(world, of), "/p/{public_id}"
    address = f"/projects/{HOST}/link"
    page = path.replace("{public_id}", world.api.get(address).json["data"]["public_id"])
    guest, below = world.browser("nobody"), BELOW_A_SITE if of == "private_site" else BELOW_A_REPORT
    closed = world.private if of == "private_project" else result
    assert guest.get(page).status == 404
    assert world.api.put(address, {"privacy": 0}).status == 200
    for name in ("nobody", "stranger", "owner"):
        shown = world.browser(name).get(page)
        assert (shown.status, HOST in shown.text, "No problem was found." in shown.text) == (200, True, False), name
        assert shown.headers["Cache-Control"] == "private, no-store"
        assert not re.findall(r'href="/[rs]/', shown.text), name
    assert "It is not shared yet." not in world.browser("owner").get(page).text
    for one in below:
        told_nothing(guest.get(one.replace("{public_id}", closed["public_id"])))
    assert world.api.get(f"/{'crawls' if of == 'private_site' else 'reports'}/{closed['id']}").json["data"]["privacy"] == 1

    assert world.api.put(address, {"privacy": 2, "password": "open sesame"}).status == 200
    assert HOST not in guest.get(page).text
    friend = unlocked(guest, page, "open sesame")
    assert HOST in friend.get(page).text
    assert world.api.put(address, {"privacy": 1}).status == 200
    for client in (guest, friend):
        assert {told_nothing(client.get(f"{page}{part}"))[0] for part in ("", "/summary", "/report.pdf", "/summary.pdf")} == {404}
    assert "It is not shared yet." in world.browser("owner").get(page).text
