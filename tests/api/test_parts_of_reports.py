"""Reading in part (`fields`, `verdict`, `texts`), the catalogue of checks, and what keys that may not read are told."""

import json

import pytest

from findable.checks.engine import all_checks
from findable.service.values.caller import WRITE
from tests.web.live import Client, Live

AS_JSON = {"Content-Type": "application/json"}


def test_fields_are_the_members_asked_for(client: Client) -> None:
    made = client.report()
    path = f"/reports/{made['id']}"
    assert client.get(f"{path}?fields=id,score,results").json["data"].keys() == {"id", "score", "results"}
    assert client.get(f"{path}/runs/1?fields=run,url").json["data"] == {"run": 1, "url": "https://good.example/"}
    assert client.get("/reports?fields=id,url").json["data"] == [{"id": made["id"], "url": "https://good.example/"}]
    assert client.get("/projects?fields=project").json["data"] == [{"project": "good.example"}]
    assert client.get("/projects/good.example?fields=project").json["data"] == {"project": "good.example"}


@pytest.mark.parametrize("path", ["/reports", "/reports/1", "/reports/1/runs/1", "/projects", "/projects/good.example"])
def test_a_member_that_is_none_is_422_and_the_others_are_named(client: Client, path: str) -> None:
    client.report()
    reply = client.get(f"{path}?fields=id,secret")
    assert reply.status == 422
    named = reply.json["errors"]["fields"][0].partition("allowed: ")[2]
    assert {"id", "object"} <= set(named.removesuffix(".").split(", "))


def test_verdict_and_texts_make_a_report_short(client: Client) -> None:
    path = f"/reports/{client.report('https://bad.example/')['id']}"
    whole, short = client.get(path), client.get(f"{path}?verdict=failed,warned&texts=none&fields=id,url,score,counts,categories,results")
    results = short.json["data"]["results"]
    assert {finding["verdict"] for finding in results} == {"failed", "warned"}
    assert len(results) == sum(finding["verdict"] in ("failed", "warned") for finding in whole.json["data"]["results"])
    assert not {"why", "how_to_fix", "source", "question"} & results[0].keys()
    assert short.json["data"]["counts"] == whole.json["data"]["counts"]
    assert len(short.body) <= 15_000
    refused = client.get(f"{path}?verdict=failed,poor&texts=some").json["errors"]
    assert "allowed: all, none" in refused["texts"][0]
    assert "allowed: passed" in client.get(f"{path}?verdict=poor").json["errors"]["verdict"][0]


def test_a_finding_has_its_code_with_its_place_and_the_call_that_verifies_it(client: Client) -> None:
    made = client.report("https://bad.example/")
    results = {finding["id"]: finding for finding in client.get(f"/reports/{made['id']}?texts=none").json["data"]["results"]}
    fixed = [finding for finding in results.values() if "fix" in finding]
    assert fixed
    for finding in fixed:
        assert {"place", "after"} <= finding["fix"][0].keys()
        assert finding["verify"] == f"POST /reports/{made['id']}/findings/{finding['key']}/recheck"
    assert all("verify" not in finding for finding in results.values() if finding["verdict"] == "passed")
    replaced = [code for finding in fixed for code in finding["fix"] if code["place"] == "element"]
    assert all(code["before"] and code["line"] and code["column"] for code in replaced)


def test_checks_have_their_texts_in_the_language_asked_for(client: Client) -> None:
    found = client.get("/checks").json["data"]
    assert [check["id"] for check in found] == list(all_checks())
    one = client.get("/checks/noindex")
    assert one.json["data"] == next(check for check in found if check["id"] == "noindex")
    assert one.headers["Vary"].startswith("Accept-Language")
    german = client.get("/checks/noindex?language=de").json["data"]
    assert german["question"] != one.json["data"]["question"]
    assert client.get("/checks/noindex", {"Accept-Language": "de"}).json["data"] == german
    assert client.get("/checks?language=tlh").status == 422
    assert client.get("/checks/nothing").status == 404
    assert client.guest().get("/api/v1/checks").status == 401


@pytest.mark.parametrize("method", ["PUT", "PATCH", "POST"])
def test_an_empty_json_body_is_422_and_changes_nothing(client: Client, method: str) -> None:
    made = client.report()
    reply = client.request(method, f"/reports/{made['id']}", b"", AS_JSON)
    assert reply.status == 422
    assert "empty" in reply.json["errors"]["body"][0]
    assert client.post("/reports", b"", AS_JSON).status == 422


@pytest.mark.parametrize("path", ["/reports/{id}", "/reports/{id}/link", "/projects/good.example"])
def test_an_update_without_a_known_field_says_so(client: Client, path: str) -> None:
    path = path.format(**client.report())
    for body, headers in [({}, {}), ({"what": "1"}, {}), (json.dumps({}), AS_JSON)]:
        reply = client.put(path, body, headers)
        assert reply.status == 200
        assert "Nothing was changed" in reply.json["meta"]["warnings"][0]


def test_s51_a_key_that_may_not_read_is_told_what_it_wrote_and_no_more(live: Live) -> None:
    email = live.email()
    writer, reader = live.client(scopes=frozenset({WRITE}), email=email), live.client(email=email)
    made = writer.post("/reports", {"url": "https://good.example/"}, {"Idempotency-Key": "once"})
    assert made.status == 201
    assert made.json["data"].keys() == {"id", "object", "updated_at"}
    again = writer.post("/reports", {"url": "https://good.example/"}, {"Idempotency-Key": "once"})
    assert (again.headers["Idempotent-Replayed"], again.json) == ("true", made.json)
    path = f"/reports/{made.json['data']['id']}"
    replies = [
        writer.put(path, {"privacy": 1}),
        writer.put(path, {"results": 1}),
        writer.put(f"{path}/client", {"summary": "Good."}),
        writer.put(f"{path}/link", {"until": "2099-01-31"}),
        writer.post(f"{path}/link"),
        writer.put("/projects/good.example", {"language": "de"}),
        writer.post("/projects", {"project": "other.example"}),
        writer.post("/batches", {"urls": "https://good.example/a"}),
    ]
    for reply in replies:
        assert reply.status in (200, 201, 202), reply.body
        assert reply.json["data"].keys() == {"id", "object", "updated_at"}, reply.body
    assert reader.get(path).json["data"]["privacy"] == 1
