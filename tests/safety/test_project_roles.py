"""Who has a role in one project: every route of the service, asked by a viewer of the project and by one of another project."""

import re
from collections.abc import Iterator
from html import unescape

import pytest

from findable.service.values.caller import Caller
from tests.checks.harness import page
from tests.safety.test_matrix import CHANGES, LOOKS, REFUSED, ROWS, SIGN_IN, asked, code_of, crawled, path_of
from tests.safety.world import HOST, SAME, TITLE, World, changed
from tests.web.live import Live, run_live

ELSEWHERE = "elsewhere.example"
NO_CHANGES = {
    "POST /mcp",  # refuses every session
    "POST /api/v1/crawls/{crawl_id}/query",
    "POST /api/v1/projects/{project}/query",
    "POST /api/v1/crawls/{crawl_id}/changes",
    "POST /projects/{project}/data/compare",
}
"""Questions and comparisons, which only read."""
REFUSALS = frozenset({401, 403, 404})
"""401: to sessions, where keys are needed."""
OF_ONESELF = (
    "/account",
    "/sign-",
    "/welcome",
    "/invitation",
    "/feeds/{token}",
    "/fix/r/{public_id}/{check}/{token}",
    "/logo.png",
    "/preview/end",
    "/api/v1/account",
    "/api/v1/feeds",
    "/projects/{project}/subscription",
    "/api/v1/projects/{project}/subscription",
)
"""A feed is its maker's, and tells what they may see to whoever has its secret URL, as does the link to a fix. The logo is that of the brand, which all its clients see."""
OF_OTHERS = (
    "POST /account/people",
    "PUT /api/v1/account/settings",
    "PATCH /api/v1/account/settings",
    "POST /account/reports",
    "GET /account/keys/{prefix}",
    "GET /account/webhooks/",
    "POST /account/webhooks",
)
OF_OWNERS = ("GET /api/v1/audit", "GET /import")
ONLY_FORMS = ("}/client", "}/link", "}/delete", "}/issue", "{project}/share", "/schedules/{schedule}")
"""Pages that are for people who change something."""
FOR_THE_WHOLE_ACCOUNT = ("{batch_id}", "{webhook_id}", "{webhook}")
"""A batch may hold URLs of every project, a webhook tells of all."""


def is_about_oneself(route: str) -> bool:
    return route.partition(" ")[2].startswith(OF_ONESELF) and not route.startswith(OF_OTHERS)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    for made in run_live(tmp_path_factory.mktemp("roles"), rate_limit=0, saved_page_runs=20):
        made.analyser.pages[HOST] = page(head=f'<title>{TITLE}</title><meta name="robots" content="noindex">')
        yield made


@pytest.fixture(scope="module")
def world(live: Live) -> World:
    """An account with two projects and a viewer of each, who see nothing else."""
    made = World(live)
    assert made.private
    made.with_single_project("here", HOST)
    made.with_single_project("elsewhere", ELSEWHERE)
    return made


def test_s49_a_viewer_reads_one_project_and_learns_nothing_of_another(world: World) -> None:
    wrong: dict[tuple[str, str], object] = {}
    for route in LOOKS:
        row = ROWS[route]
        if row.prepare:
            row.prepare(world)
        path = path_of(route, world, row)
        if is_about_oneself(route):
            continue
        _, stranger, member, *_ = row.codes
        stranger = member if route in OF_OWNERS else stranger  # who owns another account
        member = 403 if route.endswith(ONLY_FORMS) and "/api/" not in route else member
        for name, expected in (("here", 404 if any(name in route for name in FOR_THE_WHOLE_ACCOUNT) else member), ("elsewhere", stranger)):
            reply = asked(route, path, world.caller(name, path), None)
            if code_of(reply) != expected:
                wrong[name, route] = code_of(reply), expected
            elif name == "elsewhere" and any(secret in reply.text.replace(path, "") for secret in (TITLE, HOST)):
                wrong[name, route] = "tells", HOST
    assert wrong == {}


def test_s49_a_viewer_changes_nothing(world: World) -> None:
    wrong: dict[tuple[str, str], object] = {}
    for route in CHANGES:
        row = ROWS[route]
        if row.codes[0] not in REFUSED or is_about_oneself(route) or route in NO_CHANGES:
            continue
        if row.prepare is crawled:  # the others end what is there
            row.prepare(world)
        path = path_of(route, world, row)
        body = row.body(world) if row.body else None
        before = world.stored()
        for name, allowed in (("here", REFUSALS), ("elsewhere", REFUSALS)):
            code = code_of(asked(route, path, world.caller(name, path), body))
            if (
                code not in allowed
                or code == SIGN_IN
                or (name == "here" and code == 404 and "/people/" not in path and row.codes[2] != 404)
            ):
                wrong[name, route] = code
        if rows := changed(before, world.stored()):
            wrong["changed", route] = rows
    assert wrong == {}


FORM = re.compile(r'<form[^>]*method="post"[^>]*>.*?</form>', re.DOTALL)


@pytest.mark.full
def test_s49_a_viewer_is_shown_no_form_and_no_link_that_is_refused(world: World) -> None:
    assert world.schedule
    assert world.alert
    assert world.numbers
    browser = world.browser("here")
    forms: dict[str, str] = {}
    links: dict[str, str] = {}
    for route in LOOKS:
        row = ROWS[route]
        path = path_of(route, world, row)
        if path.startswith(("/api/", "/docs", "/static")) or is_about_oneself(route):
            continue
        if row.prepare:
            row.prepare(world)
        shown = browser.get(path)
        if shown.status != 200 or not shown.headers["Content-Type"].startswith("text/html"):
            continue
        for form in FORM.findall(shown.text):
            action = re.search(r'action="([^"]*)"', form)
            forms.setdefault(unescape(action.group(1)) if action else path, route)
        for link in re.findall(r'<a [^>]*href="(/[^"#]*)', shown.text):
            links.setdefault(unescape(link), route)
    found = {action: route for action, route in forms.items() if not action.startswith(("/sign-", "/account"))}
    refused = [f"{route}: {action}" for action, route in found.items() if browser.post(action, {}, SAME).status == 403]
    refused += [f"{route}: {link}" for link, route in links.items() if browser.get(link).status == 403]
    assert "\n".join(sorted(refused)) == ""


def test_s50_lists_searches_counts_and_exports_hold_granted_projects_only(world: World) -> None:
    world.api.report(f"https://{ELSEWHERE}/page")
    here, elsewhere, owner = (world.program(name) for name in ("here", "elsewhere", "owner"))
    for client, own, other in ((here, HOST, ELSEWHERE), (elsewhere, ELSEWHERE, HOST)):
        listed = client.get("/api/v1/projects").json
        assert ([one["project"] for one in listed["data"]], listed["meta"]["total"]) == ([own], 1)
        assert client.get("/api/v1/projects", search=other[:6]).json["meta"]["total"] == 0
        found = client.get("/api/v1/reports", per_page=100).json
        mine = owner.get("/api/v1/reports", project=own, per_page=100).json
        assert (found["data"], found["meta"]["total"]) == (mine["data"], mine["meta"]["total"])
        for query in ({"search": other}, {"project": other}, {"search": "example", "result": "bad", "project": other}):
            assert client.get("/api/v1/reports", None, **query).json["meta"]["total"] == 0, query
        for query in ({"sort_by": sort} for sort in ("id", "url", "result", "generated_at")):
            assert {
                one["project"] for one in client.get("/api/v1/reports", None, check="noindex", verdict="failed", **query).json["data"]
            } <= {own}
        assert {one["project"] for one in client.get("/api/v1/crawls").json["data"]} <= {own}
        assert {one["project"] for one in client.get("/api/v1/schedules").json["data"]} <= {own}
        usage = client.get("/api/v1/account").json["data"]["usage"]
        assert usage["projects"] == 1
        assert usage["reports"] == mine["meta"]["total"]
    for path in ("/", "/findings?check=noindex&verdict=failed", "/findings", "/projects", "/?reports=all", f"/?search={HOST}&reports=all"):
        shown = world.browser("elsewhere").get(path)
        assert shown.status == 200, path
        assert TITLE not in shown.text, path
        assert HOST not in shown.text.replace(f'value="{HOST}"', ""), path


def test_a_member_of_one_project_works_there_only_and_an_owner_manages_it(world: World) -> None:
    world.with_single_project("worker", HOST, "member")
    world.with_single_project("boss", HOST, "owner")
    worker, boss = world.program("worker"), world.program("boss")
    assert worker.post("/api/v1/reports", {"url": f"https://{HOST}/made"}, wait=60).status == 201
    assert worker.post("/api/v1/reports", {"url": "https://new.example/"}).status == 403
    assert worker.post("/api/v1/crawls", {"url": f"https://{ELSEWHERE}/"}).status == 403
    assert worker.post("/api/v1/schedules", {"project": HOST}).status == 201
    assert worker.post("/api/v1/schedules", {"project": ELSEWHERE}).status == 404
    assert worker.post("/api/v1/batches", {"urls": f"https://{HOST}/made"}).status == 403
    assert worker.put(f"/api/v1/projects/{HOST}", {"brand_name": "Mine"}).status == 403
    assert boss.put(f"/api/v1/projects/{HOST}", {"brand_name": "Mine"}).status == 200
    assert boss.put(f"/api/v1/projects/{ELSEWHERE}", {"brand_name": "Mine"}).status == 404
    number = world.people["worker"].caller.user_id
    assert boss.put(f"/api/v1/projects/{HOST}/roles/{number}", {"role": "viewer"}).json["data"]["role"] == "viewer"
    assert worker.post("/api/v1/reports", {"url": f"https://{HOST}/made"}).status == 403
    assert boss.delete(f"/api/v1/projects/{HOST}/roles/{number}").status == 200
    assert worker.get("/api/v1/projects").json["data"] == []
    assert boss.delete(f"/api/v1/projects/{HOST}/roles/{number}").status == 404
    stranger = world.people["elsewhere"].caller.user_id
    for unknown in (number, stranger):
        assert boss.put(f"/api/v1/projects/{HOST}/roles/{unknown}", {"role": "viewer"}).status == 404
    assert world.program("owner").put(f"/api/v1/projects/{HOST}/roles/{number}", {"role": "viewer"}).status == 200


def test_s49_people_of_one_project_do_not_read_the_settings_of_the_account(world: World) -> None:
    assert world.api.put("/account/settings", {"brand_name": "Agency"}).status == 200
    world.with_account_logo()
    assert world.program("here").get("/api/v1/account/settings").status == 403
    assert world.browser("here").get("/account/logo.png").status == 403
    page = world.browser("here").get("/account/reports").text.partition("<main")[2]
    assert "Agency" not in page, "the header has the brand, which clients see"


def test_a_viewer_of_the_account_reads_everything_and_changes_nothing(world: World) -> None:
    number = world.people["colleague"].caller.user_id
    assert (
        world.browser("owner").post(f"/account/people/{number}/role", {"role": "viewer"}, {"Sec-Fetch-Site": "same-origin"}).status == 303
    )
    client = world.program("colleague")
    assert {one["project"] for one in client.get("/api/v1/projects").json["data"]} >= {HOST, ELSEWHERE}
    assert client.get(f"/api/v1/reports/{world.private['id']}").status == 200
    for method, path, body in (
        ("POST", "/reports", {"url": f"https://{HOST}/"}),
        ("PUT", f"/reports/{world.private['id']}", {"privacy": 0}),
        ("DELETE", f"/reports/{world.private['id']}", None),
        ("POST", "/crawls", {"url": f"https://{HOST}/"}),
        ("POST", "/batches", {"urls": f"https://{HOST}/"}),
        ("POST", "/projects", {"project": "new.example"}),
        ("DELETE", f"/projects/{HOST}", None),
    ):
        assert client.request(method, f"/api/v1{path}", body).status == 403, path


def test_a_viewer_is_offered_only_keys_that_read(world: World) -> None:
    here = world.browser("here")
    same = {"Sec-Fetch-Site": "same-origin"}
    assert 'value="read-write"' in world.browser("owner").get("/account/keys").text
    shown = here.get("/account/keys").text
    assert 'name="scope" value="read" checked' in shown
    assert 'value="read-write"' not in shown
    refused = here.post("/account/keys", {"name": "script", "scope": "read-write"}, same)
    assert refused.status == 422
    assert "You may only read, so the key may only read as well." in refused.text
    assert here.post("/account/keys", {"name": "script", "scope": "read"}, same).status == 201


def test_an_invitation_to_one_project_gives_that_project_only(world: World) -> None:
    asked_for = {"email": "", "role": "viewer"}
    made = world.browser("owner").post(f"/projects/{HOST}/people", asked_for, {"Sec-Fetch-Site": "same-origin"})
    assert made.status == 201
    token = made.text.partition("/invitation/")[2].partition('"')[0]
    joined = world.browser("nobody").post(
        f"/invitation/{token}", {"name": "Client", "email": "client@example.com", "password": "correct horse battery"}
    )
    assert joined.status == 303
    cookie = joined.headers["Set-Cookie"].partition("=")[2].partition(";")[0]
    client = world.browser("nobody")
    client.cookies["findable"] = cookie
    shown = client.get("/projects").text
    assert HOST in shown
    assert ELSEWHERE not in shown
    assert client.get(f"/projects/{HOST}/settings").status == 403


def test_the_one_rule_is_a_table() -> None:
    from findable.service.accounts.permissions import may

    roles = ("projects", "viewer", "member", "owner")
    for place, role in enumerate(roles):
        for granted_place, granted in enumerate((None, *roles[1:])):
            caller = Caller(1, 1, None, frozenset(), role=role, grants={7: granted} if granted else {})
            for wanted_place, wanted in enumerate(roles):
                assert may(caller, wanted, 7) == (max(place, granted_place) >= wanted_place), (role, granted, wanted)
                assert may(caller, wanted, 8) == may(caller, wanted) == (place >= wanted_place)
