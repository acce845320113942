import time
from datetime import UTC, datetime, timedelta

import pytest

from tests.web.live import Client, Live


def ids(reply: object) -> list[int]:
    return [report["id"] for report in reply.json["data"]]  # type: ignore[attr-defined]  # JSON is an object to the type checker


def test_reports_are_listed_newest_first_without_results_and_facts(client: Client) -> None:
    made = [client.report(f"https://good.example/{number}")["id"] for number in range(3)]
    reply = client.get("/reports")
    assert reply.status == 200
    assert ids(reply) == made[::-1]
    report = reply.json["data"][0]
    assert "results" not in report
    assert "facts" not in report
    assert report["object"] == "report"
    assert report["project"] == "good.example"


def test_filters_are_anded(client: Client) -> None:
    good = client.report("https://good.example/page")
    bad = client.report("https://bad.example/page")
    assert ids(client.get("/reports", result="bad")) == [bad["id"]]
    assert ids(client.get("/reports", project="good.example")) == [good["id"]]
    assert ids(client.get("/reports", project="good.example", result="bad")) == []
    assert ids(client.get("/reports", search="GOOD.example/PA")) == [good["id"]]
    assert ids(client.get("/reports", project="unknown.example")) == []
    assert ids(client.get("/reports", check="noindex", verdict="failed")) == [bad["id"]]
    assert ids(client.get("/reports", since="2026-01-01")) == [bad["id"], good["id"]]
    assert ids(client.get("/reports", since="2999-01-01T00:00:00+01:00")) == []


@pytest.mark.parametrize("search", ["%", "_", "\\", "'", '"', "<script>", "%_%"])
def test_s71_wildcards_are_literal(client: Client, search: str) -> None:
    client.report("https://good.example/plain")
    reply = client.get("/reports", search=search)
    assert reply.status == 200
    assert reply.json["data"] == []


def test_s71_a_search_has_at_most_2048_characters(client: Client) -> None:
    assert client.get("/reports", search="x" * 2048).status == 200
    reply = client.get("/reports", search="x" * 2049)
    assert reply.json["errors"] == {"search": ["The search field must not be longer than 2048 characters."]}


def test_s71_a_nul_is_400(client: Client) -> None:
    assert client.get("/reports?search=%00").status == 400


def test_what_has_no_result_comes_last_both_ways(client: Client) -> None:
    good, bad, none = (client.report(f"https://{host}/")["id"] for host in ("good.example", "bad.example", "times-out.example"))
    assert ids(client.get("/reports", sort_by="result", sort="asc")) == [bad, good, none]
    assert ids(client.get("/reports", sort_by="result", sort="desc")) == [good, bad, none]
    assert ids(client.get("/reports", sort_by="generated_at", sort="asc"))[-1] == none


def test_pages_and_cursors_meet_every_report_once(client: Client) -> None:
    made = [client.report(f"https://good.example/{number:02}")["id"] for number in range(23)]
    by_page = [number for page in (1, 2, 3) for number in ids(client.get("/reports", per_page=10, page=page))]
    assert by_page == made[::-1]
    reply = client.get("/reports", per_page=10)
    by_cursor = ids(reply)
    while reply.json["links"]["next_cursor"]:
        reply = client.get(reply.json["links"]["next_cursor"].partition("/api/v1")[2])
        by_cursor += ids(reply)
    assert by_cursor == made[::-1]
    assert reply.json["meta"]["current_page"] is None


def test_links_keep_the_query_and_stand_in_the_header(client: Client) -> None:
    for number in range(11):
        client.report(f"https://good.example/{number}")
    reply = client.get("/reports", search="good", per_page=10, api="1")
    links = reply.json["links"]
    assert links["next"].endswith("/api/v1/reports?search=good&per_page=10&api=1&page=2")
    assert links["prev"] is None
    assert f'<{links["next"]}>; rel="next"' in reply.headers["Link"]
    assert reply.json["meta"]["last_page"] == 2
    second = client.get(links["next"].partition("/api/v1")[2]).json
    assert (second["meta"]["from"], second["meta"]["to"]) == (11, 11)
    assert second["links"]["next"] is None


@pytest.mark.parametrize(
    ("query", "field", "named"),
    [
        ("per_page=0", "per_page", "10, 25, 50, 100"),
        ("per_page=-1", "per_page", "10, 25, 50, 100"),
        ("per_page=1e9", "per_page", "10, 25, 50, 100"),
        ("per_page=10.0", "per_page", "10, 25, 50, 100"),
        ("per_page=10%3BDROP", "per_page", "10, 25, 50, 100"),
        ("per_page[]=10", "per_page", "10, 25, 50, 100"),
        ("sort_by=password", "sort_by", "id, generated_at, url, result"),
        ("sort=desc;--", "sort", "desc, asc"),
        ("search_by=body", "search_by", "url"),
        ("result=ok", "result", "good, decent, bad"),
        ("status=ready", "status", "queued, running, done, failed"),
        ("page=0", "page", "at least 1"),
        ("page=1000000000000000000", "page", "whole number"),
        ("check=nothing&verdict=failed", "check", "id of a check"),
        ("check=noindex", "verdict", "verdict"),
        ("cursor=nonsense", "cursor", "cursor"),
        ("since=yesterday", "since", "date-time"),
    ],
)
def test_s70_values_outside_the_lists_are_named(client: Client, query: str, field: str, named: str) -> None:
    reply = client.get(f"/reports?{query}")
    assert reply.status == 422, reply.body
    assert named in " ".join(reply.json["errors"][field])


def test_all_errors_come_at_once(client: Client) -> None:
    reply = client.get("/reports", per_page="11", sort="up", result="x")
    assert set(reply.json["errors"]) == {"per_page", "sort", "result"}
    assert reply.json["message"].endswith("(and 2 more errors)")


def test_since_is_utc_where_no_offset_stands(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.report()
    later = datetime.now(UTC) + timedelta(hours=1)
    with monkeypatch.context() as patched:
        for zone in ("Asia/Tokyo", "America/New_York"):
            patched.setenv("TZ", zone)
            time.tzset()
            assert client.get("/reports", since=f"{later:%Y-%m-%dT%H:%M:%S}").json["meta"]["total"] == 0, zone
            assert client.get("/reports", since=f"{later - timedelta(hours=2):%Y-%m-%dT%H:%M:%S}").json["meta"]["total"] == 1, zone
    time.tzset()


def test_a_plus_sent_as_it_is_belongs_to_the_offset(client: Client) -> None:
    client.report()
    assert client.get("/reports?since=2026-01-01T00:00:00+01:00").json["meta"]["total"] == 1
    assert client.get("/reports?since=2999-01-01T00:00:00.5+01:00").json["meta"]["total"] == 0


def test_an_empty_value_is_absent_and_unknown_names_are_told(client: Client) -> None:
    reply = client.get("/reports?per_page=&search=&sort_by=&perpage=50")
    assert reply.status == 200
    assert reply.json["meta"]["per_page"] == 10
    assert reply.json["meta"]["warnings"] == ["The field perpage is not known and was ignored."]


def test_a_filter_by_a_check_that_no_longer_exists_finds_nothing_and_warns(client: Client) -> None:
    client.report()
    reply = client.get("/reports?check=meta-keywords&verdict=info")
    assert (reply.status, reply.json["data"]) == (200, [])
    assert reply.json["meta"]["warnings"] == ["The check meta-keywords no longer exists."]
    assert client.get("/reports?check=meta-keyword&verdict=info").status == 422


def test_reports_of_others_are_not_listed(client: Client, live: Live) -> None:
    client.report()
    assert live.client().get("/reports").json["data"] == []


def test_the_password_is_never_shown(client: Client) -> None:
    client.report(privacy=2, password="secret-word-91")
    reply = client.get("/reports")
    assert b"secret-word-91" not in reply.body
    assert reply.json["data"][0]["has_password"] is True
