"""The demonstration report: a saved page of a fictional bakery in the package, judged by the current rules.

It is made on first use, once per language, without store and network. It is not counted or listed, and has no files and no owner.
"""

import gzip
from datetime import datetime
from functools import cache
from importlib import resources
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace
from starlette.responses import Response

from findable.capture.saved import load
from findable.reports.analysis import analyse
from findable.service.runtime.service import Service
from findable.service.values.report_values import ReportView
from findable.service_urls import ServiceUrls
from findable.urls import project_name
from findable.vocabulary import Privacy, Status
from findable.web.pages.report.finding_groups import IndexingLine, row_of
from findable.web.pages.report.findings_table import findings_query
from findable.web.pages.report.owner_presentation import LanguageLink, OwnerPresentation
from findable.web.pages.report.report_context import PageLinks, ReportPage, report_page
from findable.web.pages.report.share import NOT_LISTED, language_asked_for, order_asked_for
from findable.web.pages.report.verdict import VerdictBox
from findable.web.pages.shared.page_templates import html, shown_bytes, variables
from findable.web.pages.shared.viewer import signed_in, wording_of
from findable.web.routing import Request, get
from findable.wording import LANGUAGES, Wording, wording

PATH = "/demonstration"
FILE = "demonstration.json.gz"
"""File made by tools/demonstration.py."""


class Example(Struct, frozen=True):
    """Part of the report on the home page."""

    href: str
    verdict: VerdictBox
    way: str
    """Cheapest path to the next rating, in a sentence."""
    first: tuple[IndexingLine, ...]
    """First fixes."""


class DemonstrationPage(ReportPage, frozen=True):
    """The variables of demonstration.html: those of a report."""

    template: ClassVar[str] = "demonstration.html"


class _Made(Struct, frozen=True):
    page: bytes
    example: Example


@get(PATH)
async def get_demonstration(request: Request) -> Response:
    """Show the report to everyone, in the reader's language, or ``?language=de``."""
    service = request.service
    at = request.urls
    headers, language = request.headers, language_asked_for(request)

    chosen = OwnerPresentation(order=order_asked_for(request), chosen=findings_query(request.query))

    def work(service: Service) -> bytes:
        say = wording(language) if language else wording_of(headers, signed_in(service, headers))
        return _made(say, at).page if chosen == OwnerPresentation() else shown_bytes(_shown(say, at, chosen), say)

    return html(await service.run(work), headers={**NOT_LISTED, "Vary": "Cookie, Accept-Language"})


def example(say: Wording, at: ServiceUrls) -> Example:
    """Return rating and first fixes (blocking: some 100 ms the first time)."""
    return _made(say, at).example


@cache
def _made(say: Wording, at: ServiceUrls) -> _Made:
    shown = _shown(say, at, OwnerPresentation())
    if shown.verdict is None or shown.fixes is None:
        msg = "the demonstration has a rating and something to fix"
        raise AssertionError(msg)
    first = tuple(row_of("", fix.card) for fix in shown.fixes.items)
    return _Made(shown_bytes(shown, say), Example(PATH, shown.verdict, shown.fixes.way, first))


def _shown(say: Wording, at: ServiceUrls, chosen: OwnerPresentation) -> DemonstrationPage:
    page = DemonstrationPage(**variables(report_page(_view(), at, say=say, presented=chosen, path=PATH)))
    languages = tuple(LanguageLink(one.code, one.name, f"{PATH}?language={one.code}", one.code == say.code) for one in LANGUAGES.values())
    title = say("Demonstration report")
    links = PageLinks(PATH, f"{at.base_url}{PATH}")
    return replace(page, title=title, preview=title, links=links, languages=languages, is_public=False, files=False, pictures=False)


@cache
def _view() -> ReportView:
    report = analyse(load(gzip.decompress((resources.files(__package__) / FILE).read_bytes())))
    moment = datetime.fromisoformat(report.captured_at)
    return ReportView(
        id=0,
        public_id="",
        account_id=0,
        url=report.requested_url,
        project_id=0,
        project=project_name(report.requested_url),
        status=Status.DONE,
        privacy=Privacy.PUBLIC,
        has_password=False,
        created_at=moment,
        updated_at=moment,
        etag="",
        generated_at=moment,
        run=1,
        result=report.result,
        score=report.score,
        coverage=report.coverage,
        not_asked=report.not_asked,
        report=report,
    )
