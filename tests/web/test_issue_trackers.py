"""Findings as new issues of a tracker: the links of a page, a site and a project, for members only."""

import json
from collections.abc import Iterator
from html import unescape
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from findable.export.ci_subject import CiSubject, page_subject
from findable.export.new_issue import MAX_LINK_CHARS, SHORTENED, IssueTracker, new_issue, read_tracker
from findable.reports.analysis import analyse
from findable.vocabulary import Tracker
from tests.checks.harness import capture, page
from tests.crawl_sites import make_shop
from tests.sites.server import Site
from tests.web.live import Live, Reply, run_live
from tests.web.test_people import SAME, member_of
from tests.worked_crawls import work_crawl

GITHUB = "https://github.com/acme/shop"
JIRA = "https://acme.atlassian.net/?pid=10000&issuetype=10001"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"), allow_targets=("127.0.0.1",), rate_limit=100_000)


def fields_of(reply: Reply) -> dict[str, str]:
    """The fields of the form that the redirect fills."""
    assert reply.status == 303, reply.text
    assert reply.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in reply.headers["Cache-Control"]
    return {name: values[0] for name, values in parse_qs(urlsplit(reply.headers["Location"]).query, strict_parsing=True).items()}


def test_a_tracker_has_a_whole_url_of_the_web() -> None:
    good = {
        Tracker.GITHUB: (GITHUB, "https://git.example.com/acme/shop/", f"{GITHUB}?labels=seo"),
        Tracker.GITLAB: ("https://gitlab.com/group/sub/project", "http://localhost:8080/gitlab/group/project"),
        Tracker.JIRA: (JIRA, "https://example.com/jira?pid=1&issuetype=2&labels=seo"),
    }
    for kind, urls in good.items():
        for url in urls:
            assert read_tracker(kind, url) == IssueTracker(kind, url), url
    for kind, url in (
        (Tracker.GITHUB, "javascript://github.com/acme/shop"),
        (Tracker.GITHUB, "ftp://github.com/acme/shop"),
        (Tracker.GITHUB, "https://github.com/acme"),
        (Tracker.GITHUB, "https://me:secret@github.com/acme/shop"),
        (Tracker.GITHUB, f"{GITHUB}#title"),
        (Tracker.GITHUB, "github.com/acme/shop"),
        (Tracker.GITHUB, f"{GITHUB}{'x' * 500}"),
        (Tracker.GITLAB, "https://gitlab.com/project"),
        (Tracker.GITLAB, "https://gitlab.com/group/project/-/issues"),
        (Tracker.JIRA, "https://acme.atlassian.net/"),
        (Tracker.JIRA, "https://acme.atlassian.net/?pid=SHOP&issuetype=1"),
    ):
        assert isinstance(read_tracker(kind, url), str), url


def subject(body: str) -> CiSubject:
    found = page_subject(analyse(capture(page(head='<meta name="robots" content="noindex">', body=body))))
    problem = next(problem for problem in found.problems if problem.finding.id == "links-crawlable")
    return CiSubject(url=found.url, captured_at=found.captured_at, goal="", problems=(problem,))


def test_a_link_is_bounded_in_any_script_and_closes_its_blocks() -> None:
    links = "".join(f'<a href="javascript:void({number})" title="{"خبز طازج " * 40}">{"مخبز" * 20}</a>' for number in range(40))
    for kind, url, field in (
        (Tracker.GITHUB, GITHUB, "body"),
        (Tracker.GITLAB, GITHUB, "issue[description]"),
        (Tracker.JIRA, JIRA, "description"),
    ):
        urls = [f"https://example.com/{quote('خبز')}/{number}" for number in range(2000)]
        made = new_issue(IssueTracker(kind, url), subject(links), "خبز " * 200, urls)
        assert len(made) <= MAX_LINK_CHARS
        assert made.isascii()
        text = parse_qs(urlsplit(made).query, strict_parsing=True)[field][0]
        assert text.endswith(SHORTENED)
        assert sum(line.startswith("```") for line in text.splitlines()) % 2 == 0
    short = new_issue(IssueTracker(Tracker.GITHUB, f"{GITHUB}?labels=seo"), subject('<a href="javascript:a&b=c#d">x</a>'), "A & B # C")
    fields = parse_qs(urlsplit(short).query, strict_parsing=True)
    assert short.startswith(f"{GITHUB}/issues/new?labels=seo&title=")
    assert (fields["labels"], fields["title"]) == (["seo"], ["A & B # C"])
    assert "javascript:a&b=c#d" in fields["body"][0]
    assert SHORTENED not in fields["body"][0]


def test_members_open_an_issue_from_a_page_and_a_project(live: Live) -> None:
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    made = [client.report(f"https://bad.example/{name}", privacy=2, password="long enough") for name in ("one", "two")]
    path, project = f"/r/{made[0]['public_id']}", "/projects/bad.example"
    assert "New issue in" not in browser.get(path).text
    for at in (f"{path}/issue?check=noindex", f"{project}/issue?check=noindex"):
        assert browser.get(at).status == 404
    reply = browser.post(f"{project}/settings/tracker", {"kind": "github", "url": "https://github.com/acme"}, SAME)
    assert reply.status == 422
    assert "looks like https://github.com/owner/repository" in unescape(reply.text)
    assert browser.post(f"{project}/settings/tracker", {"kind": "github", "url": GITHUB}, SAME).status == 303
    assert client.get(project).json["data"]["tracker"] == {"kind": "github", "url": GITHUB}
    shown = browser.get(path).text
    assert f'href="{path}/issue?check=noindex"' in shown
    assert "New issue in GitHub" in shown
    fields = fields_of(browser.get(f"{path}/issue?check=noindex"))
    assert fields["title"] == "noindex keeps the page out of search results (all crawlers) – bad.example/one"
    assert fields["body"].rstrip() == browser.get(f"{path}/fixes.md?check=noindex").text.partition("\n\n")[2].rstrip()
    for check in ("charset", "no-such-check", ""):
        assert browser.get(f"{path}/issue?check={check}").status == 404
    of_project = fields_of(browser.get(f"{project}/issue?check=noindex"))
    assert of_project["title"].endswith(" (+1)")
    assert all(one["url"] in of_project["body"] for one in made)
    assert f'href="{project}/issue?check=noindex"' in browser.get(f"{project}/findings").text
    viewer, _ = member_of(live, browser, "viewer")
    stranger = live.signed_in(live.email())
    for one, status in ((viewer, 403), (stranger, 404), (client.guest(), 404)):
        assert one.get(f"{path}/issue?check=noindex").status == status
    assert viewer.get(f"{project}/issue?check=noindex").status == 403
    assert "New issue in" not in viewer.get(project).text + viewer.get(path).text
    unlocked = client.guest()
    cookie = unlocked.post(path, {"password": "long enough"}, SAME).headers["Set-Cookie"].partition(";")[0]
    unlocked.cookies = dict([cookie.split("=", 1)])
    assert "New issue in" not in unlocked.get(path).text
    assert unlocked.get(f"{path}/issue?check=noindex").status == 404
    assert client.request("PUT", project, b'{"tracker": {}}', {"Content-Type": "application/json"}).status == 200
    assert client.get(project).json["data"]["tracker"] is None


def test_members_open_an_issue_from_a_site(live: Live) -> None:
    site = Site().start()
    try:
        email = live.email()
        client, browser = live.client(email=email), live.signed_in(email)
        make_shop(site, products=3)
        crawl = client.post("/crawls", {"url": site.url("/"), "privacy": 0}).json["data"]
        work_crawl(live.service)
        sent = {"tracker": {"kind": "jira", "url": JIRA}}
        assert client.request("PUT", f"/projects/{crawl['project']}", json.dumps(sent), {"Content-Type": "application/json"}).status == 200
        path = f"/s/{crawl['public_id']}"
        shown = browser.get(path).text
        link = unescape(shown.partition(f'href="{path}/issue?')[2].partition('"')[0])
        assert "New issue in Jira" in shown
        fields = fields_of(browser.get(f"{path}/issue?{link}"))
        assert (fields["pid"], fields["issuetype"]) == ("10000", "10001")
        assert fields["summary"].endswith(f" – {crawl['project']}")
        assert "Verify, with the command findable:" in fields["description"]
        for guest in (client.guest(), live.signed_in(live.email())):
            assert "/issue?" not in guest.get(path).text
            assert guest.get(f"{path}/issue?{link}").status == 404
    finally:
        site.stop()
