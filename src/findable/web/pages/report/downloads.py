"""A shared report as a file and its rating as a badge: for whoever may see the share page, and for nobody else."""

import asyncio
import json
import logging
import re
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any

import msgspec
from msgspec import Struct
from starlette.responses import Response

from findable.errors import NotFound, Unavailable
from findable.export.badge import to_badge
from findable.export.csv import to_csv
from findable.export.markdown import to_markdown
from findable.export.pdf import Branding, ClientWords, PdfFailed, PdfMissing, Sheet, to_pdf
from findable.reports.model import body
from findable.service.reports import stored_images
from findable.service.runtime.app import Service
from findable.service.values.presentation import ClientView
from findable.service.values.use_cases import ReportView
from findable.urls import parse
from findable.vocabulary import Privacy
from findable.web.api import response_shapes
from findable.web.api.api_urls import Addresses
from findable.web.pages.report.finding_cards import pasted
from findable.web.pages.report.guest_files import for_guests
from findable.web.pages.report.share import Answer, Visit, answered, language_asked_for, progress_for, run_asked_for, visited
from findable.web.routing import Request, get
from findable.wording import ENGLISH, Wording, later

Body = Callable[[Mapping[str, Any], Wording], bytes]
SANDBOX = "default-src 'none'; frame-ancestors 'none'; sandbox"
"""A file that is opened all the same runs nothing, loads nothing and has no origin."""
PDF_WAIT_S = 10.0
"""For others' PDFs to be done."""
PDF_RETRY_S = 5
_LONGEST_HOST = 80
_OWNERS_ONLY = frozenset({"id", "project", "has_password", "previous", "progress"})
_WORDS = ("question", "category", "importance", "why", "how_to_fix", "source", "docs")
"""Members of a finding that its check gives; a check that no longer exists gives none."""
_log = logging.getLogger(__name__)


class Format(Struct, frozen=True):
    """One kind of file."""

    media_type: str
    make: Body


def _json(report: Mapping[str, Any], _: Wording) -> bytes:
    return json.dumps(report, ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n"


def _csv(report: Mapping[str, Any], _: Wording) -> bytes:
    return to_csv(report)


def _markdown(report: Mapping[str, Any], say: Wording) -> bytes:
    return to_markdown(report, say).encode("utf-8", "replace")


def _badge(report: Mapping[str, Any], _: Wording) -> bytes:
    return to_badge(report).encode()


FORMATS = {
    "json": Format("application/json", _json),
    "csv": Format("text/csv", _csv),
    "md": Format("text/markdown", _markdown),
}
PDF_TYPE = "application/pdf"
BADGE = Format("image/svg+xml", _badge)


@get(*[f"/r/{{public_id}}/report.{ending}" for ending in FORMATS])
async def get_download(request: Request, public_id: str) -> Response:
    """The report as JSON, CSV or Markdown."""
    ending = request.scope["path"].rstrip("/").rpartition(".")[2]

    def named(report: ReportView) -> Mapping[str, str]:
        return {"Content-Disposition": f'attachment; filename="{file_name(report, ending)}"'}

    return await _reply(request, public_id, FORMATS[ending], named)


@get("/r/{public_id}/badge.svg")
async def get_badge(request: Request, public_id: str) -> Response:
    """The rating of a public report. What is private or behind a password has no badge, for its owner and the unlocked too."""

    def public_only(report: ReportView) -> Mapping[str, str]:
        if report.privacy is not Privacy.PUBLIC:
            raise NotFound
        return {}

    return await _reply(request, public_id, BADGE, public_only)


@get("/r/{public_id}/report.pdf")
async def get_pdf(request: Request, public_id: str) -> Response:
    """The report as a PDF, in the project's language or the reader's; with its long tables where ``tables=1``.

    It is made for the client, whoever asks: what is hidden from guests is not in it.
    """
    service = request.service
    at = request.urls
    headers = request.headers
    with_tables = request.query.get("tables") == "1"
    run, language = run_asked_for(request), language_asked_for(request)

    def work(service: Service) -> Answer:
        visit = visited(service, public_id, headers, run, language)
        report = _with_result(visit)
        named = {"Content-Disposition": f'attachment; filename="{file_name(report, "pdf")}"', "Content-Security-Policy": SANDBOX}
        brand = visit.shared.presentation.brand
        variant = f"-{visit.file_say.code}-{brand.digest}{'-tables' if with_tables else ''}"

        def drawn() -> bytes:
            logo = stored_images.of_report(service, report, "logo") if brand.logo else None
            return _drawn(report, at, _sheet(visit, logo or b"", tables=with_tables))

        return answered(visit.shared, report, headers, drawn, named, variant)

    if await service.run(progress_for, public_id, headers) is None:  # whoever sees nothing neither takes a place nor waits for one
        raise NotFound
    async with AsyncExitStack() as place:
        try:
            async with asyncio.timeout(PDF_WAIT_S):
                if network := request.context.network:
                    await place.enter_async_context(service.drawing_for.setdefault(network, asyncio.Lock()))
                await place.enter_async_context(service.drawing)
        except TimeoutError:
            raise Unavailable(later("Too many PDFs are being made. Try again in some seconds."), retry_after_s=PDF_RETRY_S) from None
        answer = await service.run(work)
    return Response(answer.body, status_code=answer.status, media_type=PDF_TYPE, headers=answer.headers)


def _sheet(visit: Visit, logo: bytes, *, tables: bool) -> Sheet:
    brand, client = visit.shared.presentation.brand, visit.shared.presentation.client
    words = ClientWords(client.summary, client.shown_notes, client.sections, client.prepared_by, client.prepared_for)
    return Sheet(visit.file_say, Branding(brand.name, brand.color, logo), words, visit.zone, tables and client.shows("facts"))


def _drawn(report: ReportView, at: Addresses, sheet: Sheet) -> bytes:
    try:
        whole = shared_report(report, at, sheet.say)
        whole["results"] = [{**finding, "how_to_fix": pasted(finding["how_to_fix"], report.url)} for finding in whole["results"]]
        return to_pdf(whole, sheet)
    except PdfMissing as error:
        raise Unavailable(str(error)) from error
    except PdfFailed as error:
        _log.warning("no PDF of report %d: %s", report.id, error)
        raise Unavailable(later("The PDF of this report could not be made.")) from error


async def _reply(request: Request, public_id: str, made: Format, more: Callable[[ReportView], Mapping[str, str]]) -> Response:
    service = request.service
    at = request.urls
    headers = request.headers
    run, language = run_asked_for(request), language_asked_for(request)

    def work(service: Service) -> Answer:
        visit = visited(service, public_id, headers, run, language)
        report = _with_result(visit)
        own = {"Content-Security-Policy": SANDBOX, **more(report)}

        def body() -> bytes:
            client = visit.shared.presentation.client
            whole = shared_report(report, at, visit.data_say, client)
            return made.make(whole if visit.shared.is_owner else for_guests(whole, client), visit.data_say)

        variant = "" if visit.data_say is ENGLISH else f"-{visit.data_say.code}"
        return answered(visit.shared, report, headers, body, own, variant)

    answer = await service.run(work)
    return Response(answer.body, status_code=answer.status, media_type=made.media_type, headers=answer.headers)


def _with_result(visit: Visit) -> ReportView:
    """The report that is shown. Raises NotFound where there is none for them, or none with a result."""
    report = visit.shared.report
    if report is None or report.run is None:
        raise NotFound
    return report


def file_name(report: ReportView, ending: str) -> str:
    """``findable-www.example.com-2026-11-21.csv``: ASCII, whatever the host is called."""
    parsed = parse(report.url)
    host = re.sub(r"[^a-z0-9-]+", ".", parsed.host.lower() if parsed else "")[:_LONGEST_HOST].strip(".-")
    day = report.generated_at.strftime("%Y-%m-%d") if report.generated_at else ""
    return "-".join(part for part in ("findable", host, day) if part) + f".{ending}"


def shared_report(view: ReportView, at: Addresses, say: Wording = ENGLISH, client: ClientView | None = None) -> dict[str, Any]:
    """REPORT as anybody may have it who may see the share page: without what tells of the account and of its other reports.

    ``client`` adds what the owner wrote for them.
    """
    made: dict[str, Any] = msgspec.to_builtins(response_shapes.report(view, at))
    whole = {name: value for name, value in made.items() if name not in _OWNERS_ONLY}
    if say is not ENGLISH and view.analysis is not None:
        spoken = body(view.analysis, at.check_docs, say)
        whole |= {
            "results": spoken["results"],
            "error": msgspec.to_builtins(response_shapes.problem(view.error, say)),
        }
        whole["categories"] = [{**category, "title": say.text(category["title"])} for category in whole["categories"]]
    whole["links"] = {name: address for name, address in whole["links"].items() if name not in ("self", "project")}
    whole["results"] = [dict.fromkeys(_WORDS, "") | _without_name(finding) for finding in whole["results"]]
    if client is not None and (client.summary or client.shown_notes or client.prepared_by or client.prepared_for):
        whole["client"] = {
            "summary": client.summary,
            "prepared_by": client.prepared_by,
            "prepared_for": client.prepared_for,
            "notes": dict(client.shown_notes),
        }
    return whole


def _without_name(finding: Mapping[str, Any]) -> dict[str, Any]:
    """A finding without who accepted it."""
    accepted = finding.get("accepted")
    return {**finding, "accepted": {name: accepted.get(name) for name in ("reason", "until")} if accepted else None}
