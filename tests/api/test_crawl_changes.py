"""GET /crawls/{id}/changes, and the table of changes."""

import csv
import io
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import func, select

from findable.service.accounts.callers import authenticate_key
from findable.service.projects import home
from findable.store.crawl_schema import COMPARISON
from findable.store.stored_comparisons import main_comparison
from findable.vocabulary import ScoreOf
from tests.crawl_sites import change_shop, make_shop
from tests.sites.server import Site
from tests.web.live import Client, Live, run_live
from tests.worked_crawls import work_crawl


class Shops:
    """Crawls of a shop before and after a bad day."""

    def __init__(self, live: Live, site: Site) -> None:
        self.live = live
        self.site = site
        self.client = live.client(email=live.email())
        make_shop(site, products=3)
        self.first = self.crawl()
        change_shop(site)
        self.limited = self.crawl(pages=3)
        self.second = self.crawl()

    def crawl(self, **settings: Any) -> int:
        reply = self.client.post("/crawls", {"url": self.site.url("/"), **settings})
        assert reply.status == 202, reply.body
        return work_crawl(self.live.service)

    def changes(self, crawl: int, **query: Any) -> Any:
        reply = self.client.get(f"/crawls/{crawl}/changes", **query)
        assert reply.status == 200, reply.body
        return reply.json["data"]


@pytest.fixture(scope="module")
def shops(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shops]:
    site = Site().start()
    try:
        for live in run_live(tmp_path_factory.mktemp("service"), allow_targets=("127.0.0.1",), rate_limit=100_000):
            yield Shops(live, site)
    finally:
        site.stop()


def test_a_crawl_is_compared_with_the_last_complete_one_when_it_ends(shops: Shops) -> None:
    with closing(shops.live.service.crawl_home.open(shops.second)) as store, store.engine.connect() as connection:
        stored = main_comparison(connection)
    changes = shops.changes(shops.second)
    gone = shops.changes(shops.second, since=shops.first, kind="gone")

    assert stored is not None
    assert stored.comparison.counts == changes["counts"]
    assert (changes["crawl"], changes["counts"]["gone"], changes["not_comparable"]) == (shops.first, 1, None)
    assert changes["still_count"] > 0
    assert "title-present" in [finding["id"] for finding in changes["findings"]["new"]]
    assert [(row["kind"], row["url"], row["before"], row["after"]) for row in gone["pages"]] == [
        ("gone", shops.site.url("/about"), "200", "404")
    ]


def test_a_project_has_the_score_of_its_last_complete_crawl_and_its_fall_is_told(shops: Shops) -> None:
    service, caller = shops.live.service, authenticate_key(shops.live.service, shops.client.key)
    scores = {number: shops.client.get(f"/crawls/{number}").json["data"]["score"] for number in (shops.first, shops.second)}
    shown = home.get(service, caller)
    (project,) = shown.projects.items
    (setback,) = shown.changes.worse

    assert (project.project.score, project.project.score_of) == (scores[shops.second], ScoreOf.SITE)
    assert [point.score for point in project.trend] == list(scores.values())
    assert (setback.is_site, setback.score_before, setback.score) == (True, *scores.values())
    assert "title-present" in setback.new


def test_changes_are_followed_by_cursor_in_both_directions(shops: Shops) -> None:
    path = f"/crawls/{shops.second}/changes"
    first = shops.client.get(path, fields="pages").json
    walked, link = [], path
    while link:
        reply = shops.client.get(link).json
        walked += reply["data"]["pages"]
        link = (reply["links"]["next_cursor"] or "").partition("/api/v1")[2]
    following = shops.client.get(first["links"]["next_cursor"].partition("/api/v1")[2]).json
    back = shops.client.get(following["links"]["prev_cursor"].partition("/api/v1")[2]).json
    counts = shops.changes(shops.second)["counts"]

    assert list(first["data"]) == ["pages"]
    assert len(walked) == first["meta"]["total"] == sum(counts.values())
    assert [row["kind"] for row in walked] == [kind for kind, count in counts.items() for _ in range(count)]
    assert (back["data"]["pages"], walked[:10]) == (first["data"]["pages"], first["data"]["pages"])
    assert shops.client.get(path, kind="inlinks", per_page=25).json["meta"]["total"] == counts["inlinks"]


def test_another_crawl_is_compared_once(shops: Shops) -> None:
    def stored() -> int:
        with closing(shops.live.service.crawl_home.open(shops.second)) as store, store.engine.connect() as connection:
            return int(connection.execute(select(func.count()).select_from(COMPARISON)).scalar_one())

    same = {shops.site.base: shops.site.base}
    mapped = [shops.changes(shops.second, since=shops.first, map="=".join(pair)) for pair in (*same.items(), *same.items())]

    assert mapped[0] == mapped[1]
    assert mapped[0]["counts"] == shops.changes(shops.second)["counts"]
    assert stored() == 2
    elsewhere = shops.changes(shops.second, since=shops.first, map="https://staging.example=https://www.example.com")
    assert elsewhere["counts"] == mapped[0]["counts"], "the crawl has no URL of that origin"


def test_a_partial_crawl_is_compared_over_the_pages_of_both(shops: Shops) -> None:
    changes = shops.changes(shops.limited, since=shops.first)

    assert (changes["not_comparable"], changes["comparable"], changes["reason"]) == (None, True, None)
    assert {"added", "inlinks", "depth"}.isdisjoint(changes["counts"])


def test_changes_are_exported(shops: Shops) -> None:
    reply = shops.client.get(f"/crawls/{shops.second}/export", table="changes", since=shops.first)
    rows = list(csv.DictReader(io.StringIO(reply.body.decode("utf-8-sig"))))

    assert reply.status == 200
    assert ("title", shops.site.url("/privacy"), "") in {(row["kind"], row["url"], row["after"]) for row in rows}
    assert shops.client.get(f"/crawls/{shops.limited}/export", table="changes", since=shops.first).status == 200


def test_the_first_crawl_has_nothing_to_be_compared_with(shops: Shops) -> None:
    changes = shops.changes(shops.first)

    assert (changes["comparable"], changes["reason"], changes["not_comparable"]) == (False, "no_earlier", "no_earlier")
    assert (changes["since"], changes["crawl"], changes["pages"], changes["counts"]) == (None, None, [], {})
    assert shops.client.get(f"/crawls/{shops.first}/export", table="changes").status == 422


def test_a_partial_crawl_is_the_base_of_a_wider_one_only_if_there_is_no_other(shops: Shops) -> None:
    other = shops.live.client(email=shops.live.email())
    numbers = []
    for settings in ({"pages": 3}, {}, {"pages": 3}, {}):
        assert other.post("/crawls", {"url": shops.site.url("/"), **settings}).status == 202
        numbers.append(work_crawl(shops.live.service))
    narrow, whole = numbers[:2]
    found = {number: other.get(f"/crawls/{number}/changes").json["data"] for number in numbers}

    assert [found[number]["crawl"] for number in numbers] == [None, narrow, whole, whole]
    assert (found[whole]["comparable"], found[whole]["reason"]) == (True, None)
    assert {"added", "gone", "inlinks", "depth"}.isdisjoint(found[whole]["counts"])
    assert found[whole]["findings"]["new"] == []
    previous = [other.get(f"/crawls/{number}").json["data"]["previous"] for number in numbers]
    assert previous[:3] == [None, None, None], "scores of different limits are not compared"
    assert previous[3]["crawl"] == whole


def test_what_cannot_be_compared_is_named(shops: Shops) -> None:
    replies = {
        "map": shops.client.get(f"/crawls/{shops.second}/changes", map="staging=www"),
        "kind": shops.client.get(f"/crawls/{shops.second}/changes", kind="colour"),
    }

    assert {name: (reply.status, list(reply.json["errors"])) for name, reply in replies.items()} == {
        name: (422, [name]) for name in replies
    }


def test_changes_of_others_are_not_found(shops: Shops) -> None:
    stranger = shops.live.client(email=shops.live.email())

    assert stranger.get(f"/crawls/{shops.second}/changes").status == 404
    assert shops.client.get(f"/crawls/{shops.second}/changes", since=999).status == 404
    assert Client(shops.live.port).get(f"/crawls/{shops.second}/changes").status == 401


def table_of(shops: Shops, *rows: str) -> str:
    return "\n".join(["Address,Status Code,Indexability,Title 1,Crawl Depth", *(row.replace("SITE", shops.site.base) for row in rows)])


def test_a_crawl_is_compared_with_a_table_of_another_program(shops: Shops) -> None:
    table = table_of(shops, "SITE/,200,Indexable,Another title,0", "SITE/product/0,200,Indexable,,", "SITE/never,404,Non-Indexable,,1")
    reply = shops.client.post(f"/crawls/{shops.second}/changes", {"csv": table})
    found = reply.json["data"]
    changed = {(one["kind"], one["url"].removeprefix(shops.site.base)) for one in found["pages"]}

    assert reply.status == 200, reply.text
    assert (found["not_comparable"], found["comparable"], found["reason"]) == (None, False, "imported")
    assert all(found["findings"][name] == [] for name in found["findings"])
    assert ("title", "/") in changed
    assert not {kind for kind, _ in changed} & {"inlinks", "text", "h1", "description", "canonical", "robots"}
    assert not any(url == "/never" for _, url in changed)


def test_a_table_is_refused_with_its_line_and_only_for_the_account(shops: Shops) -> None:
    stranger = shops.live.client(email=shops.live.email())
    place = f"/crawls/{shops.second}/changes"
    table = table_of(shops, "SITE/,200,perhaps,,")

    for body, words in (({}, "Send the table"), ({"csv": "a,b\n1,2\n"}, "neither the columns"), ({"csv": table}, "Line 2: “perhaps”")):
        reply = shops.client.post(place, body)
        assert (reply.status, words in reply.text) == (422, True), reply.text
    assert stranger.post(place, {"csv": table}).status == 404
