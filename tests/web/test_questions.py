"""Questions about crawls in the service: pages, API and agents, saved and watched questions, on both databases."""

import asyncio
import csv
import io
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from findable.crawl.exported_table import ExportedTable
from findable.crawl.questions import PROJECT_QUESTIONS
from findable.crawl.questions import QUESTIONS as NAMED
from findable.service.accounts.callers import authenticate_key
from findable.service.crawls import crawl_questions
from findable.service.crawls.crawl_questions import QuestionLimits
from findable.service.runtime import table_files
from findable.service.runtime.table_files import TableFiles, TableKey
from findable.store import question_files
from findable.web.agent_tools import AgentTools
from tests.accessibility import faults
from tests.browser import LOOKS, Open, needs_chromium, scrolls_sideways
from tests.conftest import new_database
from tests.crawl_sites import text
from tests.known_site import HTML, QUESTIONS, make_known, params_of
from tests.sites.server import Site
from tests.tiers import FULL, sampled
from tests.web.live import Client, Live, run_live
from tests.web.test_people import SAME
from tests.worked_crawls import work_crawl

ASKED = QUESTIONS if FULL else QUESTIONS[::7]


class World:
    """Two crawls of the known site, in a browser of their owner and by API."""

    def __init__(self, live: Live, site: Site) -> None:
        self.live, self.site, self.base = live, site, site.url("/")[:-1]
        self.email = live.email()
        self.browser, self.client = live.signed_in(self.email), live.client(email=self.email)
        self.caller = authenticate_key(live.service, self.client.key)
        first = self.crawl()
        self.crawls = (first["id"], self.crawl()["id"])
        self.project = first["project"]
        self.page = f"/s/{first['public_id']}/questions"
        self.projects_page = f"/projects/{quote(self.project, safe='')}/questions"
        self.id = first["id"]
        self.public_id = first["public_id"]

    def crawl(self) -> Any:
        made = self.client.post("/crawls", {"url": self.site.url("/"), "privacy": 0})
        assert made.status == 202, made.text
        work_crawl(self.live.service)
        return made.json["data"]

    def ask(self, path: str = "", **body: Any) -> Any:
        return self.client.post(path or f"/crawls/{self.id}/query", {key.replace("__", "["): value for key, value in body.items()})

    def shown(self, page: str = "", status: int = 200, **query: str) -> str:
        given = urlencode({name.replace("param_", "param."): value for name, value in query.items()})
        reply = self.browser.get(f"{page or self.page}?{given}")
        assert reply.status == status, reply.text
        return unescape(reply.text)


@pytest.fixture(scope="module", params=sampled(["sqlite", "postgresql"]))
def live(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("service")
    with new_database(request, folder) as url:
        yield from run_live(folder, database_url=url, secret_key="k" * 40, allow_targets=("127.0.0.1",), rate_limit=100_000)


@pytest.fixture(scope="module")
def world(live: Live) -> Iterator[World]:
    site = Site().start()
    make_known(site)
    yield World(live, site)
    site.stop()


def test_answers_are_those_that_are_known(world: World) -> None:
    for sql, rows in ASKED:
        params = {f"params[{name}]": value for name, value in params_of(sql, world.base).items()}
        reply = world.client.post(f"/crawls/{world.id}/query", {"sql": sql, **params})
        assert reply.status == 200, (sql, reply.text)
        assert [tuple(row) for row in reply.json["data"]["rows"]] == list(rows), sql


def test_an_agent_gets_the_same_answers(world: World) -> None:
    tools = AgentTools(world.live.service, world.caller)
    sql, rows = QUESTIONS[1]
    asked = (
        {"crawl": world.id, "sql": sql},
        {"project": world.project, "question": "crawls-pages"},
    )
    with ThreadPoolExecutor(1) as thread:  # a browser of the tests keeps an event loop running in this one
        one, stacked = (thread.submit(asyncio.run, tools.query_crawl(**given)).result() for given in asked)

    assert [tuple(map(int, re.findall(r"\d+", line))) for line in one.splitlines() if re.match(r"\W*\d{3}\D+\d+\W*$", line)] == list(rows)
    assert all(str(number) in stacked for number in world.crawls)


def test_an_agent_finds_visited_products_that_few_pages_link_to_in_one_call(world: World) -> None:
    clicks = "url,clicks\n/p/0,300\n/p/1,500\n/p/2,50\n/p/6,900\n/,999\n/c/0,700\n"
    path = f"/projects/{quote(world.project, safe='')}/url-data"
    assert world.client.post(path, {"csv": clicks, "source": "visits"}).status == 201
    sql = (
        "SELECT url FROM pages JOIN numbers USING (n) WHERE indexable AND url LIKE '%/p/%' AND name = 'clicks' AND value > 100 "
        "AND content_inlinks < 3 ORDER BY value DESC"
    )
    with ThreadPoolExecutor(1) as thread:
        tools = AgentTools(world.live.service, world.caller)
        reply = thread.submit(asyncio.run, tools.query_crawl(crawl=world.id, sql=sql)).result()

    assert re.findall(r"/p/\d+", reply) == ["/p/1", "/p/0"]
    assert world.client.delete(f"{path}/visits").status == 200


def test_tables_of_several_crawls_are_stacked(world: World) -> None:
    path = f"/projects/{quote(world.project, safe='')}/query"
    sql = "SELECT crawl, count(DISTINCT crawled_at), count(*) FROM pages WHERE status = 200 GROUP BY crawl ORDER BY crawl"
    found = world.ask(path, sql=sql)

    assert found.status == 200, found.text
    assert [tuple(row) for row in found.json["data"]["rows"]][:2] == [(number, 1, HTML) for number in world.crawls]
    for name in PROJECT_QUESTIONS:
        assert world.ask(path, question=name).status == 200, name
    assert "no such column: crawl" in world.ask(sql="SELECT crawl FROM pages").text
    assert world.ask("/projects/nobody.example/query", question="crawls-pages").status == 404


def test_a_question_is_answered_on_its_page(world: World) -> None:
    start = world.shown()
    answered = world.shown(question="thin-pages", param_words="100")
    written = world.shown(sql="SELECT url, status FROM pages WHERE status >= :low ORDER BY url", param_low="500")
    wrong = world.shown(status=422, sql="SELECT colour FROM pages")

    assert all(f"question={name}#answer" in start for name in NAMED)
    assert "3 rows" in answered
    assert f"{world.base}/p/0" in answered
    assert 'name="param.words" value="100"' in answered
    assert "1 row<" in written
    assert 'name="param.low" value="500"' in written
    assert "no such column: colour" in wrong
    assert "SELECT colour FROM pages" in wrong
    assert "3 rows" in world.shown(world.projects_page, sql="SELECT DISTINCT n FROM redirects LIMIT 3")
    assert world.shown(world.projects_page, question="crawls-pages").count('<th scope="row">') >= 2


def test_an_answer_is_a_file(world: World) -> None:
    def file(**query: str) -> Any:
        return world.browser.get(f"{world.page}/export?{urlencode(query)}")

    reply = file(sql="SELECT title, words FROM pages WHERE n = 1")
    lines = file(question="statuses", format="ndjson")
    inert = file(sql="SELECT '=1+1' AS x")

    assert next(csv.DictReader(io.StringIO(reply.body.decode("utf-8-sig"))))["title"] == "Start"
    assert lines.body.startswith(b'{"status":200,"pages":')
    assert b'"\'=1+1"' in inert.body
    assert "attachment" in reply.headers["Content-Disposition"]
    assert file(question="statuses", format="exe").status == 404


def test_guests_and_strangers_cannot_ask(world: World) -> None:
    stranger = world.live.signed_in(world.live.email())
    guest = Client(world.live.port, prefix="")
    assert guest.get(f"/s/{world.public_id}").status == 200
    assert "/questions" not in guest.get(f"/s/{world.public_id}").text
    for path in (world.page, f"{world.page}/export?question=statuses"):
        assert [one.get(path).status for one in (stranger, guest)] == [404, 404], path
    assert stranger.get(world.projects_page).status == 404
    assert world.live.client(email=world.live.email()).post(f"/crawls/{world.id}/query", {"question": "statuses"}).status == 404


def test_too_many_questions_at_once_are_refused_for_a_moment(world: World) -> None:
    with crawl_questions._turn(world.caller.account_id):
        again = world.ask(question="statuses")
        page = world.browser.get(f"{world.page}?question=statuses")
    with crawl_questions._turn(-1), crawl_questions._turn(-2):
        full = world.ask(question="statuses")

    assert [(one.status, one.headers["Retry-After"]) for one in (again, full)] == [(429, "5")] * 2
    assert page.status == 429
    assert "Other questions are being answered" in page.text
    assert world.ask(question="statuses").status == 200


def test_tables_are_written_once_for_a_finished_crawl(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    write = question_files.write_query_table

    def counted(path: Path, table: ExportedTable, name: str, ends_s: float) -> None:
        written.append(name)
        write(path, table, name, ends_s)

    monkeypatch.setattr(crawl_questions, "write_query_table", counted)
    monkeypatch.setattr(world.live.service, "table_files", TableFiles())
    for question in ("statuses", "checks", "statuses"):
        assert world.ask(question=question).status == 200
    assert written == ["pages", "verdicts"]
    monkeypatch.setattr(world.live.service.table_files, "_max_bytes", 1)
    assert world.ask(question="redirect-chains").status == 200
    assert world.ask(question="statuses").status == 200
    assert written == ["pages", "verdicts", "redirects", "pages"]
    monkeypatch.setattr(table_files, "IDLE_S", 0.0)
    world.live.service.table_files._delete_idle()
    assert not world.live.service.table_files._files
    world.live.service.table_files.close()


def test_files_of_a_deleted_crawl_or_project_are_deleted_at_once() -> None:
    files = TableFiles()
    keys = [TableKey(project, crawl, "v", "pages") for project, crawl in ((1, 1), (1, 2), (2, 3), (2, 4))]
    with files.folder() as folder:
        for key in keys:
            files.provide(key, folder / f"{key.crawl_id}.sqlite", lambda path: path.touch())
    files.forget(crawl_id=3)
    assert list(files._files) == [keys[0], keys[1], keys[3]]
    files.forget(project_id=1)
    assert list(files._files) == [keys[3]]
    files.close()


@pytest.mark.full
def test_questions_are_in_the_audit_log(world: World) -> None:
    sql = "SELECT count(*) FROM pages WHERE status = 299"
    assert world.ask(sql=sql).status == 200
    with world.live.service.store.read() as session:
        found = session.audit.select(world.caller.account_id, actions=("crawl.asked",), actor="", before=2**60, limit=50)
    assert any(sql in row.details for row in found)


def test_a_question_is_saved_watched_and_opens_an_alert(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    query = "question=thin-pages&param.words=100"
    sent = {"list": "questions", "query": query, "project": world.project, "at": world.public_id}
    saved = world.browser.post("/views", {**sent, "name": "Thin", "most": "3"}, SAME)
    assert saved.status == 303
    assert 'aria-current="true"><bdi>Thin</bdi>' in world.browser.get(saved.headers["Location"].partition("#")[0]).text
    for wrong, field in (
        ({"query": urlencode({"sql": "SELECT colour FROM pages"})}, "sql"),
        ({"query": "question=nothing"}, "question"),
        ({"project": "nobody.example"}, "project"),
        ({"project": ""}, "project"),
        ({"query": urlencode({"sql": "SELECT crawl FROM pages", "over": "crawls"}), "most": 1}, "most"),
        ({"most": -1}, "most"),
    ):
        reply = world.client.post("/views", {"list": "questions", "name": "Wrong", "query": query, "project": world.project, **wrong})
        assert (reply.status, list(reply.json["errors"])) == (422, [field]), reply.text
    view = next(one for one in world.client.get("/views", list="questions").json["data"])
    assert (view["project"], view["most"], view["query"]) == (world.project, 3, query)
    assert world.client.post("/feeds", {"view": view["id"]}).status == 422
    watching = {"project": world.project, "what": "crawl", "every": "week", "settings": {"url": world.site.url("/")}}
    made = world.client.post("/schedules", json.dumps(watching).encode(), {"Content-Type": "application/json"})
    assert made.status == 201, made.text

    def opened(rule: str = "crawl-question") -> list[tuple[str, str]]:
        found = world.client.get("/alerts", project=world.project).json["data"]
        return [(one["message"], one["state"]) for one in found if one["rule"] == rule]

    world.crawl()
    assert opened() == []
    world.site.change("/p/12", text("/p/12", 150), "few words")
    last = world.crawl()
    assert (
        len(world.client.post(f"/crawls/{last['id']}/query", {"question": "thin-pages", "params[words]": "100"}).json["data"]["rows"]) == 4
    )
    assert opened() == [("Thin: 4 rows, at most 3 expected", "open")]
    with monkeypatch.context() as patched:
        patched.setattr(crawl_questions, "LIMITS", QuestionLimits(tables_s=-1))
        world.crawl()
    assert [(text.partition(": ")[0], state) for text, state in opened("question-unanswered")] == [("Thin", "open")]
    assert [state for _, state in opened()] == ["open"]
    world.crawl()
    assert [state for _, state in opened("question-unanswered")] == ["ok"]
    assert world.client.delete(f"/views/{view['id']}").status == 200
    world.crawl()
    assert [state for _, state in opened()] == ["ok"]


@needs_chromium
@LOOKS
def test_the_pages_are_accessible_and_fit(world: World, window: Open, width: int, dark: bool) -> None:
    page = window(
        width=width, dark=dark, cookies=world.browser.cookies, origin=f"http://127.0.0.1:{world.live.port}", language="de" if dark else "en"
    )
    for path in (world.page, f"{world.page}?question=thin-pages&param.words=100", world.projects_page):
        page.goto(f"http://127.0.0.1:{world.live.port}{path}")
        assert faults(page) == [], path
        assert not scrolls_sideways(page), path
