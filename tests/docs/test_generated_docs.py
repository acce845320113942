"""The generated pages say what the code says."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def generator() -> object:
    spec = importlib.util.spec_from_file_location("generate_docs", ROOT / "tools/generate_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_are_as_generated() -> None:
    told = subprocess.run(
        [sys.executable, "tools/generate_docs.py", "--check"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )

    assert told.returncode == 0, told.stderr


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        ("robots.txt and ``a`` decide", "robots.txt and `a` decide"),
        ("the ``<title>`` of <head> *matters*", "The `<title>` of \\<head> \\*matters\\*"),
        ("put one:\n\n    <title>x*y</title>", "Put one:\n\n    <title>x*y</title>"),
    ],
)
def test_docstrings_become_markdown(docstring: str, expected: str) -> None:
    assert generator().markdown(docstring) == expected  # type: ignore[attr-defined]  # a script, loaded by its path
