"""Main function of a process that reads one uploaded log: the log on standard input, its parts on standard output.

The first line of the input is an `UploadOrder` in JSON, which may name the descriptor of an open file instead.
The output is frames of 8 bytes with their length and MessagePack: `UploadedPart`s.
Nothing is written to a disk.
"""

import os
import resource
import sys
from typing import BinaryIO

import msgspec

from findable.artifacts.tables.bot_ranges import packaged_ranges, ranges_from
from findable.errors import SettingError
from findable.formats.access_logs.detection import UnknownLogFormat
from findable.formats.access_logs.log_blocks import LogBlocks
from findable.log_import import LogOptions, read_log
from findable.service.projects.log_parts import PartedLog
from findable.service.values.log_values import FRAME, LogImportCreate, UploadedPart, UploadOrder
from findable.worker.pool_child import die_with_parent

MAX_MEMORY_BYTES = 2 << 30


def main() -> None:
    """Read the log to its end."""
    die_with_parent()
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    log, output = sys.stdin.buffer, sys.stdout.buffer
    order = msgspec.json.decode(log.readline(), type=UploadOrder)
    if order.descriptor is not None:
        with os.fdopen(order.descriptor, "rb") as file:
            _send(output, _read(file, output, order))
    else:
        _send(output, _read(log, output, order))


def _read(log: BinaryIO, output: BinaryIO, order: UploadOrder) -> UploadedPart:
    """Read a log, send its parts, and return the last one, without requests."""

    def send(part: LogImportCreate) -> None:
        _send(output, UploadedPart(part))

    parts = PartedLog(send, order.source, order.known, replaces=order.replace)
    seek = None if order.descriptor is None else log.seek
    parts.blocks = LogBlocks(log.read, find_earlier=parts.find_earlier, seek=seek)
    try:
        ranges = ranges_from(order.ranges) if order.ranges else packaged_ranges()
        problem = read_log(parts.blocks, LogOptions(), ranges, parts.put).problem
    except (SettingError, UnknownLogFormat) as error:
        problem = str(error)
    return UploadedPart(problem=problem, known_id=parts.import_id, is_last=True)


def _send(output: BinaryIO, part: UploadedPart) -> None:
    message = msgspec.msgpack.encode(part)
    output.write(FRAME.pack(len(message)) + message)
    output.flush()


if __name__ == "__main__":
    main()
