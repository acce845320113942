"""Functions that tests run in processes of their own."""

import ctypes
import os
import subprocess
import threading
from pathlib import Path


def reversed_bytes(request: bytes) -> bytes:
    return request[::-1]


def refuse(request: bytes) -> bytes:
    raise ValueError("no such picture")


def fail(request: bytes) -> bytes:
    raise KeyError("x")


def hang(request: bytes) -> bytes:
    with subprocess.Popen(["sleep", "600"]):
        threading.Event().wait()
    return b""


def eat(request: bytes) -> bytes:
    return bytes(2 * 1024**3)


def say_much(request: bytes) -> bytes:
    return bytes(1001)


def write_much(request: bytes) -> bytes:
    Path("more").write_bytes(bytes(1_000_000))
    return b""


def crash(request: bytes) -> bytes:
    ctypes.string_at(0)
    return b""


def environment(request: bytes) -> bytes:
    return "\n".join(os.environ).encode()
