"""What an attacker tries against a running service, and what held: one test for each line of docs/explanation/attacks.md that had none."""

import base64
import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from findable.errors import Forbidden, NotFound
from findable.service.accounts import invitations, own_account, people
from tests.safety.world import PASSWORD, SAME, World, changed
from tests.web.live import Client, Live

Made = TypeVar("Made")

SOON_S = 20.0
"""For what takes milliseconds, on a machine that does other things too; what these tests found took a minute."""
LONG = 60_000
"""Characters of a header: the longest that the server takes, less its other lines."""


# --- headers that keep us busy ----------------------------------------------------------------------------------------

SLOW_HEADERS = (
    ("Cookie", 'findable="' + "\\\\" * (LONG // 2) + '"'),
    ("Cookie", 'findable="' + "\\1" * (LONG // 2) + '"'),
    ("Cookie", 'findable="' + '\\"' * (LONG // 2)),
    ("Cookie", "a=b; " * (LONG // 5)),
    ("Cookie", 'a="' * (LONG // 3)),
    ("Accept-Language", "de;q=0.1," * (LONG // 9)),
    ("Accept-Language", "de;" + "q" * LONG),
    ("If-None-Match", 'W/"a",' * (LONG // 6)),
    ("Authorization", "Bearer" + " " * LONG + "\x01"),
    ("Prefer", ",wait" + " " * LONG + "x"),
    ("Accept", "a/b;" + "q=1;" * (LONG // 4)),
    ("Accept-Encoding", "gzip;q=0.1," * (LONG // 11)),
    ("Content-Type", "multipart/form-data" + ';a="\\' * (LONG // 5)),
    ("X-Forwarded-For", "1.1.1.1," * (LONG // 8)),
)


@pytest.mark.parametrize(("name", "value"), SLOW_HEADERS)
def test_s30_s76_no_header_keeps_the_service_busy(world: World, name: str, value: str) -> None:
    sent = {name: value}
    for client, method, path, body in (
        (world.browser("nobody"), "GET", "/account", None),
        (world.browser("nobody"), "GET", f"/r/{world.public['public_id']}", None),
        (world.browser("nobody"), "POST", "/sign-in", b"email=a&password=b"),
        (world.program("owner"), "POST", "/api/v1/reports", b"x=1"),
    ):
        started_s = time.monotonic()
        assert client.request(method, path, body, sent).status < 500
        assert time.monotonic() - started_s < SOON_S, (method, path)


# --- numbers and places that are none ---------------------------------------------------------------------------------

DIGITS = "1" * 5000
"""More than Python makes a number of."""


def test_s70_numbers_of_thousands_of_digits_name_nothing(world: World) -> None:
    owner, program = world.browser("owner"), world.program("owner")
    page = f"/r/{world.private['public_id']}"
    for client, method, path in (
        (program, "GET", f"/api/v1/projects/{DIGITS}"),
        (program, "DELETE", f"/api/v1/projects/{DIGITS}"),
        (program, "GET", f"/api/v1/reports/{DIGITS}"),
        (program, "GET", f"/api/v1/batches/{DIGITS}"),
        (program, "GET", f"/api/v1/reports/{world.private['id']}/runs/{DIGITS}"),
        (owner, "GET", f"/projects/{DIGITS}"),
        (owner, "GET", f"/batches/{DIGITS}"),
        (owner, "GET", f"{page}?run={DIGITS}"),
    ):
        assert client.request(method, path).status == 404, path
    for client, path in (
        (program, f"/api/v1/reports?page={DIGITS}"),
        (program, f"/api/v1/reports?per_page={DIGITS}"),
        (owner, f"/?project={DIGITS}"),
        (owner, f"/findings?check=noindex&project={DIGITS}"),
        (owner, f"{page}/compare?from={DIGITS}&to=1"),
    ):
        assert client.get(path).status < 500, path
    assert owner.post(f"{page}/client", {"link": "stay", "run": DIGITS}, SAME).status == 422


def cursor(*parts: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


@pytest.mark.parametrize("key", ["\ud800", "a\0b", "\udfff" * 1000, "a" * 20_000, 1, None, [], {}, True])
def test_s70_a_cursor_made_by_hand_is_a_place_or_refused(world: World, key: Any) -> None:
    assert world.public
    owner, program = world.browser("owner"), world.program("owner")
    for by, path in (("url", "reports"), ("project", "reports"), ("project", "projects")):
        reply = program.get(f"/api/v1/{path}", sort_by=by, cursor=cursor(by, 1, key, 1, 0))
        assert reply.status in (200, 422), (path, by)
    assert owner.get(f"/?cursor={cursor('url', 1, key, 1, 0)}").status in (200, 400)
    assert owner.get(f"/findings?check=noindex&cursor={cursor('url', 1, key, 1, 0)}").status in (200, 400)


# --- bodies that keep us busy -----------------------------------------------------------------------------------------

MEGABYTES = 3_900_000
"""Just below what a batch may send."""


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/json", b'{"urls": [' + b"null," * (MEGABYTES // 5) + b"1]}"),
        ("application/json", b'{"urls": [' + b"{}," * (MEGABYTES // 3) + b"1]}"),
        ("application/json", b'{"urls": {"a": [' + b"1," * (MEGABYTES // 2) + b"1]}}"),
        ("application/json", b'{"urls": "' + b"a\\n" * (MEGABYTES // 3) + b'"}'),
        ("application/x-www-form-urlencoded", b"urls=" + b"%0a" * (MEGABYTES // 3)),
        ("application/x-www-form-urlencoded", b"urls=" + b"\r" * MEGABYTES),
    ],
)
def test_s73_no_body_keeps_the_others_waiting(world: World, content_type: str, body: bytes) -> None:
    """While one is read others are answered; it used to be half a minute in which nobody was."""
    program, guest, longest_s, done = world.program("owner"), world.browser("nobody"), 0.0, threading.Event()

    def send() -> None:
        try:
            replies.append(program.post("/api/v1/batches", body, {"Content-Type": content_type}).status)
        finally:
            done.set()

    replies: list[int] = []
    sending = threading.Thread(target=send)
    sending.start()
    while not done.wait(0.05):
        started_s = time.monotonic()
        assert guest.get("/healthz").status == 200
        longest_s = max(longest_s, time.monotonic() - started_s)
    sending.join()
    assert replies[0] in (413, 422)
    assert longest_s < SOON_S


def test_s73_a_list_of_ten_thousand_is_read(world: World) -> None:
    reply = world.program("owner").post("/api/v1/batches", json.dumps({"urls": ["a"] * 10_000}), {"Content-Type": "application/json"})
    assert (reply.status, "1,000" in reply.text) == (422, True)


# --- who has just lost a right ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("lost", ["demoted", "removed"])
def test_s66_who_lost_a_right_while_asking_decides_nothing(live: Live, lost: str) -> None:
    """Between a request's sign-in and its change another owner may be quicker."""
    world = World(live)
    service, owner, other = live.service, world.people["owner"].caller, world.people["member"].caller
    people.change_role(service, owner, other.user_id, "owner")
    late = replace(other, role="owner")  # as the request began
    if lost == "demoted":
        people.change_role(service, owner, other.user_id, "member")
    else:
        people.remove(service, owner, other.user_id)
    before = world.stored()
    for change in (
        lambda: people.change_role(service, late, late.user_id, "owner"),
        lambda: people.change_role(service, late, owner.user_id, "member"),
        lambda: people.remove(service, late, world.people["colleague"].caller.user_id),
        lambda: invitations.invite(service, late, role="owner", email=""),
        lambda: own_account.delete_account(service, late, PASSWORD),
    ):
        with pytest.raises((Forbidden, NotFound)):
            change()
    assert not changed(before, world.stored())


def test_s66_s68_one_of_many_joins_signs_up_and_one_password_lasts(live: Live) -> None:
    world = World(live)
    guest, owner = world.browser("nobody"), world.browser("owner")
    token = world.invitation[0]  # one, made before they begin
    taken = at_once(lambda place: guest.post(f"/invitation/{token}", joining(place, world), SAME).status, 4)
    assert sorted(taken) == [303, 410, 410, 410]
    wanted = [f"{PASSWORD} {place}" for place in range(3)]
    sessions = at_once(lambda place: owner.post("/account/password", {"present": PASSWORD, "password": wanted[place]}, SAME), 3)
    assert {reply.status for reply in sessions} <= {303, 422}
    tokens = [reply.headers["Set-Cookie"].partition(";")[0].partition("=")[2] for reply in sessions if reply.headers["Set-Cookie"]]
    assert [Client(live.port, cookies={"findable": token}, prefix="").get("/account").status for token in tokens].count(200) == 1
    tried = [guest.post("/sign-in", {"email": world.people["owner"].email, "password": text}, SAME).status for text in wanted]
    assert sorted(tried) == [303, 403, 403]


def joining(place: int, world: World) -> dict[str, str]:
    return {"name": "n", "email": f"{place}-{world.people['owner'].email}", "password": f"{PASSWORD} {place}"}


def at_once(work: Callable[[int], Made], count: int) -> list[Made]:
    """What the work gives for each place, all begun together."""
    together = threading.Barrier(count)

    def one(place: int) -> Made:
        together.wait()
        return work(place)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def test_a_report_that_is_being_deleted_takes_nothing(world: World) -> None:
    """Deletes, acceptances, new runs and links of one report at once: one delete, and what came later finds nothing."""
    program, owner = world.program("owner"), world.browser("owner")
    report = world.report()
    path, page = f"/api/v1/reports/{report['id']}", f"/r/{report['public_id']}"
    steps: list[Callable[[], int]] = [
        lambda: program.delete(path).status,
        lambda: program.delete(path).status,
        lambda: program.put(f"{path}/accepted/title-present", {"reason": "x"}).status,
        lambda: program.put(path, {"results": 1, "wait": 0}).status,
        lambda: program.put(f"{path}/client", {"summary": "x"}).status,
        lambda: owner.post(f"{page}/link/new", {}, SAME).status,
    ]
    codes = at_once(lambda place: steps[place](), len(steps))
    assert sorted(codes[:2]) == [200, 404]
    assert set(codes[2:]) <= {200, 201, 202, 303, 404, 422}
    assert program.get(path).status == 404
