"""Processes with bounds: what goes in comes out, and nothing that happens inside reaches us."""

import os
import time
from pathlib import Path

import pytest

from findable import sandbox
from findable.sandbox import Crashed, Limits, Rejected

LIMITS = Limits(time_s=20.0, memory_bytes=512 * 1024**2, output_bytes=1000)
HERE = "tests.bounded_functions"


def run(name: str, request: bytes = b"", limits: Limits = LIMITS) -> bytes:
    return sandbox.run(f"{HERE}:{name}", request, limits)


def test_bytes_in_bytes_out() -> None:
    assert run("reversed_bytes", b"abc\0") == b"\0cba"


def test_a_value_error_is_a_refusal_with_its_sentence() -> None:
    with pytest.raises(Rejected, match=r"^no such picture$"):
        run("refuse")


def test_other_errors_are_told_for_the_log() -> None:
    with pytest.raises(Crashed, match="KeyError"):
        run("fail")


def test_s29_a_process_that_never_ends_is_killed_with_its_children() -> None:
    began_s = time.monotonic()
    with pytest.raises(Crashed, match="within 4 s"):
        run("hang", limits=Limits(time_s=1.0, memory_bytes=512 * 1024**2, output_bytes=1000))

    assert time.monotonic() - began_s < 60


def test_s29_memory_ends_at_the_bound() -> None:
    with pytest.raises(Crashed, match="MemoryError"):
        run("eat")


@pytest.mark.parametrize("name", ["say_much", "write_much"])
def test_answers_end_at_the_bound(name: str) -> None:
    with pytest.raises(Crashed):
        run(name)


def test_a_process_that_is_killed_is_told_by_its_signal() -> None:
    with pytest.raises(Crashed, match="ended with -11"):
        run("crash")


def test_settings_and_secrets_stay_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINDABLE_SECRET_KEY", "hidden")

    assert b"FINDABLE" not in run("environment")
    assert os.environ["FINDABLE_SECRET_KEY"] == "hidden"


def test_a_full_disk_is_no_surprise(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))

    with pytest.raises(Crashed, match="could not be started"):
        run("reversed_bytes", b"abc")
