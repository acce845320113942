"""The template for GitLab: what a runner would do, as far as that can be done here."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from tests.cli.test_audit import bakery
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["bakery", "make_site", "site"]

TEMPLATE = Path(__file__).parents[2] / "packaging/gitlab/findable.yml"


def test_inputs_are_declared_and_reach_the_script_as_variables() -> None:
    head, body = (part for part in yaml.safe_load_all(TEMPLATE.read_text(encoding="utf-8")))
    job: Any = body["findable"]
    used = re.findall(r"\$\[\[ inputs\.([\w-]+) \]\]", json.dumps(body))

    assert head["spec"]["inputs"]["revision"]["default"] == "main"  # there are no tags
    assert set(used) == set(head["spec"]["inputs"])
    assert "$[[" not in json.dumps([job["before_script"], job["script"]]), "an input in a script is code of whoever sets it"
    assert set(job["artifacts"]["reports"].values()) == set(job["artifacts"]["paths"])
    assert any("--require-hashes" in line for line in job["before_script"])


class Job:
    """The folder of a job, and its script in which inputs are variables."""

    def __init__(self, folder: Path) -> None:
        body = next(part for part in yaml.safe_load_all(TEMPLATE.read_text(encoding="utf-8")) if "findable" in part)["findable"]
        self.script = "\n".join(body["script"])
        self.inputs = dict.fromkeys((name for name in body["variables"] if name.startswith("INPUT_")), "")
        self.folder = folder / "repository"
        self.folder.mkdir()
        command = folder / "findable-venv/bin/findable"
        command.parent.mkdir(parents=True)
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m findable "$@"\n')
        command.chmod(0o755)

    def run(self, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", self.script],
            cwd=self.folder,
            env=os.environ | self.inputs | variables,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )


def test_the_script_reports_pages_and_fails_below_the_limit(bakery: Site, tmp_path: Path) -> None:
    job = Job(tmp_path)
    codes = {}
    for least, urls in (("0", f"{bakery.url('/bread')} {bakery.url('/')}"), ("100", bakery.url("/")), ("1", "$(touch ../one) --all")):
        done = job.run(INPUT_URLS=urls, INPUT_AS="https://www.example.com", INPUT_FAIL_UNDER=least)
        codes[least] = done.returncode

    assert codes == {"0": 0, "100": 1, "1": 2}, done.stderr
    assert {path.name for path in job.folder.iterdir()} == {"findable.xml", "findable.json"}
    assert not (tmp_path / "one").exists()
    assert isinstance(json.loads((job.folder / "findable.json").read_text()), list)


def test_every_input_reaches_the_command_that_knows_it(bakery: Site, tmp_path: Path) -> None:
    job = Job(tmp_path)
    site = {"INPUT_AS": "https://www.example.com", "INPUT_WAIT": "5", "INPUT_HEADER_ENV": "X-Bypass=BYPASS", "BYPASS": "s3cret"}
    limited = job.run(INPUT_CRAWL=bakery.url("/"), INPUT_PAGES="1", INPUT_FAIL_UNDER="0", **site)
    refused = job.run(INPUT_CRAWL=bakery.url("/"), INPUT_CHANGED_FROM="HEAD", **site)
    compared = job.run(INPUT_URLS=bakery.url("/"), INPUT_BASELINE="gone.json", INPUT_FAIL_ON="new", **site)
    revision = job.run(INPUT_SITEMAP=bakery.url("/sitemap.xml"), INPUT_CHANGED_FROM="HEAD", **site)

    assert limited.returncode == 0, limited.stderr
    assert {request.headers.get("x-bypass") for request in bakery.asked("/")} == {"s3cret"}
    assert (refused.returncode, "--changed-from" in refused.stderr) == (2, True), refused.stderr
    assert (compared.returncode, "gone.json" in compared.stderr) == (2, True), compared.stderr
    assert (revision.returncode, "--changed-from" in revision.stderr) == (2, True), revision.stderr
