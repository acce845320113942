"""Headers of everything we answer: what a page may load and run, what a file may do, what leaves with a link."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from findable.web.pages.shared.attachments import SANDBOX
from findable.web.response_headers import API_POLICY, PAGE_POLICY, YEAR_S
from tests.checks.harness import page
from tests.safety.test_matrix import LOOKS, ROWS, path_of
from tests.safety.world import CALLERS, HOST, PASSWORD, SAME, TITLE, World
from tests.web.live import Client, Live, Reply, run_live
from tests.web.test_share_page import POLICY, unlocked

DATA = ("text/csv", "text/markdown", "application/pdf", "application/json", "image/png")
"""Of what strangers wrote or sent, as a file."""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    for made in run_live(tmp_path_factory.mktemp("headers"), rate_limit=0, saved_page_runs=20):
        made.analyser.pages[HOST] = page(head=f"<title>{TITLE}</title>")
        yield made


@pytest.fixture(scope="module")
def world(live: Live) -> World:
    made = World(live)
    made.with_logo(made.public)
    return made


def kind_of(reply: Reply) -> str:
    return (reply.headers["Content-Type"] or "").partition(";")[0]


@pytest.mark.parametrize("route", LOOKS)
def test_s40_s42_every_answer_says_what_it_may_do(world: World, route: str) -> None:
    row = ROWS[route]
    if row.prepare:
        row.prepare(world)
    path = path_of(route, world, row)
    for name in CALLERS:
        reply = world.caller(name, path).get(path)
        kind, policy = kind_of(reply), reply.headers["Content-Security-Policy"]
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        if path.startswith("/api/") and not (kind == "text/html" and reply.status == 200):
            assert policy == API_POLICY
        elif kind in DATA and reply.status == 200 and ("/r/" in path or "/projects/" in path):
            assert policy == SANDBOX, name
            assert kind == "image/png" or reply.headers["Content-Disposition"].startswith("attachment; filename=")
        elif kind == "text/html":
            assert policy == PAGE_POLICY == POLICY
            assert reply.headers["Referrer-Policy"] in ("same-origin", "no-referrer")
            assert reply.headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_s40_what_is_not_public_sends_no_referrer(world: World) -> None:
    world.with_saved_page(world.locked)
    guest, path = world.browser("nobody"), f"/r/{world.locked['public_id']}"
    inside = unlocked(guest, path, PASSWORD)
    wrong = guest.post(path, {"password": "another"}, SAME)
    for reply in (guest.get(path), wrong, *(inside.get(f"{path}{end}") for end in ("", "/report.json", "/report.pdf", "/evidence"))):
        assert reply.headers["Referrer-Policy"] == "no-referrer", reply.status
        assert reply.headers["Cache-Control"] == "private, no-store"
    # Forms of an owner's page say where they come from only to us.
    for client, at in ((guest, f"/r/{world.public['public_id']}"), (world.browser("owner"), f"/r/{world.private['public_id']}")):
        assert client.get(at).headers["Referrer-Policy"] == "same-origin"


def test_s42_a_saved_page_is_a_file_that_runs_nothing(world: World) -> None:
    world.with_saved_page(world.public)
    reply = world.browser("nobody").get(f"/r/{world.public['public_id']}/evidence")
    assert TITLE in reply.text
    assert kind_of(reply) == "application/json"
    assert reply.headers["Content-Disposition"] in {f'attachment; filename="{name}-evidence.json"' for name in ("findable", "report")}
    assert (reply.headers["Content-Security-Policy"], reply.headers["X-Robots-Tag"]) == (SANDBOX, "noindex")
    assert reply.headers["X-Content-Type-Options"] == "nosniff"


def test_s40_s56_over_https_browsers_are_told_to_stay_there(tmp_path_factory: pytest.TempPathFactory) -> None:
    with contextmanager(run_live)(tmp_path_factory.mktemp("https"), base_url="https://seo.example.com") as live:
        client = live.client()
        locked = client.report(privacy=2, password=PASSWORD)
        guest, path = client.guest(), f"/r/{locked['public_id']}"
        replies = [*(guest.get(at) for at in ("/", path, "/sign-in", "/nothing", "/static/style.css", "/healthz")), client.get("/reports")]
        assert {reply.headers["Strict-Transport-Security"] for reply in replies} == {f"max-age={YEAR_S}"}
        cookie = guest.post(path, {"password": PASSWORD}, SAME).headers["Set-Cookie"]
        name, _, rest = cookie.partition("=")
        assert name == f"__Host-unlock-{locked['public_id']}"
        value, *attributes = rest.split("; ")
        assert sorted(attributes) == ["HttpOnly", "Max-Age=43200", "Path=/", "SameSite=Lax", "Secure"]
        assert Client(live.port, cookies={name: value}, prefix="").get(path).headers["Cache-Control"] == "private, no-store"
        assert f'href="{path}/report.csv"' in Client(live.port, cookies={name: value}, prefix="").get(path).text
