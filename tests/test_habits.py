"""What contributors are told and given: hooks, workflows, forms, releases."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools.commit_subject import fault

ROOT = Path(__file__).resolve().parent.parent
TOLD = (
    "CONTRIBUTING.md",
    "RELEASING.md",
    "README.md",
    "research/README.md",
    ".github/pull_request_template.md",
    ".github/workflows/ci.yml",
)


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "subject",
    ["checks: require both image dimensions", "web/pages: feed the list", "deps: Remove X", "Merge branch 'a'", "fixup! checks: x y"],
)
def test_a_subject_with_area_and_imperative_is_accepted(subject: str) -> None:
    assert fault(f"\n# a comment\n{subject}\n\nBody.\n") == ""


@pytest.mark.parametrize(
    "subject",
    ["", "Fix things", "checks: require it.", f"checks: {'a' * 70}", "checks:nothing", "checks: fixed a bug", "checks: adding one"],
)
def test_another_subject_is_refused_with_the_reason(subject: str) -> None:
    assert fault(subject).startswith("the subject")


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {
        (name, target)
        for name in TOLD
        for target in re.findall(r"(?:`|run: |    )make ([a-z-]+)", (ROOT / name).read_text(encoding="utf-8"))
    }

    assert {(name, target) for name, target in named if target not in targets} == set()
    assert {"test", "release"} <= {target for _, target in named}


def test_hooks_run_what_is_installed() -> None:
    (repository,) = read(".pre-commit-config.yaml")["repos"]

    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        command, *arguments = hook["entry"].split()
        assert (Path(sys.prefix) / "bin" / Path(command).name).exists()
        assert all((ROOT / argument).exists() for argument in arguments if argument.startswith("tools/"))


def test_the_workflow_runs_each_python_with_each_database() -> None:
    matrix = read(".github/workflows/ci.yml")["jobs"]["test"]["strategy"]["matrix"]

    assert matrix == {"python": ["3.11", "3.12", "3.13", "3.14"], "database": ["sqlite", "postgresql"]}


def test_the_form_for_wrong_findings_asks_for_the_saved_page() -> None:
    fields = {item["id"]: item for item in read(".github/ISSUE_TEMPLATE/wrong_finding.yml")["body"] if "id" in item}

    assert {"check", "page", "version"} <= {name for name, item in fields.items() if item.get("validations", {}).get("required")}
    assert "`findable gather URL > page.json`" in fields["page"]["attributes"]["description"]


@pytest.mark.full
def test_a_release_can_be_made_of_what_lies_here(tmp_path: Path) -> None:
    command = [sys.executable, "tools/release.py", "--draft", "--dist", str(tmp_path / "dist")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)

    assert done.returncode == 0, done.stderr
    assert "is ready" in done.stdout
    names = {path.name.partition("-")[2] or path.name for path in (tmp_path / "dist").iterdir()}
    assert len(names) == 6, names
