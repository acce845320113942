"""Upload of an access log: a process of its own reads it while it arrives, and its parts are stored. No line of it is stored."""

import asyncio
import contextlib
import struct
import sys
from collections.abc import AsyncIterator

import msgspec
from msgspec import Struct, structs

from findable.errors import BadRequest, PayloadTooLarge, ValidationFailed
from findable.sandbox import child_environment
from findable.service.accounts.callers import require, writing
from findable.service.projects import log_imports
from findable.service.projects.log_imports import LogImport, LogImportAdded, LogImportCreate
from findable.service.projects.log_parts import KnownLog
from findable.service.reports.report_lists import owned_project
from findable.service.runtime.service import Service
from findable.service.values.caller import WRITE, Caller
from findable.settings import RANGES_NAME
from findable.wording import Message, later

MAX_UPLOAD_BYTES = 2_000_000_000
"""Size of an uploaded log, compressed or not."""
BLOCK_DEADLINE_S = 30.0
"""Time in which the next part of an upload must arrive."""
FRAME = struct.Struct("!Q")
_MAX_FRAME_BYTES = 2 * log_imports.MAX_BYTES
_TOO_LARGE = Message(later("The log is larger than %(most)s GB."), most=MAX_UPLOAD_BYTES // 1_000_000_000)
_NO_LINES = later("The log contains no complete line that is new.")
_NOT_READ = later("The log could not be read: %(reason)s")


class UploadOrder(Struct, frozen=True):
    """Order for the process that reads a log."""

    source: str
    known: list[KnownLog]
    replace: bool
    ranges: bytes
    """Published lists of IP addresses; empty for those of the package."""


class UploadedPart(Struct, frozen=True):
    """Part that the process has read."""

    part: LogImportCreate | None = None
    problem: str = ""
    """Reason why the log could not be read to its end; with the last part only."""
    known_id: int = 0
    """Import that had read the log before; with the last part only."""
    is_last: bool = False


async def upload(
    service: Service, caller: Caller, project: str, log: AsyncIterator[bytes], source: str, *, replace: bool = False
) -> LogImportAdded:
    """Store the requests of bots of a log that arrives in pieces; return the sum of its parts. The same log again changes nothing.

    Raises NotFound, BadRequest, PayloadTooLarge, ValidationFailed, and Conflict as `log_imports.add`.
    """
    require(caller, WRITE)
    imports = await service.run(_imports, caller, project)
    known = msgspec.convert(imports, list[KnownLog], from_attributes=True)
    file = service.settings.data_dir / RANGES_NAME
    ranges = await asyncio.to_thread(file.read_bytes) if file.exists() else b""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "findable.worker.log_child",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=child_environment(),
        start_new_session=True,
    )
    order = msgspec.json.encode(UploadOrder(source, known, replace, ranges))
    feeding = asyncio.create_task(_feed(process.stdin, order + b"\n", log))
    try:
        return await _stored(service, caller, project, process.stdout, feeding)
    finally:
        feeding.cancel()
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _imports(service: Service, caller: Caller, project: str) -> tuple[LogImport, ...]:
    """Return the imported logs for a caller who may write. Raises NotFound, Forbidden."""
    with writing(service, caller) as session:
        return log_imports.imports_of(session, owned_project(session, caller, project).id)


async def _feed(writer: asyncio.StreamWriter | None, order: bytes, log: AsyncIterator[bytes]) -> None:
    """Write the log to the process, as fast as it reads. Raises BadRequest, PayloadTooLarge."""
    if writer is None:
        return
    count = 0
    with contextlib.suppress(ConnectionError):  # the process refused the log and says why
        writer.write(order)
        while True:
            try:
                async with asyncio.timeout(BLOCK_DEADLINE_S):
                    block = await anext(log, None)
            except TimeoutError as error:
                raise BadRequest(f"The body stopped for more than {BLOCK_DEADLINE_S:.0f} seconds.") from error
            if block is None:
                break
            count += len(block)
            if count > MAX_UPLOAD_BYTES:
                raise PayloadTooLarge(_TOO_LARGE)
            writer.write(block)
            await writer.drain()
        writer.close()


async def _stored(
    service: Service, caller: Caller, project: str, reader: asyncio.StreamReader | None, feeding: "asyncio.Task[None]"
) -> LogImportAdded:
    """Store the parts that the process reads; return their sum."""
    made: LogImportAdded | None = None
    while reader is not None:
        read = asyncio.create_task(_read(reader))
        await asyncio.wait((read, feeding), return_when=asyncio.FIRST_COMPLETED)
        if feeding.done() and feeding.exception() is not None:
            read.cancel()
            await feeding
        found = await read
        if found.part is not None:
            part = structs.replace(found.part, continues=made.id if made else found.part.continues)
            new = await service.run(log_imports.add, caller, project, part)
            made = structs.replace(new, hits=new.hits + made.hits, other_sites=new.other_sites + made.other_sites) if made else new
        if found.is_last:
            if found.problem:
                raise ValidationFailed({"file": [Message(_NOT_READ, reason=found.problem)]})
            return made if made is not None else await service.run(_known, caller, project, found.known_id)
    raise AssertionError


def _known(service: Service, caller: Caller, project: str, known_id: int) -> LogImportAdded:
    """Return a log that was imported before. Raises ValidationFailed if nothing was read."""
    for log in _imports(service, caller, project):
        if log.id == known_id:
            return LogImportAdded(**structs.asdict(log), is_new=False, hits=0, other_sites=0)
    raise ValidationFailed({"file": [_NO_LINES]})


async def _read(reader: asyncio.StreamReader) -> UploadedPart:
    """Return the next part that the process has read."""
    try:
        (length,) = FRAME.unpack(await reader.readexactly(FRAME.size))
        if length <= _MAX_FRAME_BYTES:
            return msgspec.msgpack.decode(await reader.readexactly(length), type=UploadedPart)
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    return UploadedPart(problem="the process that read it ended", is_last=True)
