"""Projects in the browser, without JavaScript: the list, one with its reports, its settings, its end."""

import csv
import io
import re
from datetime import UTC, datetime
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import Image

from findable.reports.project_report import ProjectReport, TrendPoint
from findable.service.projects import projects
from findable.service.values.caller import Caller
from findable.service.values.project_values import ProjectQuery
from findable.vocabulary import Rating, ScoreOf
from findable.web.pages.project import project_csv, project_pages
from findable.web.pages.project.project_glance import glance_of
from findable.web.pages.project.project_sections import Reader
from findable.wording import ENGLISH
from tests.web.live import BAD_PAGE, Client, Live, Reply
from tests.web.test_people import SAME, member_of, owner
from tests.worker.processes import until

SECRET = "s3cret-0815"
PATH = "/projects/shop.example"
SCHEDULES = 2
"""A site is crawled, and its pages are checked."""
FORMS = ("settings/name", "settings/patterns", "settings/brand", "settings/sign-in", "delete")


@pytest.fixture
def mine(live: Live) -> Client:
    return owner(live)


def made(browser: Client, *urls: str) -> None:
    """Reports of these addresses, done."""
    for url in urls:
        reply = browser.post("/reports", {"url": url}, SAME)
        assert reply.status == 303, reply.text
        path = reply.headers["Location"]
        until_done(browser, path)


def until_done(browser: Client, path: str) -> None:
    def is_done() -> bool:
        text = browser.get(path).text
        return 'class="busy' not in text and "progress" not in text

    until(is_done)


@pytest.fixture
def shop(mine: Client) -> Client:
    """Somebody with a project of three reports."""
    made(mine, "https://shop.example/one", "https://shop.example/two", "https://shop.example/three")
    return mine


def listed(reply: Reply) -> list[str]:
    """The addresses of reports in the order of the list."""
    return re.findall(r'<li><a href="/r/[^"]+"><bdi>([^<]+)</bdi>', reply.text.partition('id="list"')[2] or reply.text)


def named(reply: Reply) -> list[str]:
    return re.findall(r'<th scope="row">.*?<a href="/projects/[^"]+"><bdi>([^<]+)</bdi>', reply.text)


def link(reply: Reply, words: str) -> str:
    found = re.search(rf'<a[^>]*href="([^"]+)"[^>]*>{re.escape(words)}</a>', reply.text)
    assert found is not None, words
    return unescape(found[1]).partition("#")[0]


# --- all --------------------------------------------------------------------------------------------------------------


def test_projects_are_listed_searched_and_sorted(mine: Client) -> None:
    assert "There is none yet." in mine.get("/projects").text
    made(mine, "https://b.example/", "https://a.example/", "https://xn--bcher-kva.example/")
    reply = mine.get("/projects")
    assert set(named(reply)) == {"a.example", "b.example", "bücher.example"}
    assert named(mine.get(link(reply, "Site"))) == ["a.example", "b.example", "bücher.example"]
    assert 'class="pill decent">' in reply.text
    assert "score of 1 page" in reply.text
    oldest = mine.get("/projects", sort_by="created_at", sort="asc")
    assert named(oldest) == ["b.example", "a.example", "bücher.example"]
    assert named(mine.get("/projects", search="B.EX")) == ["b.example"]
    assert "No site fits these filters." in mine.get("/projects", search="nothing").text


def test_lists_of_projects_and_of_pages_begin_with_the_worst(live: Live, mine: Client) -> None:
    live.analyser.pages["mixed.example"] = BAD_PAGE
    made(mine, "https://a.example/", "https://mixed.example/bad")
    del live.analyser.pages["mixed.example"]
    made(mine, "https://mixed.example/decent")
    assert named(mine.get("/projects")) == ["mixed.example", "a.example"]
    assert listed(mine.get("/projects/mixed.example/reports")) == ["mixed.example/bad", "mixed.example/decent"]
    assert rows(mine.get("/projects/mixed.example/reports.csv"))[0]["url"] == "https://mixed.example/bad"
    chosen = mine.get("/projects/mixed.example/reports", sort_by="id", sort="desc")
    assert listed(chosen) == ["mixed.example/decent", "mixed.example/bad"]
    assert 'aria-current="true">Newest first' in chosen.text


def test_an_offer_to_watch_is_answered_once_and_a_watched_site_has_an_eye(mine: Client) -> None:
    made(mine, "https://one.example/", "https://two.example/")
    report = re.findall(r"/r/[\w-]{22}", mine.get("/projects/one.example/reports").text)[0]
    for path in ("/projects/one.example", report):
        page = mine.get(path).text
        assert '<h2 id="watch">Watch this site</h2>' in page, path
        assert "About 210 requests a week" in page, "sentences begin with a capital letter and keep the others"
    later = mine.post("/projects/two.example/watching", {"watched": "later"}, SAME)
    assert (later.headers["Location"], 'id="watch"' in mine.get("/projects/two.example").text) == ("/projects/two.example", False)
    mine.post("/projects/one.example/watching", {"watched": "1"}, SAME)
    for path in ("/projects/one.example", report):
        page = mine.get(path).text
        assert ('id="watch"' in page, '<svg class="eye"' in page) == (False, True), path


def test_many_sites_are_watched_crawled_and_left_alone_by_one_button(mine: Client) -> None:
    made(mine, "https://one.example/", "https://two.example/")
    watched = 'href="/projects/{}/watching"><svg class="eye"'
    assert watched.format("one.example") not in mine.get("/projects").text
    none = mine.post("/projects/selected", {"action": "watch"}, SAME)
    assert (none.status, "Select at least one site." in none.text) == (422, True)
    both = {"site": "one.example\ntwo.example", "action": "watch", "query": "search=example"}
    asked = mine.post("/projects/selected", both, SAME).text
    assert ("Watch 2 sites" in asked, "About 420 requests a week" in asked, 'value="example"' in asked) == (True, True, True), asked
    assert watched.format("one.example") not in mine.get("/projects").text, "what it costs is said before"
    both = {"site": "one.example\ntwo.example", "action": "watch", "seen": "1"}
    for _ in range(2):  # the second time changes nothing
        assert mine.post("/projects/selected", both, SAME).headers["Location"] == "/projects?done=watch"
    text = mine.get("/projects").text
    assert watched.format("one.example") in text
    assert watched.format("two.example") in text
    watching = mine.get("/projects/one.example/watching").text
    assert watching.count("/schedules/") == 2 * SCHEDULES  # each can be edited and deleted
    assert mine.post("/projects/selected", {"site": "one.example", "action": "stop"}, SAME).status == 303
    text = mine.get("/projects?done=stop").text
    assert "no longer watched" in text
    assert watched.format("one.example") not in text
    assert watched.format("two.example") in text
    assert mine.post("/projects/selected", {"site": "two.example", "action": "crawl"}, SAME).status == 303
    assert "/s/" in mine.get("/projects/two.example/crawls").text


def test_a_project_says_what_is_new_since_when_and_what_it_costs(live: Live, mine: Client) -> None:
    urls = ("https://newer.example/a", "https://newer.example/b")
    made(mine, *urls)
    assert "Compared with the results of" not in mine.get("/projects/newer.example").text
    live.analyser.pages["newer.example"] = BAD_PAGE
    made(mine, *urls)
    text = mine.get("/projects/newer.example").text
    new = text.partition('class="changed changed-new"')[2].partition("</section>")[0]
    assert re.search(r"Compared with the results of \d+ \w+ \d{4}\.", text)
    assert "<span>A noindex rule keeps the page out of search results</span>" in new, new
    findings = mine.get("/projects/newer.example/findings").text
    assert re.search(r'class="measure">2 pages <small>\+\d+ points</small>', findings)


@pytest.mark.parametrize("query", ["sort_by=password", "sort=down", "cursor=x", "search=" + "x" * 2049])
def test_s70_what_is_no_question_is_told_and_all_are_listed(mine: Client, query: str) -> None:
    made(mine, "https://a.example/")
    for path in ("/projects", "/projects/a.example/reports"):
        reply = mine.get(f"{path}?{query}")
        assert reply.status == 422
        assert 'class="problem" role="alert"' in reply.text
        assert listed(reply) or named(reply)


def test_lists_are_paged_by_cursors(mine: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project_pages, "LISTED", 10)
    made(mine, *(f"https://many.example/{number}" for number in range(12)))
    first = mine.get("/projects/many.example/reports?sort_by=url&sort=asc")
    second = mine.get(link(first, "Next page"))
    assert (len(listed(first)), len(listed(second))) == (10, 2)
    assert sorted(listed(first) + listed(second)) == listed(first) + listed(second)
    assert listed(mine.get(link(second, "Previous page"))) == listed(first)
    assert "12 pages" in second.text


# --- one --------------------------------------------------------------------------------------------------------------


def test_a_project_that_never_loaded_begins_with_the_reason_and_the_next_step(mine: Client) -> None:
    made(mine, "https://scripted.example/", "https://scripted.example/shop")
    text = mine.get("/projects/scripted.example").text
    first = text.partition('<section class="plate"')[2].partition("</section>")[0]
    assert "It is not known whether Google can index these pages." in first
    assert "No rating: none of the 2 pages could be loaded" in first
    assert re.findall(r"<bdi>([^<]+)</bdi></a> ([^<]+)</li>", first) == [
        ("/shop", "A bot challenge or consent page was returned instead of the page."),
        ("scripted.example", "A bot challenge or consent page was returned instead of the page."),
    ]
    assert "Allow this service at the firewall or CDN" in first
    assert text.count("Run all pages again") == 1
    assert 'class="plate"' not in mine.get(PATH).text


@pytest.mark.parametrize(("pages", "words"), [(1, "The same score as in the report of 17"), (3, "The same score as in the reports of 17")])
def test_a_project_with_an_unchanged_score_says_so(pages: int, words: str) -> None:
    trend = tuple(TrendPoint(datetime(2026, 11, day, tzinfo=UTC), 0, 2, pages, 98) for day in (10, 17, 24))
    report = ProjectReport("example.com", (), (), trend=trend, score=98, result=Rating.GOOD, score_of=ScoreOf.PAGES, scored_pages=pages)
    glance = glance_of(report, None, Reader(ENGLISH, None, "", {}))
    assert glance.verdict is not None
    assert (glance.verdict.change, glance.verdict.direction) == (f"{words} November 2026", "same")


def test_a_project_with_one_page_says_what_its_report_says(live: Live, mine: Client) -> None:
    live.analyser.pages["told-not.example"] = BAD_PAGE
    made(mine, "https://told-not.example/")
    made(mine, "https://told-not.example/")
    text = mine.get("/projects/told-not.example").text
    first = text.partition('<div class="glance')[2].partition('<h2 id="ratings"')[0]
    report = re.search(r'href="(/r/[^"#]+)"><bdi>told-not\.example</bdi></a></li>', first)
    assert report
    sentence = "<strong>Google cannot index this page: it is noindex.</strong>"
    assert sentence in text
    assert sentence in mine.get(report[1]).text


def test_a_project_shows_its_ratings_its_findings_and_its_reports(shop: Client) -> None:
    reply = shop.get(PATH)
    assert reply.status == 200
    assert set(listed(shop.get(f"{PATH}/reports"))) == {"shop.example/three", "shop.example/two", "shop.example/one"}
    assert re.search(r'class="decent" x="0\.0" y="0" width="600\.0"', reply.text)
    assert "3 of 3 pages" in reply.text
    assert "Google can index all 3 pages." in reply.text
    rows = re.findall(r'<li class="card finding [a-z]+" id="([a-z0-9-]+)"', shop.get(f"{PATH}/findings").text)
    assert len(rows) == len(set(rows)) > 3
    found = shop.get(f"{PATH}/reports", check=rows[0], verdict="failed")
    assert '<details class="wide" open>' in found.text
    few = shop.get(f"{PATH}/findings", who="server", q="nosniff")
    shown = re.findall(r'<li class="card finding [a-z]+" id="([a-z0-9-]+)"[^>]*data-who="([a-z]+)">', few.text)
    assert shown == [("nosniff", "server")]


def test_reports_are_searched_filtered_and_sorted_as_in_the_interface(shop: Client) -> None:
    assert listed(shop.get(f"{PATH}/reports", search="/TWO")) == ["shop.example/two"]
    assert listed(shop.get(f"{PATH}/reports", result="bad")) == []
    assert "No page matches the filters." in shop.get(f"{PATH}/reports", result="bad").text
    assert len(listed(shop.get(f"{PATH}/reports", result="decent"))) == 3
    assert listed(shop.get(f"{PATH}/reports", check="title-present")) == []
    assert len(listed(shop.get(f"{PATH}/reports", check="title-present", verdict="passed"))) == 3
    assert len(listed(shop.get(f"{PATH}/reports", verdict="failed"))) == 3  # a verdict without a check says nothing
    assert listed(shop.get(f"{PATH}/reports", sort_by="url", sort="asc"))[0] == "shop.example/one"
    assert "Show all" in shop.get(f"{PATH}/reports", search="two").text
    assert "Show all" not in shop.get(f"{PATH}/reports").text


def test_a_project_is_named_by_its_name_or_number_and_only_to_its_account(shop: Client, live: Live) -> None:
    assert shop.get("/projects/SHOP.example").status == 200
    for path in (PATH, f"{PATH}/settings", f"{PATH}/reports.csv", f"{PATH}/findings.csv", f"{PATH}/logo.png"):
        assert owner(live).get(path).status == 404, path
        guest = Client(live.port, prefix="").get(path)
        assert guest.status in (303, 403), path
        assert "shop.example" not in guest.text
    assert shop.get("/projects/nothing.example").status == 404
    assert shop.get("/projects/%00").status in (400, 404)


# --- as a file --------------------------------------------------------------------------------------------------------


def rows(reply: Reply) -> list[dict[str, str]]:
    assert reply.status == 200
    return list(csv.DictReader(io.StringIO(reply.body.decode("utf-8-sig"), newline="")))


def test_the_list_is_downloaded_with_its_filters(shop: Client) -> None:
    reply = shop.get(link(shop.get(f"{PATH}/reports", sort_by="url", sort="asc"), "Download this list (CSV)"))
    assert reply.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert reply.headers["Content-Disposition"] == 'attachment; filename="findable-shop.example.csv"'
    assert reply.headers["Cache-Control"] == "private, no-store"
    found = rows(reply)
    assert [row["url"] for row in found] == ["https://shop.example/one", "https://shop.example/three", "https://shop.example/two"]
    assert {row["result"] for row in found} == {"decent"}
    assert found[0]["privacy"] == "private"
    assert int(found[0]["failed"]) > 0
    assert [row["url"] for row in rows(shop.get(f"{PATH}/reports.csv", search="two"))] == ["https://shop.example/two"]
    assert shop.get(f"{PATH}/reports.csv", sort_by="password").status == 400


def test_the_shown_findings_are_downloaded_with_their_pages(shop: Client) -> None:
    reply = shop.get(link(shop.get(f"{PATH}/findings"), "Download these findings with their pages (CSV)"))
    assert reply.headers["Content-Disposition"] == 'attachment; filename="findable-findings-shop.example.csv"'
    found = rows(reply)
    urls = {f"https://shop.example/{name}" for name in ("one", "two", "three")}
    by_check = {row["check"]: {one["url"] for one in found if one["check"] == row["check"]} for row in found}
    assert set(by_check) == set(
        re.findall(r'<li class="card finding[^"]*" id="([^"]+)"[^>]*data-kind="problems"', shop.get(f"{PATH}/findings").text)
    )
    assert set(map(frozenset, by_check.values())) == {frozenset(urls)}
    assert {row["pages_count"] for row in found} == {"3"}
    of_servers = rows(shop.get(link(shop.get(f"{PATH}/findings", who="server"), "Download these findings with their pages (CSV)")))
    assert {row["fixer"] for row in of_servers} == {"server"}
    assert 0 < len(of_servers) < len(found)


def test_s46_a_cell_that_a_spreadsheet_might_run_is_text() -> None:
    from findable.export.csv_rows import csv_head
    from findable.export.report_csv import list_rows

    columns = [*project_csv.COLUMNS]
    report: dict[str, Any] = dict.fromkeys(columns) | {"url": "=HYPERLINK(1)", "score": -1, "error": "@x", "report": "=1+1"}
    assert csv_head(columns).startswith('\ufeff"url","status"'.encode())
    row = next(csv.reader(io.StringIO(list_rows([report], columns).decode())))
    assert row[0] == "'=HYPERLINK(1)"
    assert row[columns.index("score")] == "-1"
    assert [row[columns.index(name)] for name in ("error", "report")] == ["'@x", "'=1+1"]
    assert row[columns.index("privacy")] == ""


def test_a_long_list_comes_in_pieces_and_ends(shop: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project_csv, "CSV_AT_ONCE", 10)
    made(shop, *(f"https://shop.example/{number}" for number in range(12)))
    assert len(rows(shop.get(f"{PATH}/reports.csv"))) == 15
    monkeypatch.setattr(project_csv, "MAX_CSV_ROWS", 10)
    assert len(rows(shop.get(f"{PATH}/reports.csv"))) == 10


# --- settings ---------------------------------------------------------------------------------------------------------


def multipart(fields: dict[str, bytes | str]) -> tuple[bytes, dict[str, str]]:
    parts = b""
    for name, value in fields.items():
        named_file = '; filename="a.png"' if isinstance(value, bytes) else ""
        data = value if isinstance(value, bytes) else value.encode()
        parts += f'--xx\r\nContent-Disposition: form-data; name="{name}"{named_file}\r\n\r\n'.encode() + data + b"\r\n"
    return parts + b"--xx--\r\n", {**SAME, "Content-Type": "multipart/form-data; boundary=xx"}


def picture(kind: str = "JPEG") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (700, 350), "#cc3300").save(file, kind)
    return file.getvalue()


def brand(browser: Client, **fields: bytes | str) -> Reply:
    return browser.post(f"{PATH}/settings/brand", *multipart({"brand_name": "", "brand_color": "", "language": "", **fields}))


def test_patterns_are_saved_and_wrong_ones_named(shop: Client) -> None:
    saved = shop.post(f"{PATH}/settings/patterns", {"not_for_search": "/thanks*\r\n\r\n/cart"}, SAME)
    assert saved.headers["Location"] == f"{PATH}/settings?done=patterns#patterns"
    text = shop.get(saved.headers["Location"].partition("#")[0]).text
    assert "/thanks*\n/cart</textarea>" in text
    assert 'class="done" role="status"' in text
    wrong = shop.post(f"{PATH}/settings/patterns", {"not_for_search": "thanks"}, SAME)
    assert wrong.status == 422
    assert "thanks: A pattern begins with" in wrong.text
    assert ">thanks</textarea>" in wrong.text
    assert shop.post(f"{PATH}/settings/patterns", {"not_for_search": ""}, SAME).status == 303
    assert "/thanks" not in re.sub(r'placeholder="[^"]*"', "", shop.get(f"{PATH}/settings").text)


def test_a_brand_is_saved_shown_and_taken_away(shop: Client) -> None:
    assert brand(shop, brand_name="Shop & Co", brand_color="#ffcc00", language="de", brand_logo=picture()).status == 303
    text = shop.get(f"{PATH}/settings").text
    assert 'value="Shop &amp; Co"' in text
    assert 'fill="#ffcc00"' in text  # on dark paper
    assert text.count('fill="#ffcc00"') == 1  # on white a darker shade
    assert '<option value="de" lang="de" selected>' in text
    logo = shop.get(f"{PATH}/logo.png")
    assert (logo.headers["Content-Type"], Image.open(io.BytesIO(logo.body)).size) == ("image/png", (320, 160))
    assert brand(shop, brand_name="Berg\N{NO-BREAK SPACE}&\N{NARROW NO-BREAK SPACE}Co").status == 303
    assert 'value="Berg &amp; Co"' in shop.get(f"{PATH}/settings").text
    assert brand(shop, brand_name="Other").status == 303
    assert f'src="{PATH}/logo.png"' in shop.get(f"{PATH}/settings").text
    assert brand(shop, no_logo="1").status == 303
    assert shop.get(f"{PATH}/logo.png").status == 404


def test_what_is_no_brand_is_said_beside_its_field(shop: Client) -> None:
    wrong: list[tuple[str, Any, str]] = [
        ("brand_color", "red", "must look like"),
        ("brand_logo", b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "cannot be read"),
        ("brand_logo", b"\x89PNG" + b"x" * 1_000_001, "1 MB"),
        ("brand_name", "x" * 81, "at most 80"),
        ("language", "xx", "not available"),
    ]
    for field, value, words in wrong:
        reply = brand(shop, **{"brand_name": "Typed", field: value})
        assert reply.status == 422, field
        assert words in re.findall(rf'id="{field}-wrong">([^<]+)', reply.text)[0]
        if field != "brand_name":
            assert 'value="Typed"' in reply.text, field
    assert brand(shop, brand_logo=b"x" * 1_500_001).status == 413


def test_s16_what_goes_along_is_written_and_never_shown(shop: Client, live: Live) -> None:
    sent = {
        "user": "anna",
        "password": SECRET,
        "headers": f"X-Token: {SECRET}\r\nX-Other: {SECRET}",
        "cookies": f"pass={SECRET}",
        "user_agent": f"A/{SECRET}",
    }
    assert shop.post(f"{PATH}/settings/sign-in", sent, SAME).status == 303
    text = shop.get(f"{PATH}/settings").text
    for part in ("User and password", "Headers: X-Token, X-Other", "1 cookie", "User agent</li>"):
        assert part in text
    assert SECRET not in text
    assert "anna" not in text
    assert shop.post(f"{PATH}/settings/sign-in", {"headers": "X-New: 1234", "no_cookies": "1"}, SAME).status == 303
    text = shop.get(f"{PATH}/settings").text
    assert "Headers: X-New<" in text
    assert "User and password</li>" in text
    assert "1 cookie" not in text
    gone = {"no_basic": "1", "no_headers": "1", "no_user_agent": "1"}
    assert shop.post(f"{PATH}/settings/sign-in", gone, SAME).status == 303
    assert "What is set" not in shop.get(f"{PATH}/settings").text
    kept = b"".join(path.read_bytes() for path in live.service.settings.data_dir.rglob("*") if path.is_file())
    assert SECRET.encode() not in kept


def test_s80_what_cannot_go_along_is_said_beside_its_field_and_not_sent_back(shop: Client) -> None:
    wrong: list[tuple[dict[str, str], str, str]] = [
        ({"headers": f"Host: {SECRET}"}, "headers", "The header Host is set by each request itself."),
        ({"headers": SECRET}, "headers", "A header needs a name"),
        ({"cookies": SECRET}, "cookies", "A cookie needs a name"),
        ({"cookies": f"a={SECRET}; b={SECRET}"}, "cookies", "semicolon"),
        ({"user": "a:b", "password": SECRET}, "user", "colon"),
        ({"password": SECRET}, "user", "missing"),
        ({"user_agent": f"{SECRET}\u00e4"}, "user_agent", "ASCII"),
    ]
    for fields, field, words in wrong:
        reply = shop.post(f"{PATH}/settings/sign-in", fields, SAME)
        assert reply.status == 422, fields
        assert words in unescape(re.findall(rf'id="{field}-wrong">([^<]+)', reply.text)[0])
        assert SECRET not in reply.text
        assert "What is set" not in reply.text


def test_f42_after_a_change_of_the_secret_it_is_asked_for_again(shop: Client, live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shop.post(f"{PATH}/settings/sign-in", {"user": "anna", "password": SECRET}, SAME).status == 303
    found = projects.find(live.service, caller_of(live, shop), ProjectQuery())
    assert found.items[0].identity is not None
    monkeypatch.setattr("findable.service.runtime.sealed_values.FORMAT", b"\x07")  # as bytes that this service cannot read
    for path in (PATH, f"{PATH}/settings"):
        reply = shop.get(path)
        assert reply.status == 200
        assert "can no longer be decrypted" in reply.text


def caller_of(live: Live, browser: Client) -> Caller:
    from findable.service.accounts.callers import authenticate_session

    found = authenticate_session(live.service, next(iter(browser.cookies.values())))
    assert found is not None
    return found


# --- the end ----------------------------------------------------------------------------------------------------------


def test_a_project_is_deleted_with_its_name_typed_in(shop: Client) -> None:
    asked = shop.get(f"{PATH}/settings")
    assert "3 reports, their history and their links are deleted permanently." in asked.text
    for typed in ("", "shop", "other.example"):
        wrong = shop.post(f"{PATH}/delete", {"name": typed}, SAME)
        assert wrong.status == 422
        assert "This is not the name of the project." in wrong.text
    assert shop.get(PATH).status == 200
    gone = shop.post(f"{PATH}/delete", {"name": " Shop.Example "}, SAME)
    assert gone.headers["Location"] == "/projects"
    assert shop.get(PATH).status == 404


# --- who may ----------------------------------------------------------------------------------------------------------


def test_members_read_and_decide_nothing(shop: Client, live: Live) -> None:
    member, _ = member_of(live, shop)
    reply = member.get(PATH)
    assert reply.status == 200
    assert f"{PATH}/settings" not in reply.text
    assert rows(member.get(f"{PATH}/reports.csv"))
    assert member.get(f"{PATH}/settings").status == 403
    for form in FORMS:
        assert member.post(f"{PATH}/{form}", {"name": "shop.example", "user": "x", "password": "y"}, SAME).status == 403
    assert shop.get(PATH).status == 200
    assert "What is set" not in shop.get(f"{PATH}/settings").text


def test_a_site_is_set_up_before_its_first_report(live: Live) -> None:
    browser = owner(live)
    assert "/projects#new" in browser.get("/").text
    assert 'id="new"' in browser.get("/projects").text
    reply = browser.post("/projects", {"project": "https://staging.example/login"}, SAME)
    assert (reply.status, reply.headers["Location"]) == (303, "/projects/staging.example/settings")
    told = browser.post("/projects/staging.example/settings/sign-in", {"user": "anna", "password": SECRET}, SAME)
    assert told.status == 303
    assert "staging.example" in browser.get("/projects").text
    assert browser.get("/projects/staging.example").status == 200


def test_a_site_that_is_none_is_said_beside_the_field(live: Live) -> None:
    browser = owner(live)
    for typed, words in (("", "Enter the URL of the site."), ("ftp://a.example", "http"), ("http://10.0.0.1/", "URL")):
        reply = browser.post("/projects", {"project": typed}, SAME)
        assert reply.status == 422
        wrong = re.search(r'id="project-wrong">(.*?)</p>', reply.text)
        assert wrong is not None
        assert words in wrong[1]
        assert "field" not in wrong[1]


def test_a_member_who_sets_a_site_up_comes_to_its_page(live: Live) -> None:
    browser = owner(live)
    member, _ = member_of(live, browser)
    reply = member.post("/projects", {"project": "staging.example"}, SAME)
    assert (reply.status, reply.headers["Location"]) == (303, "/projects/staging.example")


# --- many -------------------------------------------------------------------------------------------------------------


def test_a_table_of_sites_is_shown_as_a_dry_run_and_then_applied(mine: Client) -> None:
    text = "url,name,client,tags\none.example,One,Acme <b>,shop\nno host,,,\n"
    reply = mine.post("/import", {"csv": text}, SAME)
    assert "Dry run: nothing was changed" in reply.text
    assert "1 new site, 1 row with errors" in reply.text
    assert '<th scope="row" class="digits">3</th>' in reply.text
    assert "There is none yet." in mine.get("/projects").text
    reply = mine.post("/import", {"csv": text, "action": "apply"}, SAME)
    assert (reply.status, '<a href="/projects/one.example">' in reply.text) == (200, True)
    assert "1 unchanged, 1 row with errors" in mine.post("/import", {"csv": text}, SAME).text
    wrong = mine.post("/import", {"csv": "url,recipient mail\n"}, SAME)
    assert (wrong.status, "The table has no row." in wrong.text) == (422, True)
    settings = mine.get("/projects/one.example/settings").text
    assert 'value="Acme &lt;b&gt;"' in settings
    fields = {"display_name": "Shop", "client": "", "tags": "b, a,A", "owner": "nobody@example.com"}
    wrong = mine.post("/projects/one.example/settings/name", fields, SAME)
    assert (wrong.status, "Nobody with this email address has access" in wrong.text) == (422, True)
    assert mine.post("/projects/one.example/settings/name", {**fields, "owner": ""}, SAME).status == 303
    assert 'value="A, b"' in mine.get("/projects/one.example/settings").text


def test_sites_are_tagged_filtered_grouped_and_shared_in_the_table(mine: Client) -> None:
    made(mine, "https://one.example/", "https://two.example/")
    form = {"site": "one.example\ntwo.example", "action": "tag", "tag": "shop, <b>", "query": "sort_by=score&sort=desc&evil=//x"}
    assert mine.post("/projects/selected", form, SAME).headers["Location"] == "/projects?sort_by=score&sort=desc&done=tag"
    assert mine.post("/projects/selected", {"site": "two.example", "action": "untag", "tag": "Shop"}, SAME).status == 303
    wrong = mine.post("/projects/selected", {"site": "two.example", "action": "tag"}, SAME)
    assert (wrong.status, "Enter a tag." in wrong.text) == (422, True)
    assert named(mine.get("/projects", tag="shop")) == ["one.example"]
    grouped = mine.get("/projects", group="tag").text
    assert re.findall(r'scope="rowgroup">([^<]+) <span class="where">([^<]+)<', grouped) == [("&lt;b&gt;", "2 sites"), ("shop", "1 site")]
    assert named(mine.get("/projects", result="bad")) == []
    shared = mine.post("/projects/selected", {"site": "one.example", "action": "share"}, SAME)
    link_of_one = re.search(r"one\.example: (http\S+)", shared.text)
    assert link_of_one is not None
    assert mine.guest().get(urlsplit(link_of_one[1]).path).status == 200
    assert mine.get("/projects/one.example/icon.png").status == 404
