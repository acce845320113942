"""The action for GitHub: what a runner would do, as far as that can be done here."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.test_audit import GOOD, TERSE, bakery
from tests.sites.plugin import make_site, site
from tests.sites.server import Page, Site, in_turn

__all__ = ["bakery", "make_site", "site"]

ACTION = Path(__file__).parents[2] / "action"


def test_inputs_reach_scripts_through_the_environment_and_actions_are_pinned() -> None:
    document: Any = yaml.safe_load((ACTION / "action.yml").read_text(encoding="utf-8"))
    given = set()
    for step in document["runs"]["steps"]:
        assert "${{" not in step.get("run", ""), "an expression in a script is code of whoever opens a pull request"
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step.get("uses", "a@" + "0" * 40))
        given |= {name for value in step.get("env", {}).values() for name in re.findall(r"inputs\.([\w-]+)", value)}
        given |= set(re.findall(r"inputs\.([\w-]+)", step.get("if", "")))
    run = (ACTION / "run.sh").read_text(encoding="utf-8")

    assert given == set(document["inputs"])
    assert set(re.findall(r"\bINPUT_\w+", run)) <= {f"INPUT_{name.upper().replace('-', '_')}" for name in document["inputs"]}
    assert {f"steps.run.outputs.{name}" for name in document["outputs"]} == set(
        re.findall(r"steps\.run\.outputs\.\w+", str(document["outputs"]))
    )
    for script in ACTION.glob("*.sh"):
        subprocess.run(["bash", "-n", script], check=True)
        assert script.read_text(encoding="utf-8").splitlines()[2] == "set -euo pipefail"


class Runner:
    """The folder and variables of a job."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "repository").mkdir()
        (folder / "bin").mkdir()
        command = folder / "bin/findable"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m findable "$@"\n')
        command.chmod(0o755)

    def run(self, script: str, **inputs: str) -> subprocess.CompletedProcess[str]:
        variables = {
            "RUNNER_TEMP": str(self.folder),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "FINDABLE": str(self.folder / "bin/findable"),
        }
        variables |= {"GITHUB_STEP_SUMMARY": str(self.folder / "summary"), "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        (self.folder / "output").unlink(missing_ok=True)
        command = ["bash", str(ACTION / script)]
        return subprocess.run(
            command,
            cwd=self.folder / "repository",
            env=os.environ | variables | inputs,
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )

    @property
    def outputs(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in (self.folder / "output").read_text().splitlines())


def test_the_action_passes_then_fails_on_what_is_new(bakery: Site, tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    urls = f"{bakery.url('/bread')}\n  {bakery.url('/')}\n"
    inputs = {"INPUT_URLS": urls, "INPUT_AS": "https://www.example.com", "INPUT_FAIL_ON": "new"}
    runner.run("run.sh", **inputs)
    first = runner.outputs
    bakery.page("/bread", GOOD.replace("<title>Sourdough bread, baked every morning – Mill Lane Bakery</title>", ""))
    done = runner.run("run.sh", **inputs)
    report = Path(runner.outputs["report"])

    assert (first["code"], first["result"]) == ("0", "good")
    assert int(first["score"]) >= 85
    assert runner.outputs["code"] == "1"
    assert int(runner.outputs["score"]) < int(first["score"])
    assert "::error title=Findable%3A title-present::" in done.stdout
    assert "new since the baseline: The page has no title" in done.stderr
    assert {path.name for path in report.iterdir()} == {"report.html", "report.json", "report.sarif", "report.xml", "comment.md"}
    assert (tmp_path / "summary").read_text().count("<!-- findable -->") == 2
    assert json.loads((report / "report.sarif").read_text())["version"] == "2.1.0"


def test_the_browser_input_is_the_option_of_the_command(bakery: Site, tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    done = runner.run("run.sh", INPUT_URLS=bakery.url("/"), INPUT_BROWSER="curtain")
    assert runner.outputs["code"] == "2"
    assert "curtain" in done.stderr


def test_the_action_waits_and_checks_on_pull_requests_what_changed(bakery: Site, tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    repository = tmp_path / "repository"
    for name in ("bread", "terse"):
        (repository / f"{name}.html").write_text("")
    for arguments in (("init", "-q"), ("add", "."), ("-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-qm", "x")):
        subprocess.run(["git", *arguments], cwd=repository, check=True)
    (repository / "bread.html").write_text("changed")
    inputs = {
        "INPUT_URLS": "\n".join(bakery.url(path) for path in ("/", "/bread", "/terse")),
        "INPUT_AS": "https://www.example.com",
        "INPUT_SOURCE": "/=index.html\n\n/bread=bread.html\n/terse=terse.html\n",
        "INPUT_CHANGED_FROM": "HEAD",
        "INPUT_WAIT": "20",
        "INPUT_HEADER_ENV": "X-Bypass=BYPASS",
        "BYPASS": "s3cret",
    }
    bakery.handler("/", in_turn(Page(b"starting", status=503), Page(GOOD.encode())))
    branch = runner.run("run.sh", **inputs)
    changed = runner.run("run.sh", GITHUB_BASE_REF="main", **inputs)

    assert "of 3 pages are checked" not in branch.stderr
    assert "of 3 pages are checked: changed since HEAD" in changed.stderr
    assert {request.headers.get("x-bypass") for request in bakery.asked("/bread")} == {"s3cret"}
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and b"s3cret" in path.read_bytes()]


def test_a_limit_of_a_crawl_decides_by_what_was_requested(bakery: Site, tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    runner.run("run.sh", INPUT_CRAWL=bakery.url("/"), INPUT_PAGES="1", INPUT_FAIL_UNDER="0", INPUT_AS="https://www.example.com")
    assert runner.outputs["code"] == "0"
    refused = runner.run("run.sh", INPUT_CRAWL=bakery.url("/"), INPUT_ACCEPT="accepted.toml")
    assert (runner.outputs["code"], "--accept" in refused.stderr) == ("2", True)


def test_inputs_are_no_code_and_no_options(bakery: Site, tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    done = runner.run(
        "run.sh", INPUT_URLS=f"$(touch${{IFS}}{tmp_path}/one) --output={tmp_path}/two", INPUT_SOURCE=f"`touch {tmp_path}/three`"
    )

    assert runner.outputs["code"] == "2"
    assert runner.outputs["result"] == "unrated"
    assert done.stderr.startswith("findable: ")
    assert not [path for path in tmp_path.rglob("*") if path.name in ("one", "two", "three")]


@pytest.mark.full
def test_the_action_compares_a_crawl_with_that_of_the_branch(site: Site, tmp_path: Path) -> None:
    site.page("/", GOOD.replace('<a href="/bread">', '<a href="/terse">').replace("https://www.example.com/bread", "/"))
    site.page("/terse", TERSE)
    (tmp_path / "repository").mkdir(exist_ok=True)
    (tmp_path / "repository").rmdir()
    runner = Runner(tmp_path)
    (tmp_path / "repository/.findable.toml").write_text("[crawl]\nrate = 20\n[thresholds]\nscore = 0\n")
    inputs = {"INPUT_CRAWL": site.url("/"), "INPUT_FAIL_ON": "new"}
    runner.run("run.sh", **inputs)
    first = runner.outputs
    site.page("/terse", "gone", status=404)
    done = runner.run("run.sh", **inputs)

    assert first["code"] == "0", first
    assert first["score"]
    assert runner.outputs["code"] == "1", done.stderr
    assert "1 page is gone since the baseline" in done.stderr


def test_the_comment_of_an_earlier_run_is_replaced(tmp_path: Path) -> None:
    """Against a program that stands for `gh`, which cannot be run here."""
    runner = Runner(tmp_path)
    (tmp_path / "comment.md").write_text("<!-- findable -->\nx")
    inputs = {"REPORT": str(tmp_path), "GITHUB_REPOSITORY": "a/b", "PULL_REQUEST": "7"}
    calls = []
    for earlier in ("", "41\n42"):
        program = tmp_path / "bin/gh"
        program.write_text(
            f'#!/bin/sh\necho "$*" >>"{tmp_path}/calls"\ncase "$*" in *--jq*) printf "{earlier}\\n";; esac\n'.replace("\n42", "\\n42")
        )
        program.chmod(0o755)
        runner.run("comment.sh", **inputs)
        calls.append((tmp_path / "calls").read_text().splitlines()[-1])

    program.write_text('#!/bin/sh\ncase "$*" in *--jq*) ;; *) echo "gh: Resource not accessible (HTTP 403)" >&2; exit 1;; esac\n')
    assert "::warning title=Findable::The comment could not be written." in runner.run("comment.sh", **inputs).stdout
    assert "--method POST repos/a/b/issues/7/comments" in calls[0]
    assert "--method PATCH repos/a/b/issues/comments/41 " in calls[1]
