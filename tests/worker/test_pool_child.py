"""The process that judges pages, when nobody waits for its answer any more."""

import gc
import os
import pickle
import socket
import struct
import subprocess
import sys
from collections.abc import Callable
from typing import Any


def test_an_answer_that_nobody_reads_ends_the_process_without_a_word() -> None:
    reading, writing = os.pipe()
    child = subprocess.Popen(
        [sys.executable, "-m", "findable.worker.pool_child"], stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.PIPE
    )
    os.close(writing)
    os.close(reading)
    message = pickle.dumps((os.path.basename, ("/a/b",), 5))
    _, said = child.communicate(struct.pack("!Q", len(message)) + message, timeout=90)
    assert (child.returncode, said) == (0, b"")


def test_a_parent_that_is_killed_ends_the_process_without_a_word() -> None:
    ours, others = socket.socketpair()
    with others:
        command = [sys.executable, "-m", "findable.worker.pool_child"]
        child = subprocess.Popen(command, stdin=others.fileno(), stdout=others.fileno(), stderr=subprocess.PIPE)
    message = pickle.dumps((os.path.basename, ("/a/b",), 5))
    ours.sendall(struct.pack("!Q", len(message)) + message)
    ours.recv(1, socket.MSG_PEEK)
    ours.close()  # with an unread response, which resets the connection
    _, said = child.communicate(timeout=90)
    assert (child.returncode, said) == (0, b"")


def test_the_garbage_collector_waits_while_an_answer_is_made() -> None:
    assert answer_of(gc.isenabled) is False
    assert answer_of(gc.get_freeze_count) > 1000


def answer_of(function: Callable[[], Any]) -> Any:
    """What a process of the pool answers when it is asked to call this."""
    message = pickle.dumps((function, (), 5))
    asked = [sys.executable, "-m", "findable.worker.pool_child"]
    answered = subprocess.run(asked, input=struct.pack("!Q", len(message)) + message, stdout=subprocess.PIPE, check=True, timeout=90)
    raised, result = pickle.loads(answered.stdout[8:])
    assert not raised
    return result
