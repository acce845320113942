"""The process that judges pages, when nobody waits for its answer any more."""

import os
import pickle
import struct
import subprocess
import sys


def test_an_answer_that_nobody_reads_ends_the_process_without_a_word() -> None:
    reading, writing = os.pipe()
    child = subprocess.Popen([sys.executable, "-m", "findable.worker.child"], stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    os.close(reading)
    message = pickle.dumps((os.path.basename, ("/a/b",), 5))
    _, said = child.communicate(struct.pack("!Q", len(message)) + message, timeout=30)
    assert (child.returncode, said) == (0, b"")
