"""Uploaded metrics of a project: upload, list and delete them, and crawl URLs that are not in the last crawl."""

from datetime import UTC, datetime
from typing import ClassVar

from msgspec import Struct
from starlette.responses import Response

from findable.errors import NotFound, RequestError
from findable.reports.titles import readable_url
from findable.service.accounts.callers import may
from findable.service.projects import projects, url_data
from findable.service.projects.url_data import UrlDataView
from findable.service.values.caller import MEMBER
from findable.web.bodies import Bounds, Kinds
from findable.web.pages.shared.form_fields import FormView, refused
from findable.web.pages.shared.lines import project_address, project_name
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.web.pages.shared.number_words import column_words
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response, see_other
from findable.web.pages.shared.viewer import SignedInRequest, bar_of, from_person, person_form, person_page
from findable.web.path_parts import without_nul
from findable.web.routing import Request, post
from findable.wording import later

BODY = Bounds(url_data.MAX_BYTES + 100_000, 10)
FILE = Kinds(files=frozenset({"file"}))
SHOWN_UNKNOWN = 20
DONE = {
    "uploaded": later("The numbers are stored."),
    "deleted": later("The numbers were deleted."),
}
SOURCE_WORDS = {
    "search-console": "Google Search Console",
    "ga4": "Google Analytics 4",
    "ahrefs": "Ahrefs",
    "log": later("Log counts"),
    "upload": later("Upload"),
}


class DataLine(Struct, frozen=True):
    """Upload of one source, in text form."""

    source: str
    name: str
    words: str
    """Columns, rows and day, as text."""
    uploaded: Moment


class ProjectDataPage(PageContext, frozen=True):
    """Variables of project_data.html."""

    template: ClassVar[str] = "project_data.html"
    bar: Bar
    href: str
    name: str
    confirmation: str
    lines: tuple[DataLine, ...]
    unknown: tuple[str, ...]
    """First uploaded URLs that are not in the last complete crawl."""
    unknown_words: str
    """Number of these URLs in words; empty without any, or without a crawl."""
    pages: str
    """URL of the list of pages of the last crawl; empty without a crawl."""
    form: FormView
    may_change: bool


@person_page("/projects/{project}/data")
def get_project_data(signed_in_request: SignedInRequest, project: str) -> Response:
    """Show the uploads."""
    return _data_page(signed_in_request, project)


@post("/projects/{project}/data")
async def post_project_data(request: Request, project: str) -> Response:
    """Upload a table: a file, or pasted text."""
    return await from_person(request, lambda signed_in_request: _upload(signed_in_request, project), BODY, FILE)


def _upload(signed_in_request: SignedInRequest, project: str) -> Response:
    view = projects.get(signed_in_request.service, signed_in_request.caller, without_nul(project))
    file = signed_in_request.fields.get("file")
    sent = file if isinstance(file, bytes) and file else signed_in_request.text("csv")
    try:
        url_data.upload(
            signed_in_request.service,
            signed_in_request.caller,
            str(view.id),
            data=sent,
            source=signed_in_request.text("source"),
            day=signed_in_request.text("date"),
        )
    except RequestError as error:
        if not error.errors:
            raise
        parameters = {name: signed_in_request.text(name)[:100_000] for name in ("csv", "source", "date")}
        return _data_page(signed_in_request, project, refused(parameters, error, signed_in_request.say), error.status)
    return see_other(f"{project_address(view.name)}/data?done=uploaded")


@person_form("/projects/{project}/data/{source}/delete")
def post_project_data_delete(signed_in_request: SignedInRequest, project: str, source: str) -> Response:
    """Delete the upload of a source."""
    view = projects.get(signed_in_request.service, signed_in_request.caller, without_nul(project))
    try:
        url_data.remove(signed_in_request.service, signed_in_request.caller, str(view.id), without_nul(source))
    except NotFound:  # the upload was deleted meanwhile, as the list shows
        return see_other(f"{project_address(view.name)}/data")
    return see_other(f"{project_address(view.name)}/data?done=deleted")


@person_form("/projects/{project}/data/crawl")
def post_project_data_crawl(signed_in_request: SignedInRequest, project: str) -> Response:
    """Crawl the uploaded URLs that are not in the last complete crawl."""
    made = url_data.crawl_unknown_urls(signed_in_request.service, signed_in_request.caller, without_nul(project))
    return see_other(f"/s/{made.public_id}")


def _data_page(signed_in_request: SignedInRequest, project: str, form: FormView | None = None, status: int = 200) -> Response:
    say = signed_in_request.say
    view = projects.get(signed_in_request.service, signed_in_request.caller, without_nul(project))
    found = url_data.unknown_urls(signed_in_request.service, signed_in_request.caller, str(view.id))
    shown = ProjectDataPage(
        bar=bar_of(signed_in_request.caller, "projects"),
        href=project_address(view.name),
        name=project_name(view.name),
        confirmation=say(DONE[signed_in_request.query["done"]]) if form is None and signed_in_request.query.get("done") in DONE else "",
        lines=tuple(
            _line(signed_in_request, one) for one in url_data.find(signed_in_request.service, signed_in_request.caller, str(view.id))
        ),
        unknown=tuple(readable_url(url) for url in found.urls[:SHOWN_UNKNOWN]),
        unknown_words=say.plural("%(count)s URL is not in the last crawl", "%(count)s URLs are not in the last crawl", found.total)
        if found.total
        else "",
        pages=f"/s/{found.crawl.public_id}/pages" if found.crawl is not None else "",
        form=form or FormView(),
        may_change=may(signed_in_request.caller, MEMBER, view.id),
    )
    return page_response(shown, say, status=status)


def _line(signed_in_request: SignedInRequest, view: UrlDataView) -> DataLine:
    say = signed_in_request.say
    parts = [
        ", ".join(column_words(name, say) for name in view.columns),
        say.plural("%(count)s URL", "%(count)s URLs", view.rows),
        say.plural("%(count)s row left out", "%(count)s rows left out", view.skipped) if view.skipped else "",
        say.day(datetime.fromisoformat(view.date), UTC) if view.date else "",
    ]
    name = say.text(SOURCE_WORDS.get(view.source, view.source))
    return DataLine(view.source, name, " · ".join(filter(None, parts)), moment_of(view.uploaded_at, say, signed_in_request.zone))
