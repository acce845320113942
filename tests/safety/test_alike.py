"""Whether there is a report is told by nothing: neither by what is asked of the database, nor by any header, nor by what stands in lists."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from findable.errors import NotFound
from findable.service.reports import report_access, reports
from findable.service.reports.report_access import REPORTS
from findable.service.results import unlocking
from findable.service.results.guest_access import Viewer
from findable.service.runtime.service import Service
from tests.checks.harness import page
from tests.safety.executed_statements import statements
from tests.safety.test_matrix import BELOW_A_REPORT, LOOKS, ROWS, path_of, same
from tests.safety.world import HOST, TITLE, World
from tests.web.live import Live, run_live

MISSING = "A" * 22
ODD: tuple[dict[str, str], ...] = (
    {},
    {"If-None-Match": "*"},
    {"If-None-Match": 'W/"1.1"'},
    {"If-Modified-Since": "Thu, 01 Jan 2026 00:00:00 GMT"},
    {"Range": "bytes=0-9"},
    {"Accept-Encoding": "gzip"},
    {"Accept-Encoding": "zstd, br"},
    {"Accept": "text/event-stream"},
    {"Last-Event-ID": "1-fetch-0-4"},
    {"Accept-Language": "de"},
)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    for made in run_live(tmp_path_factory.mktemp("alike"), rate_limit=0):
        made.analyser.pages[HOST] = page(head=f'<title>{TITLE}</title><meta name="robots" content="noindex">')
        yield made


@pytest.fixture(scope="module")
def deleted(world: World) -> Any:
    report = world.report()
    assert world.api.delete(f"/reports/{report['id']}").status == 200
    return report


def asked(service: Service, look: Callable[[Any], object], of: object) -> list[str]:
    """The statements that the look of somebody makes who may see nothing."""
    with statements(service) as found, suppress(NotFound):
        look(of)
    return [statement for statement, _ in found]


@pytest.mark.parametrize("who", ["nobody", "stranger"])
def test_s57_the_same_is_asked_of_the_database_whether_there_is_a_report_or_not(world: World, deleted: Any, who: str) -> None:
    service = world.live.service
    caller = world.people[who].caller if who in world.people else None
    looks: list[Callable[[str], object]] = [
        lambda public_id: report_access.view(service, public_id, Viewer(caller)),
        lambda public_id: report_access.progress(service, public_id, Viewer(caller)),
        lambda public_id: report_access.saved_page(service, public_id, Viewer(caller)),
        lambda public_id: unlocking.unlock(service, REPORTS, public_id, "password", "192.0.2.7"),
    ]
    for look in looks:
        found = [asked(service, look, of) for of in (world.private["public_id"], deleted["public_id"], MISSING)]
        assert found[0]
        assert found[0] == found[1] == found[2]


def test_s48_the_same_is_asked_of_the_database_for_anothers_report_and_for_none(world: World, deleted: Any) -> None:
    service, stranger = world.live.service, world.people["stranger"].caller
    looks: list[Callable[[Any], object]] = [
        lambda report_id: reports.get(service, stranger, report_id),
        lambda report_id: reports.runs(service, stranger, report_id),
        lambda report_id: reports.delete(service, stranger, report_id),
    ]
    for look in looks:
        found = [asked(service, look, of) for of in (world.private["id"], deleted["id"], 999_999_999)]
        assert found[0]
        assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("path", BELOW_A_REPORT)
def test_s57_no_header_tells_a_private_report_from_none(world: World, deleted: Any, path: str) -> None:
    for method in ("GET", "HEAD"):
        for headers in ODD:
            replies = []
            for public_id in (world.private["public_id"], deleted["public_id"], MISSING):
                reply = world.browser("nobody").request(method, path.replace("{public_id}", public_id), None, headers)
                length = reply.headers["Content-Length"]
                replies.append((reply.status, length, same(reply, path.replace("{public_id}", public_id))))
            assert replies[0][0] == 404
            assert replies[0] == replies[1] == replies[2], (method, headers)


LISTS = tuple(route for route in LOOKS if not any(name in route for name in ("{public_id", "{report_id", "{project", "{batch_id")))
SEARCHES = ("", f"search={HOST}", f"project={HOST}", f"search={TITLE.split()[0]}", "check=noindex&verdict=failed", "per_page=100")


TELLS_ITS_OWNER = {
    "GET /": "",
    "GET /projects": "",
    "GET /findings": "check=noindex",
    "GET /api/v1/reports": f"search={HOST}",
    "GET /api/v1/projects": "",
}
"""Where the owner finds it: a list in which nobody finds anything would show nothing."""


@pytest.mark.parametrize("route", [route for route in LISTS if "{" not in route])
def test_s51_no_list_no_search_and_no_picture_of_others_tells_of_a_report(world: World, route: str) -> None:
    known = [world.private, world.locked, world.public]
    told = [HOST, TITLE, *(report["public_id"] for report in known)]
    path = path_of(route, world, ROWS[route])
    for name in ("nobody", "stranger", "revoked"):
        for query in SEARCHES:
            reply = world.caller(name, path).get(f"{path}?{query.replace(' ', '+')}")
            whole = reply.body.decode("utf-8", "replace").replace(query, "").replace(query.partition("=")[2], "") if query else reply.text
            assert not [secret for secret in told if secret in whole], (name, query)
    if route in TELLS_ITS_OWNER:
        assert HOST in world.caller("owner", path).get(f"{path}?{TELLS_ITS_OWNER[route]}").text
