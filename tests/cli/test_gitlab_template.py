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

    assert re.fullmatch(r"\d+\.\d+\.\d+", head["spec"]["inputs"]["revision"]["default"])
    assert set(used) == set(head["spec"]["inputs"])
    assert "$[[" not in json.dumps([job["before_script"], job["script"]]), "an input in a script is code of whoever sets it"
    assert set(job["artifacts"]["reports"].values()) == set(job["artifacts"]["paths"])
    assert any("--require-hashes" in line for line in job["before_script"])


def test_the_script_reports_pages_and_fails_below_the_limit(bakery: Site, tmp_path: Path) -> None:
    script = next(part for part in yaml.safe_load_all(TEMPLATE.read_text(encoding="utf-8")) if "findable" in part)["findable"]["script"]
    repository = tmp_path / "repository"
    repository.mkdir()
    command = tmp_path / "findable-venv/bin/findable"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m findable "$@"\n')
    command.chmod(0o755)
    codes = {}
    for least, urls in (("0", f"{bakery.url('/bread')} {bakery.url('/')}"), ("100", bakery.url("/")), ("1", "$(touch ../one) --all")):
        variables = {"INPUT_URLS": urls, "INPUT_AS": "https://www.example.com", "INPUT_FAIL_UNDER": least}
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", "\n".join(script)],
            cwd=repository,
            env=os.environ | variables,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        codes[least] = done.returncode

    assert codes == {"0": 0, "100": 1, "1": 2}, done.stderr
    assert {path.name for path in repository.iterdir()} == {"findable.pages", "findable.xml", "findable.json"}
    assert not (tmp_path / "one").exists()
    assert isinstance(json.loads((repository / "findable.json").read_text()), list)
