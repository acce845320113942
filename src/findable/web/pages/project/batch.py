"""Page of a batch of URLs: its progress, failures with reasons, and its reports."""

import re
from collections.abc import Mapping
from typing import ClassVar

from msgspec import Struct, structs
from starlette.responses import Response

from findable.reports.page_error_text import sentences_of
from findable.reports.titles import RATING_WORDS, readable_url
from findable.service.projects import project_reports, projects
from findable.service.projects.project_reports import BatchContent
from findable.service.reports import batches
from findable.service.reports.batches import WAITING, BatchView, MemberView
from findable.store.batch_statements import DELETED, REFUSED
from findable.vocabulary import Status
from findable.web.pages.project.project_glance import ProjectGlance, glance_of
from findable.web.pages.project.project_sections import ProjectSections, Reader, sections_of
from findable.web.pages.shared.lines import ScoreWords, project_url, score_words, titled
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_page, person_response
from findable.web.path_parts import id_of
from findable.wording import Translator, later

SHOWN = 100
REFRESH_S = 5
_PAGE = re.compile(r"[1-9]\d{0,3}", re.ASCII)

STATE_WORDS: Mapping[str, str] = {
    WAITING: later("queued"),
    Status.QUEUED: later("queued"),
    Status.RUNNING: later("being generated"),
    Status.DONE: later("not rated"),
    Status.FAILED: later("not loaded"),
    REFUSED: later("not accepted"),
    DELETED: later("deleted"),
}
"""Words for states of URLs without a score."""


class BatchLine(Struct, frozen=True):
    """Row of a list of batches."""

    href: str
    name: str
    """URL of the sitemap, or the number of URLs."""
    finished: int
    addresses: int
    words: str
    """Progress in words."""


class Count(Struct, frozen=True):
    """Number of URLs of the batch with one outcome or in one state of processing."""

    number: str
    words: str
    rating: str
    """Rating: ``good``, ``decent`` or ``bad``, a class of the stylesheet; empty without a rating."""


class FailureLine(Struct, frozen=True):
    """URL of the batch without a result, with the reason."""

    address: str
    cause: str
    href: str
    """Path of its report; empty if there is none."""


class MemberLine(Struct, frozen=True):
    """Row of the list of a batch's URLs."""

    address: str
    title: str
    """Title of the page; empty if it has none."""
    score_words: ScoreWords
    href: str
    """Path of its report; empty if there is none."""


class ProjectLink(Struct, frozen=True):
    """Link to a project that URLs of the batch belong to."""

    href: str
    name: str


class BatchPage(PersonPage, frozen=True, kw_only=True):
    """Variables of batch.html."""

    template: ClassVar[str] = "batch.html"
    entry: ClassVar[str] = ""
    line: BatchLine
    without_result: str
    """Number of URLs without a result, in words; empty while it runs, and for none."""
    source: str
    """URL of the sitemap; empty for a list of URLs."""
    when: Moment
    is_running: bool
    refresh_s: int
    counts: tuple[Count, ...]
    notes: tuple[str, ...]
    """Further notes about the URLs, in sentences."""
    failures: tuple[FailureLine, ...]
    members: tuple[MemberLine, ...]
    """Members on this page of the list."""
    projects: tuple[ProjectLink, ...]
    has_more_projects: bool
    glance: ProjectGlance | None
    """First screen; None while it runs, and without a result."""
    sections: ProjectSections | None
    """Findings over the pages; None while it runs, and without a result."""
    newer: str
    """URL of the previous page; empty if there is none."""
    older: str
    """URL of the next page; empty if there is none."""


@person_page("/batches/{batch_id}")
def get_batch(request: SignedInRequest, batch_id: str) -> Response:
    """Show the progress of a batch. The page reloads itself while the batch is running."""
    page = request.query.get("page", "")
    number = int(page) if _PAGE.fullmatch(page) else 1
    batch = batches.get(request.service, request.caller, id_of(batch_id))
    members = batches.summarised_members(request.service, request.caller, batch, limit=SHOWN + 1, offset=SHOWN * (number - 1))
    return person_response(request, _page(batch, members, number, request))


def _page(batch: BatchView, members: tuple[MemberView, ...], number: int, request: SignedInRequest) -> BatchPage:
    say = request.say
    own = f"/batches/{batch.id}"
    content = project_reports.get_for_batch(request.service, request.caller, batch)
    titles = projects.titles(request.service, request.caller, content.projects)
    parameters = {"page": str(number)} if number > 1 else {}
    reader = Reader(say, request.zone, own, request.query, parameters)
    return BatchPage(
        line=_titled_line(batch, content, titles, say),
        without_result=_without_result(batch, say),
        source=batch.source,
        when=moment_of(batch.created_at, say, request.zone),
        is_running=not batch.is_finished,
        refresh_s=REFRESH_S,
        counts=_counts(batch, say),
        notes=_notes(batch, say),
        failures=tuple(_failure(member, say) for member in batch.failures),
        members=tuple(_member(member, say) for member in members[:SHOWN]),
        projects=tuple(ProjectLink(project_url(name), titled(name, titles)) for name in content.projects),
        has_more_projects=content.has_more_projects,
        glance=glance_of(content.report, None, reader) if content.report.pages else None,
        sections=sections_of(content.report, reader) if content.report.pages else None,
        newer=f"{own}?page={number - 1}" if number > 1 else "",
        older=f"{own}?page={number + 1}" if len(members) > SHOWN else "",
    )


def batch_line(batch: BatchView, say: Translator) -> BatchLine:
    """Return the row of a batch in lists."""
    return BatchLine(
        href=f"/batches/{batch.id}",
        name=batch.source or say.plural("%(count)s URL", "%(count)s URLs", batch.addresses),
        finished=batch.finished,
        addresses=batch.addresses,
        words=say("%(done)s of %(all)s done", done=say.number(batch.finished), all=say.number(batch.addresses)),
    )


def _name(batch: BatchView, content: BatchContent, titles: Mapping[str, str], say: Translator) -> str:
    """Return the display name of a batch: the URL of its sitemap, or the number of URLs and their projects."""
    if batch.source or not content.projects or content.has_more_projects:
        return batch.source or say.plural("%(count)s URL", "%(count)s URLs", batch.addresses)
    if len(content.projects) == 1:
        project = titled(content.projects[0], titles)
        return say.plural("%(count)s URL of %(project)s", "%(count)s URLs of %(project)s", batch.addresses, project=project)
    return say("%(count)s URLs of %(projects)s projects", count=say.number(batch.addresses), projects=say.number(len(content.projects)))


def _titled_line(batch: BatchView, content: BatchContent, titles: Mapping[str, str], say: Translator) -> BatchLine:
    """Return the row of a batch with its display name; if URLs have no result, with the number of those that have one."""
    line = structs.replace(batch_line(batch, say), name=_name(batch, content, titles, say))
    if not _missing_count(batch):
        return line
    rated, count = say.number(batch.addresses - _missing_count(batch)), say.number(batch.addresses)
    return structs.replace(line, words=say("%(rated)s of %(all)s URLs have a result.", rated=rated, all=count))


def _missing_count(batch: BatchView) -> int:
    return batch.addresses - sum(batch.results.values()) if batch.is_finished else 0


def _without_result(batch: BatchView, say: Translator) -> str:
    missing = _missing_count(batch)
    return say.plural("%(count)s URL has no result.", "%(count)s URLs have no result.", missing) if missing > 0 else ""


def _counts(batch: BatchView, say: Translator) -> tuple[Count, ...]:
    counts = batch.counts
    found = [(batch.results[rating], say(words), rating) for rating, words in RATING_WORDS.items()]
    found += [
        (batch.results[batches.UNRATED], say("not rated"), ""),
        (counts[Status.FAILED], say("not loaded"), ""),
        (counts[REFUSED], say("not accepted"), ""),
        (counts[DELETED], say("deleted"), ""),
        (counts[Status.RUNNING], say("being generated"), ""),
        (counts[Status.QUEUED] + counts[WAITING], say("waiting"), ""),
    ]
    return tuple(Count(say.number(number), words, rating) for number, words, rating in found if number)


def _notes(batch: BatchView, say: Translator) -> tuple[str, ...]:
    notes = []
    if batch.duplicates:
        notes.append(
            say.plural(
                "%(count)s URL was listed more than once and counts once.",
                "%(count)s URLs were listed more than once and count once.",
                batch.duplicates,
            )
        )
    if batch.left_out:
        notes.append(
            say.plural(
                "The sitemap lists %(count)s more URL, which was left out.",
                "The sitemap lists %(count)s more URLs, which were left out.",
                batch.left_out,
            )
        )
    return tuple(notes)


def _failure(member: MemberView, say: Translator) -> FailureLine:
    cause = sentences_of(member.error, say) if member.error else say.text(member.refused)
    return FailureLine(_address(member), cause, f"/r/{member.public_id}" if member.public_id else "")


def _member(member: MemberView, say: Translator) -> MemberLine:
    if member.score is not None:
        rated = score_words(member.score, member.result.value if member.result else "", say)
    else:
        rated = ScoreWords(say(STATE_WORDS[member.state]), "")
    return MemberLine(_address(member), member.title, rated, f"/r/{member.public_id}" if member.public_id else "")


def _address(member: MemberView) -> str:
    return member.url if member.state == REFUSED else readable_url(member.url)
