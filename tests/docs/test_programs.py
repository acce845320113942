"""The programs of docs/how-to/use-the-api.md run as written."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.external import needs, program
from tests.web.live import Live, run_live

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "use-the-api.md"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"))


def code(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)\n```", PAGE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def run(live: Live, *command: str) -> str:
    environment = {**os.environ, "API": f"http://127.0.0.1:{live.port}/api/v1", "KEY": live.client().key}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment, timeout=60).stdout


@needs("curl")
def test_the_shell_prints_the_report(live: Live) -> None:
    printed = run(live, "bash", "-euc", code("sh"))
    assert '"url":"https://example.com/"' in printed
    assert '"fixes":[' in printed


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_programs_print_score_and_first_fixes(live: Live, language: str) -> None:
    words = (sys.executable, "-c") if language == "python" else (str(program("node")), "-e")
    first, *fixes = run(live, *words, code(language)).splitlines()
    assert re.fullmatch(r"\d+ (good|decent|bad) http://\S+/r/\S+", first)
    assert 1 <= len(fixes) <= 3
    assert all(re.fullmatch(r"- [a-z0-9-]+ – .+", line) for line in fixes)
