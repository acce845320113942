"""What the documentation points to is there: files, anchors, commands, settings."""

import os
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from findable.checks.engine import all_checks
from findable.cli.commands import app
from findable.errors import PageErrorCode
from findable.settings import PREFIX
from tools.generate_docs import documented_settings

ROOT = Path(__file__).resolve().parents[2]
AT_THE_ROOT = ("README.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md", "research/README.md")
PAGES = [*(ROOT / page for page in AT_THE_ROOT), *sorted((ROOT / "docs").rglob("*.md"))]
BY_HAND = [page for page in PAGES if page.parent.name != "checks"]


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@cache
def anchors(page: Path) -> set[str]:
    """As GitHub makes them of headings."""
    titles = re.findall(r"^#+ +(.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken_links(page: Path) -> Iterator[str]:
    text = re.sub(r"^(```.*?^```|    .*?)$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    targets = re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"", text)
    for target in (first or second for first, second in targets):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        leads_to = (page.parent / path).resolve() if path else page
        if not leads_to.exists() or (anchor and anchor not in anchors(leads_to)):
            yield f"{name(page)}: {target}"


def test_links_lead_somewhere() -> None:
    assert [link for page in PAGES for link in broken_links(page)] == []


def command_lines() -> list[tuple[str, str]]:
    """Every line of a code block that calls `findable`."""
    found = []
    for page in BY_HAND:
        for line in page.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
            display_name = re.match(r"(?:    |\s*- (?:run: )?|\s*)(?:FINDABLE_\S+ )?(?:\.venv/bin/)?findable (.+)", line)
            if display_name and (line.startswith("    ") or "- findable" in line):
                found.append((name(page), display_name[1]))
    return found


@pytest.mark.parametrize(("page", "line"), command_lines(), ids=lambda value: value)
def test_commands_are_understood(page: str, line: str) -> None:
    words = shlex.split(re.sub(r"\s+[>&|].*$", "", line), comments=True)
    if "…" in words:
        return

    app.parse_args(words, exit_on_error=False, print_error=False)


def test_settings_exist() -> None:
    known = {PREFIX + setting.upper() for setting in documented_settings()} | {
        f"{PREFIX}{of_command}" for of_command in ("CONFIG", "URL", "KEY")
    }
    named = {(name(page), one) for page in BY_HAND for one in re.findall(r"\bFINDABLE_[A-Z_]+[A-Z]\b", page.read_text(encoding="utf-8"))}

    assert [(page, one) for page, one in sorted(named) if one not in known and one.removesuffix("_FILE") not in known] == []


def test_every_reason_for_a_page_not_seen_is_explained() -> None:
    text = (ROOT / "docs/explanation/what-is-a-page-not-seen.md").read_text(encoding="utf-8")

    assert [code for code in PageErrorCode if f"`{code}`" not in text] == []


def test_checks_named_in_the_words_by_hand_exist() -> None:
    text = (ROOT / "docs/explanation/what-is-a-page-not-seen.md").read_text(encoding="utf-8")

    assert {"tls-certificate", "robots-txt-allows"} <= set(re.findall(r"`([a-z0-9-]+)`", text)) & set(all_checks())


def test_pages_by_hand_are_in_the_index() -> None:
    index = (ROOT / "docs/README.md").read_text(encoding="utf-8")

    for folder in ("tutorial", "how-to", "reference", "explanation"):
        for page in (ROOT / "docs" / folder).glob("*.md"):
            assert os.path.relpath(page, ROOT / "docs") in index
