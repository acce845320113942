"""Upload of an access log: a process of its own reads it while it arrives, and its parts are stored. No line of it is stored."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable
from functools import partial

import msgspec
from msgspec import Struct, structs

from findable.errors import BadRequest, PayloadTooLarge, ValidationFailed
from findable.log_import import PROBLEMS
from findable.sandbox import child_environment
from findable.service.accounts.owned_projects import owned_project
from findable.service.accounts.permissions import require, writing
from findable.service.projects import log_imports
from findable.service.runtime.service import Service
from findable.service.values.caller import WRITE, Caller
from findable.service.values.log_values import FRAME, LogImport, LogImportAdded, LogImportCreate, UploadedPart, UploadOrder
from findable.settings import RANGES_NAME
from findable.wording import Message, later

MAX_UPLOAD_BYTES = 2_000_000_000
"""Size of an uploaded log, compressed or not."""
BLOCK_DEADLINE_S = 30.0
"""Time in which the next part of an upload must arrive."""
_MAX_FRAME_BYTES = 2 * log_imports.MAX_BYTES
_TOO_LARGE = Message(later("The log is larger than %(most)s GB."), most=MAX_UPLOAD_BYTES // 1_000_000_000)
_NO_LINES = later("The log contains no complete line that is new.")
_NOT_READ = later("The log could not be read: %(reason)s")
ENDED = "ended"
"""Problem of a log whose process ended before it was read."""

_REASONS = {**PROBLEMS, ENDED: "the process that read it ended"}


class ReadLog(Struct, frozen=True):
    """Log that was read."""

    made: LogImportAdded | None
    """Sum of its new parts; None without any."""
    known_id: int
    """Import that had read the log before; 0 for none."""
    problem: str
    """Reason why it was not read to its end: a key of `PROBLEMS` or a sentence; empty if it was."""


AddPart = Callable[[Service, LogImportCreate], LogImportAdded]


async def upload(
    service: Service, caller: Caller, project: str, log: AsyncIterator[bytes], source: str, *, replace: bool = False
) -> LogImportAdded:
    """Store the requests of bots of a log that arrives in pieces; return the sum of its parts. The same log again changes nothing.

    Raises NotFound, BadRequest, PayloadTooLarge, ValidationFailed, and Conflict as `log_imports.add`.
    """
    require(caller, WRITE)
    known = await service.run(_imports, caller, project)
    found = await read_apart(service, log, UploadOrder(source, known, replace), partial(_add, caller, project))
    if found.problem:
        raise ValidationFailed({"file": [Message(_NOT_READ, reason=_REASONS.get(found.problem, found.problem))]})
    same = (LogImportAdded(**structs.asdict(one), is_new=False, hits=0, other_sites=0) for one in known if one.id == found.known_id)
    made = found.made or next(same, None)
    if made is None:
        raise ValidationFailed({"file": [_NO_LINES]})
    return made


def _add(caller: Caller, project: str, service: Service, part: LogImportCreate) -> LogImportAdded:
    return log_imports.add(service, caller, project, part)


async def read_apart(service: Service, log: AsyncIterator[bytes] | int, order: UploadOrder, add: AddPart) -> ReadLog:
    """Read a log in a process of its own and store its parts.

    Args:
        service: the service.
        log: blocks of the log, or the descriptor of an open file.
        order: source of the log, and what is known of it.
        add: stores a part.

    Raises BadRequest, PayloadTooLarge, and what `add` raises.
    """
    file = service.settings.data_dir / RANGES_NAME
    ranges = await asyncio.to_thread(file.read_bytes) if file.exists() else b""
    descriptor = log if isinstance(log, int) else None
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "findable.worker.log_child",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=child_environment(),
        start_new_session=True,
        pass_fds=() if descriptor is None else (descriptor,),
    )
    sent = msgspec.json.encode(structs.replace(order, ranges=ranges, descriptor=descriptor))
    feeding = asyncio.create_task(_feed(process.stdin, sent + b"\n", None if isinstance(log, int) else log))
    try:
        return await _stored(service, process.stdout, feeding, add)
    finally:
        feeding.cancel()
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _imports(service: Service, caller: Caller, project: str) -> tuple[LogImport, ...]:
    """Return the imported logs for a caller who may write. Raises NotFound, Forbidden."""
    with writing(service, caller) as session:
        return log_imports.imports_of(session, owned_project(session, caller, project).id)


async def _feed(writer: asyncio.StreamWriter | None, order: bytes, log: AsyncIterator[bytes] | None) -> None:
    """Write the log to the process, as fast as it reads. Raises BadRequest, PayloadTooLarge."""
    if writer is None:
        return
    count = 0
    with contextlib.suppress(ConnectionError):  # the process refused the log and says why
        writer.write(order)
        while log is not None:
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


async def _stored(service: Service, reader: asyncio.StreamReader | None, feeding: "asyncio.Task[None]", add: AddPart) -> ReadLog:
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
            new = await service.run(add, part)
            made = structs.replace(new, hits=new.hits + made.hits, other_sites=new.other_sites + made.other_sites) if made else new
        if found.is_last:
            return ReadLog(made, found.known_id, found.problem)
    raise AssertionError


async def _read(reader: asyncio.StreamReader) -> UploadedPart:
    """Return the next part that the process has read."""
    try:
        (length,) = FRAME.unpack(await reader.readexactly(FRAME.size))
        if length <= _MAX_FRAME_BYTES:
            return msgspec.msgpack.decode(await reader.readexactly(length), type=UploadedPart)
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    return UploadedPart(problem=ENDED, is_last=True)
