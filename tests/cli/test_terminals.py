"""What stands between the command and its reader: encodings, pipes, full disks, closed streams."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_audit import GOOD, TERSE
from tests.sites.server import Site
from tests.tiers import sampled


@pytest.mark.parametrize("encoding", sampled(["ascii", "cp1252", "cp437"]))
def test_a_terminal_without_our_signs_gets_others(site: Site, encoding: str) -> None:
    url = site.page("/bread", GOOD.replace("Sourdough bread, baked", "Brot 🍞 日本語, baked"))
    done = subprocess.run(
        [sys.executable, "-m", "findable", "audit", url, "--all"],
        capture_output=True,
        encoding=encoding,
        env=os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        check=True,
    )

    assert done.stderr == ""
    assert "[title-present]" in done.stdout
    assert "  x " in done.stdout  # failed
    assert "  + " in done.stdout  # passed


@pytest.mark.parametrize("arguments", [("checks", "title-length", "--format", "json"), ("checks", "--format", "json")])
def test_json_is_utf_8_whatever_the_terminal_is(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "findable", *arguments], capture_output=True, check=True, env=os.environ | {"PYTHONIOENCODING": "cp1252"}
    )

    assert "“" in done.stdout.decode("utf-8") or json.loads(done.stdout)


@pytest.mark.full
def test_who_reads_one_line_only_gets_the_exit_code_all_the_same(site: Site) -> None:
    url = site.page("/terse", TERSE, headers=[("X-Robots-Tag", "noindex")])
    process = subprocess.Popen(
        [sys.executable, "-m", "findable", "audit", url, "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    _, said = process.communicate(timeout=90)

    assert (process.returncode, said) == (1, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_told_in_one_sentence(tmp_path: Path) -> None:
    for arguments in (("checks",), ("checks", "--format", "json")):
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [sys.executable, "-m", "findable", *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=tmp_path
            )

        assert done.returncode == 70
        assert done.stderr == "findable: [Errno 28] No space left on device\n"


def test_a_fault_of_ours_has_an_exit_code_of_its_own() -> None:
    code = "import sys, findable.cli.main as m; sys.argv[1:] = ['checks']; sys.modules['findable.cli.checks'] = object(); m.main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 70
    assert done.stderr.startswith("Traceback")
    assert done.stderr.splitlines()[-1].startswith("findable: this is a bug in Findable")


@pytest.mark.full
def test_evidence_is_whole_where_there_is_no_width(site: Site, tmp_path: Path) -> None:
    long = f"/{'long' * 30}"
    site.page("/bread", GOOD.replace("</main>", f'<a href="{long}">old</a></main>'))
    kept = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    command = [sys.executable, "-m", "findable", "audit", site.url("/bread"), "--all"]
    whole, cut = (
        subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path, env=env).stdout
        for env in (kept, kept | {"COLUMNS": "80"})
    )

    assert long in whole
    assert long not in cut
    assert max(map(len, cut.splitlines())) <= 80
