"""A site that changes its responses, the accidents that happen to it, and the person who watches it with a service that fetches it."""

import html
import json
import re
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from tests.simulated_clock import SimulatedClock
from tests.sites.server import Site
from tests.web.live import Live
from tests.worked_crawls import work_crawl

JSON = {"Content-Type": "application/json"}
NOON = 1_795_435_200
HOUR_S, DAY_S = 3600, 86_400
PAGES = ("/", "/tea", "/cups")
WORDS = "Each tin carries the name of the garden where the leaves grew, and we ship it in a day."
ALLOW = "User-agent: *\nAllow: /\n"
CHALLENGE = (
    '<!doctype html><html><title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/jsch/v1"></script>'
)


class Accident(Struct, frozen=True):
    """What happens to a site, and what the product says about it."""

    name: str
    code: str
    cause: str
    said: str
    """Part of the sentence about the site."""
    said_of_page: str
    head: str = ""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""
    robots_txt: str = ALLOW
    robots_status: int = 200
    is_down: bool = False


ACCIDENTS = (
    Accident(
        "noindex",
        "deindexed",
        "noindex",
        "Google cannot index any page of this site: all pages are noindex.",
        "Google cannot index this page: it is noindex.",
        head='<meta name="robots" content="noindex">',
    ),
    Accident(
        "robots.txt with 503",
        "unreachable",
        "robots_status",
        "robots.txt returns 503: Google stops crawling the site.",
        "robots.txt returns 503: Google stops crawling the site.",
        robots_status=503,
    ),
    Accident("503", "unreachable", "server_error", "its start page returns 503", "The page cannot be reached: it returns 503.", status=503),
    Accident(
        "403", "blocked_for_us", "denied", "Visitors and Google may see the site.", "Visitors and Google may see the page.", status=403
    ),
    Accident(
        "robots.txt",
        "deindexed",
        "robots",
        "robots.txt disallows it (line 2: Disallow: /)",
        "Google may not read this page: robots.txt disallows it.",
        robots_txt="User-agent: *\nDisallow: /\n",
    ),
    Accident(
        "canonical elsewhere",
        "deindexed",
        "canonical",
        "all pages declare pages of http://127.0.0.9 as canonical.",
        "it declares another page as canonical.",
        head='<link rel="canonical" href="http://127.0.0.9/">',
    ),
    Accident("404", "deindexed", "status", "its start page returns 404", "it returns 404", status=404),
    Accident("no server", "unreachable", "no_response", "The site cannot be reached.", "The page cannot be reached.", is_down=True),
    Accident(
        "challenge",
        "blocked_for_us",
        "challenge",
        "Visitors and Google may see the site.",
        "Visitors and Google may see the page.",
        status=403,
        headers=(("cf-mitigated", "challenge"),),
        body=CHALLENGE,
    ),
    Accident(
        "429", "blocked_for_us", "denied", "Visitors and Google may see the site.", "Visitors and Google may see the page.", status=429
    ),
)
SOUND = Accident("", "indexable", "", "", "")


class Shop:
    """A site of three pages that changes its responses, and the person who watches it."""

    def __init__(self, live: Live, clock: SimulatedClock) -> None:
        self.live, self.clock, self.site = live, clock, Site().start()
        self.port, self.is_up = self.site.port, True
        self.email = live.email()
        self.api, self.browser = live.client(email=self.email), live.signed_in(self.email)
        self.project = f"127.0.0.1:{self.port}"
        self.home = f"/projects/{quote(self.project, safe='')}"
        self.give(SOUND)

    def give(self, accident: Accident) -> None:
        """Let the site respond like this from now on."""
        if accident.is_down:
            self.site.stop()
            self.is_up = False
            return
        if not self.is_up:
            self.site = Site(port=self.port).start()
            self.is_up = True
        self.site.page("/robots.txt", accident.robots_txt, status=accident.robots_status, content_type="text/plain")
        for path in PAGES:
            self.site.page(path, accident.body or self.body(path, accident.head), status=accident.status, headers=accident.headers)

    def body(self, path: str, head: str = "") -> str:
        """A page that is good enough to fall."""
        title = f"Loose leaf tea from small gardens {path}"
        head = f'<title>{title}</title><meta name="viewport" content="width=device-width"><meta name="description" content="{WORDS}">{head}'
        links = "".join(f'<a href="{path}">To the page {path}</a>' for path in PAGES)
        text = "".join(f"<p>{path.title()} {number}: {WORDS}</p>" for number in range(12))
        return f'<!doctype html><html lang="en"><head>{head}</head><body><main><h1>{title}</h1>{links}{text}</main></body></html>'

    def close(self) -> None:
        if self.is_up:
            self.site.stop()

    def crawl(self, **more: Any) -> Any:
        """The crawl of the site, finished."""
        self.clock.at += HOUR_S
        made = self.api.post("/crawls", json.dumps({"url": f"http://{self.project}/", "privacy": 1, **more}), JSON)
        assert made.status == 202, made.body
        work_crawl(self.live.service)
        return self.api.get(f"/crawls/{made.json['data']['id']}").json["data"]

    def check(self, path: str = "/") -> Any:
        """The report of a page, with a new result."""
        self.clock.at += HOUR_S
        url = f"http://{self.project}{path}"
        known = [one for one in self.api.get("/reports", search=url).json["data"] if one["url"] == url]
        if not known:
            made = self.api.post("/reports", {"url": url, "privacy": 1})
            assert made.status in (201, 202), made.body
            return self.report(made.json["data"]["id"])
        reply = self.api.put(f"/reports/{known[0]['id']}", {"results": 1})
        assert reply.status == 200, reply.body
        return self.report(known[0]["id"])

    def report(self, number: int) -> Any:
        return self.api.get(f"/reports/{number}").json["data"]

    def told(self) -> Any:
        """What the API says about the project."""
        return self.api.get(f"/projects/{self.project}").json["data"]

    def words(self, path: str) -> str:
        """The visible text of a page."""
        reply = self.browser.get(path)
        assert reply.status == 200, (path, reply.status)
        text = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", reply.text, flags=re.DOTALL)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())
