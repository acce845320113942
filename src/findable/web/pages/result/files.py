"""Files of a result: their names, the sheet of a PDF for the client, and the slots in which PDFs are rendered."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from datetime import datetime
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

from msgspec import Struct, field
from msgspec.structs import replace
from starlette.responses import Response

from findable.capture.site_hits import SiteHits
from findable.errors import Unavailable
from findable.export.client_words import ClientWords
from findable.export.pdf import PdfFailed, PdfMissing
from findable.export.pdf_sheet import Branding, Sheet
from findable.service.crawls import site_hits
from findable.service.reports import stored_images
from findable.service.values.crawl_values import CrawlView
from findable.service.values.presentation import BOTS, BrandView
from findable.web.pages.result.link_pages import LinkPages, LinkVisit, VisitT
from findable.web.pages.result.presentation import file_prefix
from findable.web.pages.shared.attachments import attachment, in_file_name
from findable.web.routing import Endpoint, Request
from findable.wording import later

PDFS_AT_ONCE = 2
"""Number of PDFs rendered concurrently."""
PDF_WAIT_S = 10.0
"""Time to wait for other PDFs to finish."""
PDF_RETRY_S = 5
PDF_TYPE = "application/pdf"
ResultT = TypeVar("ResultT")
_log = logging.getLogger(__name__)


class FileFormat(Struct, Generic[VisitT, ResultT], frozen=True):
    """File format of a result, with the function that produces it from the result for a reader."""

    media_type: str
    make: Callable[[VisitT, ResultT], bytes]


def file_name(brand: BrandView, host: str, at: datetime | None, ending: str, kind: str = "") -> str:
    """Return a file name like ``findable-site-www.example.com-2026-11-21.csv``, in ASCII; it begins with the brand name if there is one.

    ``kind``: ``site``, ``project`` or another variant of the result; empty for a page.
    """
    day = at.strftime("%Y-%m-%d") if at else ""
    return "-".join(part for part in (file_prefix(brand), kind, in_file_name(host), day) if part) + f".{ending}"


def file_headers(visit: LinkVisit[Any], ending: str, variant: str = "") -> Mapping[str, str]:
    """Return the headers of a file of the result; ``variant`` is a suffix of the kind in its name."""
    return attachment(file_name(visit.presentation.brand, *visit.file_parts, ending, f"{visit.kind}{variant}".lstrip("-")))


def words_of(visit: LinkVisit[Any]) -> ClientWords:
    """Return the owner's texts for the client in the form for exported files; notes on findings only if guests see the findings."""
    client = visit.presentation.client
    notes = client.shown_notes if "findings" in visit.target.sections else client.notes
    return replace(client, notes=notes)


def sheet_of(visit: LinkVisit[Any], **more: Any) -> Sheet:
    """Return the sheet of a PDF for the client, with ``more`` of its fields."""
    brand = visit.presentation.brand
    branding = Branding(brand.name, brand.color, stored_images.image_of(visit.service, brand.logo) or b"")
    return Sheet(visit.file_say, branding, words_of(visit), visit.zone, is_plain=visit.is_plain, **more)


def hits_for_client(visit: LinkVisit[Any], project_id: int, crawl: CrawlView | None) -> SiteHits | None:
    """Return the requests of bots for a PDF; None without logs, or if the owner did not choose them for the client."""
    joined = site_hits.joined_hits(visit.service, project_id, crawl) if visit.presentation.client.shows(BOTS) else None
    return joined.hits if joined else None


class _Drawing(Struct, frozen=True):
    """PDFs that are being rendered."""

    all: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(PDFS_AT_ONCE))
    """Held while a PDF is rendered, which must not use up the threads."""
    by_network: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    """Locks by network: one PDF at a time for each, so that no network blocks another."""


def pdf_page(pages: LinkPages[VisitT], path: str = "/report.pdf") -> Callable[[Callable[[VisitT], Response]], Endpoint]:
    """Declare the PDF of one kind of shared object: a function of the visit.

    It always has the content for the client: sections hidden from guests are omitted even for the owner.
    """

    def decorate(show: Callable[[VisitT], Response]) -> Endpoint:
        async def handle(request: Request, public_id: str) -> Response:
            return await _pdf_for_viewer(request, pages, public_id, show)

        return Endpoint("GET", (f"{pages.prefix}{{public_id}}{path}",), handle)

    return decorate


async def _pdf_for_viewer(request: Request, pages: LinkPages[VisitT], public_id: str, show: Callable[[VisitT], Response]) -> Response:
    """Return a PDF; people without access neither occupy nor wait for a slot."""
    service = request.service
    if not await service.run(lambda service: pages.is_allowed(request, service, public_id)):
        return await pages.for_viewer(request, public_id, show)
    drawing = service.memory(_Drawing)
    async with AsyncExitStack() as place:
        try:
            async with asyncio.timeout(PDF_WAIT_S):
                if network := request.context.network:
                    await place.enter_async_context(drawing.by_network.setdefault(network, asyncio.Lock()))
                await place.enter_async_context(drawing.all)
        except TimeoutError:
            raise Unavailable(later("Too many PDFs are being generated. Try again in some seconds."), retry_after_s=PDF_RETRY_S) from None
        reply = await pages.for_viewer(request, public_id, show)
    if not await service.run(lambda service: pages.is_allowed(request, service, public_id)):  # ended while the PDF was rendered
        return await pages.for_viewer(request, public_id, show)
    return reply


def pdf_response(visit: LinkVisit[Any], make: Callable[[], bytes], variant: str = "") -> Response:
    """Return the PDF as a file. ``variant`` contains further inputs. Raises Unavailable if it cannot be rendered."""

    def rendered() -> bytes:
        try:
            return make()
        except PdfMissing as error:
            raise Unavailable(str(error)) from error
        except PdfFailed as error:
            _log.warning("could not render the PDF of %s %d: %s", visit.kind or "report", visit.shared.id, error)
            raise Unavailable(later("The PDF of this report could not be created.")) from error

    return visit.response(rendered, PDF_TYPE, file_headers(visit, "pdf", variant), f"{visit.variant}{variant}")
