"""The OpenAPI document against the real service over real HTTP: generated requests, every answer checked against what is declared."""

import json
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from findable.analyze import analyse_saved
from findable.errors import PageErrorCode, PageUnavailable
from findable.recheck import RecheckResult
from findable.service.results.rechecks import RecheckJob
from findable.service.runtime.service import Analysis
from tests.web.live import run_live
from tests.worked_crawls import fill_crawl

METHODS = {"get", "post", "put", "patch", "delete"}
LEFT_OUT = {
    "negative_data_rejection": "null and an empty text count as absent, a form may send a list as lines, unknown fields are ignored",
    "positive_data_acceptance": "a schema cannot say that a cursor must be ours, an address public, a NUL absent, a run older",
    "ensure_resource_availability": "deleting a project takes reports away that the check thinks are there",
    "object_level_authorization": "needs two identities; the tests of each endpoint have them",
}


async def find_page_away(job: RecheckJob) -> RecheckResult:
    """Recheck in place of the worker's: without one, each answers 503."""
    raise PageUnavailable(PageErrorCode.CONNECT_FAILED)


@pytest.mark.full
def test_every_answer_is_as_declared(tmp_path: Path) -> None:
    with contextmanager(run_live)(tmp_path / "data", rate_limit=0) as live:
        live.service.analysis = Analysis(rescore=analyse_saved, recheck=find_page_away)
        client = live.client()
        document = client.get("/openapi.json?complete=1").json
        paths = document["paths"]
        for path, operation in ((path, methods[method]) for path, methods in paths.items() for method in METHODS & methods.keys()):
            # what `fields` leaves out is required where it is absent: a schema cannot say that; no worker here ends a crawl
            left_out = {"fields", "wait"} if path.startswith("/crawls") else {"fields"}
            operation["parameters"] = [parameter for parameter in operation["parameters"] if parameter["name"] not in left_out]
        (tmp_path / "openapi.json").write_text(json.dumps(document))
        operations = sum(method in METHODS for path in paths.values() for method in path)
        client.report()
        client.report("https://bad.example/", privacy=2, password="pw")
        crawl = client.post("/crawls", {"url": "https://good.example/"}).json["data"]["id"]
        fill_crawl(live.service, crawl, "https://good.example/", "<title>A page</title><h1>A page</h1><a href='/more'>More</a>")
        command = [
            *(sys.executable, "-m", "schemathesis.cli", "run", "openapi.json", "--url", f"http://127.0.0.1:{live.port}/api/v1"),
            *("--header", f"Authorization: Bearer {client.key}"),
            *("--checks", "all", "--exclude-checks", ",".join(LEFT_OUT)),
            *("--max-examples", "10", "--seed", "1", "--continue-on-failure", "--no-color", "--warnings", "off", "--request-timeout", "30"),
        ]
        run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=900)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"Tested: {operations}" in run.stdout
