"""Findings are accepted, and accepted no longer."""

from datetime import timedelta
from typing import Any

import pytest

from findable.clock import now
from tests.checks.harness import page
from tests.web.live import Client, Live

URL = "https://bad.example/a"


@pytest.fixture
def made(client: Client) -> Any:
    return client.report(URL)


def row(report: Any, check: str = "noindex") -> Any:
    return next(item for item in report["results"] if item["id"] == check)


def test_a_finding_is_accepted_at_once_and_in_later_runs(client: Client, made: Any) -> None:
    until = (now() + timedelta(days=30)).date().isoformat()
    reply = client.put(f"/reports/{made['id']}/accepted/noindex", {"reason": " a staging page ", "until": until})
    report = reply.json["data"]

    assert reply.status == 200
    assert row(report)["verdict"] == "failed"
    assert row(report)["accepted"]["reason"] == "a staging page"
    assert row(report)["accepted"]["until"] == until
    assert row(report)["accepted"]["by"].startswith("user")
    assert (row(report)["worth"], row(report)["lost"]) == (0, 0)
    assert report["score"] > made["score"]
    assert report["counts"]["failed"] == made["counts"]["failed"] - 1
    assert "noindex" not in str(report["explained"])
    assert (report["run"], report["generated_at"]) == (1, made["generated_at"])
    assert reply.headers["ETag"] == client.get(f"/reports/{made['id']}").headers["ETag"]
    listed = client.get("/reports").json["data"][0]
    assert (listed["score"], listed["result"]) == (report["score"], report["result"])
    assert client.get("/reports", check="noindex", verdict="failed").json["meta"]["total"] == 1

    again = client.put(f"/reports/{made['id']}", {"results": 1}).json["data"]
    assert (again["run"], again["score"], bool(row(again)["accepted"])) == (2, report["score"], True)
    assert again["previous"]["change"] == 0


def test_accepting_again_says_it_anew(client: Client, made: Any) -> None:
    for reason in ("first", "second"):
        report = client.put(f"/reports/{made['id']}/accepted/noindex", {"reason": reason}).json["data"]
    assert row(report)["accepted"] == {"reason": "second", "until": "", "by": row(report)["accepted"]["by"]}
    assert row(client.delete(f"/reports/{made['id']}/accepted/noindex").json["data"])["accepted"] is None


def test_it_is_withdrawn(client: Client, made: Any) -> None:
    client.put(f"/reports/{made['id']}/accepted/noindex", {"reason": "for now"})
    reply = client.delete(f"/reports/{made['id']}/accepted/noindex")

    assert reply.status == 200
    for name in ("score", "result", "counts", "categories", "explained", "results"):
        assert reply.json["data"][name] == made[name]
    assert client.delete(f"/reports/{made['id']}/accepted/noindex").status == 404


def test_it_returns_when_its_evidence_changes(client: Client, live: Live) -> None:
    live.analyser.pages["edited.example"] = page(head='<title>A page</title><meta name="robots" content="noindex">')
    made = client.report("https://edited.example/")
    client.put(f"/reports/{made['id']}/accepted/noindex", {"reason": "that very tag"})
    live.analyser.pages["edited.example"] = page(head='<title>A page</title><meta name="robots" content="none">')
    again = client.put(f"/reports/{made['id']}", {"results": 1}).json["data"]
    changes = client.get(f"/reports/{made['id']}/changes").json["data"]

    assert row(again)["accepted"] is None
    assert "noindex" in {finding["id"] for finding in changes["returned"]}


def test_for_a_project_it_holds_where_the_pattern_matches(client: Client, made: Any) -> None:
    reply = client.put(f"/reports/{made['id']}/accepted/noindex", {"reason": "all of them", "scope": "project", "pattern": "/a*"})
    assert row(reply.json["data"])["accepted"]
    assert row(client.report("https://bad.example/a/b"))["accepted"]
    assert row(client.report("https://bad.example/c"))["accepted"] is None

    url = f"/reports/{made['id']}/accepted/noindex"
    client.put(url, {"reason": "this one"})
    assert client.request("DELETE", url, scope="report").status == 200
    assert row(client.get(f"/reports/{made['id']}").json["data"])["accepted"]["reason"] == "all of them"
    assert row(client.delete(url).json["data"])["accepted"] is None
    assert row(client.report("https://bad.example/a/c"))["accepted"] is None


def test_what_was_accepted_is_no_change_of_the_page(client: Client, made: Any) -> None:
    client.put(f"/reports/{made['id']}", {"results": 1})
    report = client.put(f"/reports/{made['id']}/accepted/noindex", {"reason": "known"}).json["data"]
    changes = client.get(f"/reports/{made['id']}/changes").json["data"]

    score = changes["score"]
    assert score["after"] == report["score"]
    assert (score["from_page"], score["from_ruleset"], score["from_accepted"]) == (0, 0, report["score"] - made["score"])
    listed = {finding["id"] for name in ("new", "fixed", "returned", "still") for finding in changes[name]}
    assert "noindex" not in listed


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({}, "reason"),
        ({"reason": "  "}, "reason"),
        ({"reason": "x" * 501}, "reason"),
        ({"reason": "x", "until": "soon"}, "until"),
        ({"reason": "x", "until": "2026-02-30"}, "until"),
        ({"reason": "x", "until": "2001-01-01"}, "until"),
        ({"reason": "x", "scope": "account"}, "scope"),
        ({"reason": "x", "pattern": "/a*"}, "pattern"),
        ({"reason": "x", "scope": "project", "pattern": "a"}, "pattern"),
        ({"reason": "x", "scope": "project", "pattern": "/b*"}, "pattern"),
        ({"reason": "x", "scope": "project", "pattern": "/" + "a" * 200}, "pattern"),
    ],
)
def test_a_wrong_field_is_named(client: Client, made: Any, fields: dict[str, str], wrong: str) -> None:
    reply = client.put(f"/reports/{made['id']}/accepted/noindex", fields)
    assert reply.status == 422
    assert set(reply.json["errors"]) == {wrong}
    assert row(client.get(f"/reports/{made['id']}").json["data"])["accepted"] is None


def test_only_what_is_held_against_the_page_is_accepted(client: Client, made: Any) -> None:
    reply = client.put(f"/reports/{made['id']}/accepted/https", {"reason": "x"})
    assert (reply.status, set(reply.json["errors"])) == (422, {"check"})
    assert client.put(f"/reports/{made['id']}/accepted/nonsense", {"reason": "x"}).status == 404
    assert client.delete(f"/reports/{made['id']}/accepted/nonsense").status == 404
    assert client.delete(f"/reports/{made['id']}/accepted/https").status == 404
    unseen = client.report("https://times-out.example/")
    reply = client.put(f"/reports/{unseen['id']}/accepted/noindex", {"reason": "x"})
    assert (reply.status, set(reply.json["errors"])) == (422, {"check"})


def test_a_stale_if_match_changes_nothing(client: Client, made: Any) -> None:
    url = f"/reports/{made['id']}/accepted/noindex"
    assert client.put(url, {"reason": "x"}, {"If-Match": '"old"'}).status == 412
    current = client.get(f"/reports/{made['id']}").headers["ETag"]
    assert client.put(url, {"reason": "x"}, {"If-Match": current}).status == 200
    assert client.delete(url, {"If-Match": current}).status == 412


def test_s48_another_accounts_report_is_missing(made: Any, live: Live) -> None:
    other = live.client()
    assert other.put(f"/reports/{made['id']}/accepted/noindex", {"reason": "x"}).status == 404
    assert other.delete(f"/reports/{made['id']}/accepted/noindex").status == 404
