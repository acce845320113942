"""Uploaded metrics of a project: upload, list and delete them, and crawl URLs that are not in the last crawl."""

from collections.abc import Mapping
from contextlib import suppress
from typing import ClassVar

from msgspec.structs import replace
from starlette.responses import Response

from findable.crawl.changes import ChangeKind, PageChange
from findable.errors import NotFound, ValidationFailed
from findable.reports.titles import readable_url
from findable.service.crawls import imported_crawls
from findable.service.projects import url_data
from findable.service.projects.url_data import UnknownUrls, UrlData
from findable.service.values.project_values import ProjectView
from findable.web.bodies import Bounds, Kinds
from findable.web.pages.project.project_context import ProjectPageContext, project_form, project_page
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import SignedInRequest
from findable.web.pages.site.site_changes import change_values
from findable.web.path_parts import without_nul
from findable.wording import later

TABLE_BODY = Bounds(imported_crawls.MAX_BYTES + 100_000, 10)
NO_CRAWL = later("The site has not been crawled completely yet.")
BODY = Bounds(url_data.MAX_BYTES + 100_000, 10)
FILE, TABLE = Kinds(files=frozenset({"file"})), Kinds(files=frozenset({"table"}))
MAX_SHOWN_CHARS = 100_000
"""Maximum length of a rejected field that is shown again."""
SOURCE_WORDS = {
    "search-console": "Google Search Console",
    "ga4": "Google Analytics 4",
    "ahrefs": "Ahrefs",
    "log": later("Log counts"),
    "upload": later("Upload"),
}


class ProjectDataPage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of project_data.html."""

    place: ClassVar[str] = "data"
    confirmations: ClassVar[Mapping[str, str]] = {
        "uploaded": later("The numbers are stored."),
        "deleted": later("The numbers were deleted."),
    }
    uploads: tuple[UrlData, ...]
    sources: Mapping[str, str]
    """Names of the sources that have one."""
    unknown: UnknownUrls
    """Uploaded URLs that are not in the last complete crawl, of which the page lists the first ``shown``."""
    shown: int = 20


@project_page("/data")
def get_project_data(request: SignedInRequest, view: ProjectView) -> ProjectDataPage:
    """Show the uploaded metrics of a project by source."""
    say, form = request.say, request.form_with()
    return ProjectDataPage(
        uploads=tuple(url_data.find(request.service, request.caller, str(view.id))),
        sources={source: say.text(words) for source, words in SOURCE_WORDS.items()},
        unknown=url_data.unknown_urls(request.service, request.caller, str(view.id)),
        form=replace(form, values={name: value[:MAX_SHOWN_CHARS] for name, value in form.values.items()}),
    )


@project_form("/data", get_project_data, bounds=BODY, kinds=FILE)
def post_project_data(request: SignedInRequest, view: ProjectView) -> Response:
    """Store a table of metrics by URL, from a file or pasted text."""
    file = request.fields.get("file")
    sent = file if isinstance(file, bytes) and file else request.text("csv")
    source, day = request.text("source"), request.text("date")
    url_data.upload(request.service, request.caller, str(view.id), data=sent, source=source, day=day)
    return see_other(f"{project_url(view.name)}/data?done=uploaded")


@project_form("/data/{source}/delete")
def post_project_data_delete(request: SignedInRequest, view: ProjectView, source: str) -> Response:
    """Delete the upload of a source."""
    with suppress(NotFound):  # the upload was deleted meanwhile, as the list shows
        url_data.remove(request.service, request.caller, str(view.id), without_nul(source))
    return see_other(f"{project_url(view.name)}/data?done=deleted")


@project_form("/data/crawl")
def post_project_data_crawl(request: SignedInRequest, view: ProjectView) -> Response:
    """Crawl the uploaded URLs that are not in the last complete crawl."""
    return see_other(f"/s/{url_data.crawl_unknown_urls(request.service, request.caller, view.name).public_id}")


class TableChangesPage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of table_changes.html."""

    place: ClassVar[str] = "data"
    source: str
    """Program, number of URLs and host of the table, in words."""
    problem: str
    """Reason why the crawls cannot be compared; empty if they are."""
    counts: tuple[str, ...]
    """Numbers of changes by kind, in words."""
    lines: tuple[tuple[PageChange, str, str], ...]
    """Changed pages, each with the old and the new value."""


@project_form("/data/compare", get_project_data, bounds=TABLE_BODY, kinds=TABLE)
def post_project_data_compare(request: SignedInRequest, view: ProjectView) -> TableChangesPage:
    """Compare the last complete crawl with a table of another program."""
    say, service = request.say, request.service
    crawl = url_data.unknown_urls(service, request.caller, str(view.id)).crawl
    if crawl is None:
        raise ValidationFailed({"table": [NO_CRAWL]})
    sent = request.fields.get("table")
    try:
        found = imported_crawls.compare_with_table(service, request.caller, crawl.id, sent if isinstance(sent, (bytes, str)) else None)
    except ValidationFailed as error:
        raise ValidationFailed({"table": error.errors["file"]}) from error
    table, comparison = found.table, found.comparison
    urls = say.plural("%(count)s URL", "%(count)s URLs", len(table.urls))
    reason = comparison.not_comparable
    return TableChangesPage(
        source=" · ".join((table.program, urls, readable_url(table.start_url))),
        problem=say("Not compared: %(reason)s", reason=say.text(reason.words)) if reason else "",
        counts=tuple(f"{say.text(ChangeKind(kind).words)} {say.number(count)}" for kind, count in comparison.counts.items()),
        lines=tuple((change, *change_values(change, say)) for change in comparison.pages),
    )
