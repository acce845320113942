"""Compiled templates that a service stores for its next start."""

from pathlib import Path

import pytest

from findable.web.pages.shared.page_templates import CompiledTemplates, environment, render
from findable.wording import ENGLISH, wording

ERROR = {"title": "Not found", "message": "", "status": 404, "request": "", "bar": None, "for_guest": True, "link": None}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(CompiledTemplates, "folder", tmp_path / "templates")
    environment.cache_clear()
    return tmp_path / "templates"


def test_a_second_start_reads_the_templates_that_the_first_compiled(folder: Path) -> None:
    first = render("error.html", ENGLISH, **ERROR)
    stored = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    environment.cache_clear()

    assert render("error.html", ENGLISH, **ERROR) == first
    assert stored == {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    assert folder.stat().st_mode & 0o077 == 0


def test_each_language_has_compiled_templates_of_its_own(folder: Path) -> None:
    found = [render("error.html", wording(code), **ERROR) for code in ("en", "de", "en")]
    assert found[0] == found[2] != found[1]
    assert {file.name.partition("_")[0] for file in folder.iterdir()} == {"en", "de"}


def test_a_folder_that_cannot_be_written_to_changes_nothing(folder: Path) -> None:
    expected = render("error.html", ENGLISH, **ERROR)
    environment.cache_clear()
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    folder.write_bytes(b"")

    assert render("error.html", ENGLISH, **ERROR) == expected


def test_a_damaged_compiled_template_is_compiled_again(folder: Path) -> None:
    expected = render("error.html", ENGLISH, **ERROR)
    for file in folder.iterdir():
        file.write_bytes(file.read_bytes()[:60])
    environment.cache_clear()

    assert render("error.html", ENGLISH, **ERROR) == expected
