"""Nothing that `--help` offers is refused: each choice of each option of each command is tried."""

import re
from pathlib import Path

import pytest

from tests.browser import needs_chromium
from tests.cli.conftest import Run
from tests.cli.test_audit import bakery
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["bakery", "make_site", "site"]

WRONG_USAGE, BUG = 2, 70
LOGGED = '192.0.2.1 - - [28/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 512 "-" "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0"\n' * 3
_COMMAND = re.compile(r"^│ ([a-z]+) {2,}", re.MULTILINE)
_CHOICES = re.compile(r"(--[\w-]+)(?: -\w)? CHOICE .*?\[choices: ([^\]]+)\]")


@pytest.mark.full
@needs_chromium
def test_each_choice_of_each_command_is_accepted(findable: Run, bakery: Site, tmp_path: Path) -> None:
    url = bakery.url("/")
    (tmp_path / "page.json").write_text(findable("gather", url).stdout)
    (tmp_path / "report.json").write_text(findable("audit", url, "--format", "json").stdout)
    (tmp_path / "access.log").write_text(LOGGED)
    findable("crawl", url, "--rate", "50", "--confirm-after", "0", "--store", "base.sqlite")
    arguments = {
        "audit": (url,),
        "check": ("page.json",),
        "checks": (),
        "crawl": (url, "--rate", "50", "--confirm-after", "0"),
        "diff": ("report.json", "report.json"),
        "gather": (url,),
        "logs": ("access.log",),
        "query": ("base.sqlite", "SELECT url FROM pages"),
        "queue": (),
        "robots": (url, "/"),
        "watch": (),
    }
    companions = {
        ("audit", "--fail-on", ""): ("--baseline", "report.json"),
        ("crawl", "--fail-on", ""): ("--baseline", "base.sqlite"),
        ("crawl", "--table", "changes"): ("--baseline", "base.sqlite"),
        ("audit", "--format", "pdf"): ("-o", "report.pdf"),
        ("check", "--format", "pdf"): ("-o", "report.pdf"),
    }
    findable("accounts", "create", "a@example.com")  # queue and watch read a database
    tried, refused = set(), []
    for command in _COMMAND.findall(findable("--help").stdout):
        shown = findable(command, "--help", COLUMNS="1000").stdout
        for option, choices in _CHOICES.findall(shown):
            tried.add(command)
            for number, choice in enumerate(choices.split(", ")):
                more = companions.get((command, option, choice), companions.get((command, option, ""), ()))
                own = ("--store", f"{option[2:]}{number}.sqlite") if command == "crawl" else ()
                done = findable(command, *arguments[command], option, choice, *more, *own)
                if done.returncode in (WRONG_USAGE, BUG):
                    refused.append((command, option, choice, done.stderr))

    assert tried == set(arguments)
    assert refused == []
