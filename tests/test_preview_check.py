"""Whoever adds a check writes its module and its tests, and `make fresh` does the rest: nothing else in the project fails."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ID = "content/title-quoted"
CHECK = '''"""The title stands in quotation marks.

In plain words: Google shows your page with quotation marks around its name, and they say nothing.

Why it matters: search results show the marks, and they say nothing.

How to fix: remove them.

    <title>Blue widgets</title>

Sources: HTML Standard, "The title element" (2026).

Not judged: quotation marks within a title.
"""

from findable.artifacts.page.head import Head
from findable.checks.engine import Finding, check, inapplicable, passed, warned
from findable.vocabulary import Effort, Importance, Stage


@check("Is the title free of quotation marks around it?", Importance.HIGH, Effort.HEAD, since="{ruleset}", status=Stage.PREVIEW)
def title_quoted(head: Head) -> Finding:
    if not head.title:
        return inapplicable("the page has no title whose marks could be judged")
    if head.title.startswith('"') and head.title.endswith('"'):
        return warned("the title stands in quotation marks", evidence=head.titles[0].element)
    return passed("no quotation marks stand around the title")
'''
BY_HAND = ("src/findable/checks/content/title_quoted.py", "tests/checks/content/title_quoted/")
GENERATED = ("docs/checks/", "docs/explanation/score.md", "src/findable/locale/", "tests/cli/snapshots/", "tests/determinism/digests.json")
ASKED_OF_ALL_CHECKS = (
    "tests/checks/test_every_check.py",
    "tests/checks/content/title_quoted",
    "tests/cli/test_commands.py",
    "tests/cli/test_snapshots.py",
    "tests/determinism",
    "tests/docs",
    "tests/export",
    "tests/languages/test_facts_have_words.py",
    "tests/languages/test_no_text_is_left_out.py",
    "tests/mutations",
    "tests/reports",
    "tests/test_catalogues.py",
    "tests/test_wording.py",
    "tests/web/test_pages.py",
    "research/tests/test_precision.py::test_every_stable_check_was_read_or_is_named_as_unread",
)


def run(copy: Path, *command: str | Path, **environment: str) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy / "src"), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    return done.stdout


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project as it lies here, under a git of its own."""
    ignored = shutil.ignore_patterns(".git", ".venv*", ".cache", ".tools", ".hypothesis", "__pycache__", "build", "dist")
    folder = shutil.copytree(ROOT, tmp_path / "copy", ignore=ignored)
    for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "all"]):
        run(folder, "git", *command)
    return folder


@pytest.mark.full
def test_a_preview_check_touches_its_own_folder_and_nothing_else_by_hand(copy: Path) -> None:
    run(copy, sys.executable, "tools/new_check.py", ID)
    module, tests = (copy / path for path in BY_HAND)
    laid_out = module.read_text(encoding="utf-8")
    module.write_text(CHECK.replace("{ruleset}", laid_out.partition('since="')[2].partition('"')[0]), encoding="utf-8")
    bad = (tests / "bad.html").read_text(encoding="utf-8")
    (tests / "bad.html").write_text(bad.replace("<title>A page that fails</title>", '<title>"A page that fails"</title>'), encoding="utf-8")
    table = (tests / "test_title_quoted.py").read_text(encoding="utf-8")
    outcomes = table.replace('page(head=""), "failed"', 'page(head=\'<title>"Widgets"</title>\'), "warned"')
    (tests / "test_title_quoted.py").write_text(outcomes, encoding="utf-8")

    untranslated = run(copy, sys.executable, "tools/catalogue.py")
    run(copy, sys.executable, "tools/generate_docs.py")
    run(copy, sys.executable, "-m", "pytest", "-q", "tests/cli/test_snapshots.py", UPDATE_SNAPSHOTS="1")
    run(copy, sys.executable, "-m", "pytest", "-q", "tests/determinism", UPDATE_DIGESTS="1")
    changed = [line[3:] for line in run(copy, "git", "status", "--porcelain", "--untracked-files=all").splitlines()]
    run(copy, sys.executable, "-m", "ruff", "check", module, tests)
    run(copy, sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", *ASKED_OF_ALL_CHECKS, TIER="")

    assert "the title stands in quotation marks" in untranslated  # listed, and English on the page
    assert [path for path in changed if not path.startswith((*BY_HAND, *GENERATED))] == []
