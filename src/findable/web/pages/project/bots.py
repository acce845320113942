"""Page of a project with the requests of bots in its access logs; upload and deletion of logs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date
from typing import ClassVar

from msgspec import Struct
from starlette.responses import Response

from findable.errors import BadRequest, Conflict, NotFound, PayloadTooLarge, ValidationFailed
from findable.service.projects import bot_overview, log_folders, log_imports, log_uploads, projects
from findable.service.projects.log_folders import LogFolder
from findable.service.projects.log_parts import source_of
from findable.service.values.log_values import LogImport
from findable.service.values.project_values import ProjectView
from findable.web.auth import refuse_cross_site
from findable.web.bodies import Fields, streamed_file
from findable.web.pages.project.bot_sections import BotSections, bot_sections
from findable.web.pages.project.project_context import ProjectPageContext, project_form, project_page
from findable.web.pages.shared.form_fields import FormView
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import SignedInRequest, client_of, session_token, signed_in, wording_of
from findable.web.path_parts import id_of, without_nul
from findable.web.routing import Request, post
from findable.wording import Translator, later

_NO_DAY = later("Choose a day.")


class LogSourceLine(Struct, frozen=True):
    """Row of the list of imported logs: a server or CDN with its logs."""

    name: str
    words: str
    """Period and lines of all its logs."""
    logs: tuple[tuple[LogImport, str], ...]
    """Imported logs of the project, the newest first, each with its period and lines."""


class BotsPage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of bots.html."""

    place: ClassVar[str] = "bots"
    confirmations: ClassVar[Mapping[str, str]] = {
        "imported": later("The requests of the log are stored."),
        "known": later("This log was imported before; nothing changed."),
        "deleted": later("The log was deleted with its requests."),
        "forgotten": later("The requests before that day were deleted."),
        "assigned": later("The folder is assigned; its logs are read from now on."),
        "removed": later("The folder is not read any more. What was counted stays."),
    }
    sections: BotSections | None
    """Requests of bots; None without logs."""
    unlinked: int
    """Number of listed pages that the crawl did not find."""
    picture: str
    """URL of the picture of the site by requests; empty without a crawl near the logs, and for a small site."""
    sources: tuple[LogSourceLine, ...]
    folders: tuple[LogFolder, ...]
    command: str
    """Command that sends the counts of a log."""
    forgetting: FormView


@project_page("/bots")
def get_bots(request: SignedInRequest, view: ProjectView) -> BotsPage:
    """Show the requests of bots of a project in the last 30 days of its logs."""
    found = bot_overview.get(request.service, request.caller, view.name)
    base = request.service.settings.base_url
    return BotsPage(
        sections=bot_sections(found, request.say),
        unlinked=len(found.hits.unlinked.items) if found.hits else 0,
        picture=f"/s/{found.crawl_public_id}?picture=hits#picture" if found.has_picture else "",
        sources=tuple(_source_lines(log_imports.find(request.service, request.caller, view.name), request.say)),
        folders=log_folders.find(request.service, request.caller, view.name),
        command=f"findable logs /var/log/nginx/access.log* --host {view.name} --project {view.name} --to {base} --key-file KEY_FILE",
        forgetting=request.form_with(name="forget"),
    )


@post("/projects/{project}/bots")
async def post_log(request: Request, project: str) -> Response:
    """Import an uploaded log, which is read while it arrives."""
    service, headers = request.service, request.headers
    refuse_cross_site(headers, service.settings.base_url)
    caller = await service.run(signed_in, headers)
    if caller is None:
        return see_other("/sign-in")
    view = await service.run(projects.get, caller, without_nul(project))
    fields: Fields = {}
    try:
        file = await streamed_file(headers, request.receive, "file")
        fields = file.fields
        source = file.fields.get("source", "") or source_of(file.name or "upload")
        made = await log_uploads.upload(service, caller, view.name, file.blocks, source, replace="replace" in fields)
    except (ValidationFailed, Conflict, PayloadTooLarge, BadRequest) as error:
        token = session_token(service, headers)
        again = SignedInRequest(service, caller, wording_of(headers, caller), token, client_of(request), request.query, fields)
        found = again.with_error(error)
        return await service.run(lambda _service: get_bots.show(found, view.name))
    return see_other(f"{project_url(view.name)}/bots?done={'imported' if made.is_new else 'known'}")


@project_form("/bots/{import_id}/delete")
def post_log_delete(request: SignedInRequest, view: ProjectView, import_id: str) -> Response:
    """Delete an imported log with its requests."""
    with suppress(NotFound):  # it was deleted meanwhile, as the list shows
        log_imports.remove(request.service, request.caller, view.name, id_of(import_id))
    return see_other(f"{project_url(view.name)}/bots?done=deleted")


@project_form("/bots/crawl")
def post_bots_crawl(request: SignedInRequest, view: ProjectView) -> Response:
    """Crawl the pages that search bots requested and the crawl did not find."""
    try:
        return see_other(f"/s/{bot_overview.crawl_unlinked(request.service, request.caller, view.name).public_id}")
    except NotFound:  # the logs were deleted meanwhile, as the page shows
        return see_other(f"{project_url(view.name)}/bots")


@project_form("/bots/forget", get_bots, "forget")
def post_logs_forget(request: SignedInRequest, view: ProjectView) -> Response:
    """Delete the requests before a day."""
    try:
        before = date.fromisoformat(request.text("before"))
    except ValueError as error:
        raise ValidationFailed({"before": [_NO_DAY]}) from error
    log_imports.forget(request.service, request.caller, view.name, before=before)
    return see_other(f"{project_url(view.name)}/bots?done=forgotten")


@project_form("/bots/folders/{folder}")
def post_log_folder(request: SignedInRequest, view: ProjectView, folder: str) -> Response:
    """Assign a folder with access logs to the project, or end its assignment."""
    is_wanted = request.fields.get("assigned") == "1"
    (log_folders.assign if is_wanted else log_folders.remove)(request.service, request.caller, view.name, without_nul(folder))
    return see_other(f"{project_url(view.name)}/bots?done={'assigned' if is_wanted else 'removed'}")


def _source_lines(found: Iterable[LogImport], say: Translator) -> Iterator[LogSourceLine]:
    by_source: dict[str, list[LogImport]] = {}
    for log in found:
        by_source.setdefault(log.source, []).insert(0, log)
    for name, logs in by_source.items():
        yield LogSourceLine(name, _words(logs, say), tuple((log, _words([log], say)) for log in logs))


def _words(logs: Sequence[LogImport], say: Translator) -> str:
    """Return the period and the lines of logs."""
    first, last = (say.day(at, UTC) for at in (min(log.first_at for log in logs), max(log.last_at for log in logs)))
    period = first if first == last else say("%(first)s to %(last)s", first=first, last=last)
    words = [period, say.plural("%(count)s line", "%(count)s lines", sum(log.lines for log in logs))]
    if unreadable := sum(log.unreadable for log in logs):
        words.append(say.plural("%(count)s unreadable line", "%(count)s unreadable lines", unreadable))
    return " · ".join(words)
