"""The OpenAPI document against the real service over real HTTP: generated requests, every answer checked against what is declared."""

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.web.live import run_live

METHODS = {"get", "post", "put", "patch", "delete"}
LEFT_OUT = {
    "positive_data_acceptance": "a schema cannot say that a cursor must be ours, an address public, a NUL absent, a run older",
    "ensure_resource_availability": "deleting a project takes reports away that the check thinks are there",
    "object_level_authorization": "needs two identities; the tests of each endpoint have them",
}


@pytest.mark.full
def test_every_answer_is_as_declared(tmp_path: Path) -> None:
    with contextmanager(run_live)(tmp_path / "data", rate_limit=0) as live:
        client = live.client()
        paths = client.get("/openapi.json").json["paths"]
        operations = sum(method in METHODS for path in paths.values() for method in path)
        client.report()
        client.report("https://bad.example/", privacy=2, password="pw")
        command = [
            *(sys.executable, "-m", "schemathesis.cli", "run", f"http://127.0.0.1:{live.port}/api/v1/openapi.json"),
            *("--header", f"Authorization: Bearer {client.key}"),
            *("--checks", "all", "--exclude-checks", ",".join(LEFT_OUT)),
            *("--max-examples", "10", "--seed", "1", "--continue-on-failure", "--no-color", "--warnings", "off", "--request-timeout", "30"),
        ]
        run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=900)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"Tested: {operations}" in run.stdout
