"""Live progress of a report: server-sent events for people who may see its page.

Access and progress are checked every second, so that changes by other processes are noticed. A stream ends when the generation, the access
or the service ends, and after some minutes; the browser reconnects with ``Last-Event-ID`` and receives missed events.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress

from starlette.responses import Response, StreamingResponse

from findable.clock import monotonic_s
from findable.errors import NotFound, Unavailable
from findable.service.results.guest_access import Decision
from findable.service.runtime.service import POLL_S, Service
from findable.service.values.report_values import ReportView
from findable.web.pages.report.report_context import stage_words
from findable.web.pages.report.report_visit import find_visit, progress_for
from findable.web.routing import Request, get
from findable.wording import Translator

LONGEST_S = 300.0
HEARTBEAT_S = 15.0
RECONNECT_MS = 2000
NO_PLACE_RETRY_S = 10
MAX_ID_CHARS = 100
EVENTS = "text/event-stream"
HEADERS = {"Cache-Control": "private, no-store", "X-Accel-Buffering": "no", "X-Robots-Tag": "noindex"}


@get("/r/{public_id}/events")
async def get_events(request: Request, public_id: str) -> Response:
    """Return a stream of events ``progress`` with the stage in words, ``done`` and ``of``, and of a last event ``done``.

    It ends when the page has something new to show: the result without the browser, or the whole one.

    Raises NotFound; Unavailable without a free slot.
    """
    service = request.service
    visit = await service.run(lambda service: find_visit(request, service, public_id))
    if isinstance(visit, Decision):
        raise NotFound
    if request.context.is_head:  # a HEAD response has no stream
        return Response(b"", media_type=EVENTS, headers=HEADERS)
    network = request.context.network
    if not service.streams.is_free(network):
        raise Unavailable("Too many live views are open. The page reloads itself.", retry_after_s=NO_PLACE_RETRY_S)
    told = _progress_events(service, public_id, request.headers, visit.report, visit.say, network)
    return StreamingResponse(told, media_type=EVENTS, headers=HEADERS)


async def _progress_events(
    service: Service, public_id: str, headers: Mapping[str, str], first: ReportView, say: Translator, network: str
) -> AsyncIterator[bytes]:
    if not service.streams.acquire(network):  # enter here only: a stream that never starts would not release its slot
        return
    try:
        known = headers.get("last-event-id", "")[:MAX_ID_CHARS]
        yield f"retry: {RECONNECT_MS}\n\n".encode()
        ends_s = monotonic_s() + LONGEST_S
        beat_s = monotonic_s() + HEARTBEAT_S
        with service.events.listen(first.id) as settled:
            while not service.draining and monotonic_s() < ends_s:
                report = await service.run(progress_for, public_id, headers)
                if report is None or report.is_finished or report.run != first.run:
                    yield b"event: done\ndata: {}\n\n"
                    return
                if _id(report) != known:
                    known = _id(report)
                    beat_s = monotonic_s() + HEARTBEAT_S
                    yield _event(report, say)
                elif monotonic_s() >= beat_s:
                    beat_s = monotonic_s() + HEARTBEAT_S
                    yield b": still at it\n\n"
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_S):
                        await settled.wait()
                settled.clear()
    finally:
        service.streams.release(network)


def _id(report: ReportView) -> str:
    at = report.progress
    return f"{report.etag.partition('.')[0]}-{at.stage}-{at.done}-{at.of}" if at else report.status.value


def _event(report: ReportView, say: Translator) -> bytes:
    done, of = (report.progress.done, report.progress.of) if report.progress else (0, 1)
    told = {"stage": report.progress.stage if report.progress else "queued", "words": stage_words(report, say), "done": done, "of": of}
    return f"id: {_id(report)}\nevent: progress\ndata: {json.dumps(told)}\n\n".encode()
