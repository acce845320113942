"""Page of a batch of URLs: its progress, failures with reasons, and its reports."""

import re
from collections.abc import Mapping
from typing import ClassVar

from findable.service.projects import project_reports, projects
from findable.service.projects.project_reports import BatchContent
from findable.service.reports import batches
from findable.service.reports.batches import WAITING, BatchView, MemberView
from findable.store.batch_statements import DELETED, REFUSED
from findable.vocabulary import Status
from findable.web.pages.project.project_glance import ProjectGlance, glance_of
from findable.web.pages.project.project_sections import ProjectSections, Reader, sections_of
from findable.web.pages.shared.lines import ScoreWords, score_words, titled
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_page
from findable.web.path_parts import id_of
from findable.wording import Translator, later

SHOWN = 100
_PAGE = re.compile(r"[1-9]\d{0,3}", re.ASCII)

STATE_WORDS: Mapping[str, str] = {
    **{status.value: status.words for status in Status},
    WAITING: Status.QUEUED.words,
    REFUSED: later("not accepted"),
    DELETED: later("deleted"),
}
"""Words for states of URLs without a score."""


class BatchPage(PersonPage, frozen=True, kw_only=True):
    """Variables of batch.html."""

    entry: ClassVar[str] = ""
    batch: BatchView
    display_name: str
    missing: int
    """Number of URLs without a result; 0 while it runs."""
    refresh_s: int = 5
    members: tuple[tuple[MemberView, ScoreWords], ...]
    """Members on this page of the list."""
    content: BatchContent
    titles: Mapping[str, str]
    """Display names of projects by host."""
    glance: ProjectGlance | None
    """First screen; None while it runs, and without a result."""
    sections: ProjectSections | None
    """Findings over the pages; None while it runs, and without a result."""
    newer: str
    """URL of the previous page; empty if there is none."""
    older: str
    """URL of the next page; empty if there is none."""


@person_page("/batches/{batch_id}")
def get_batch(request: SignedInRequest, batch_id: str) -> BatchPage:
    """Show the progress of a batch. The page reloads itself while the batch is running."""
    page = request.query.get("page", "")
    number = int(page) if _PAGE.fullmatch(page) else 1
    batch = batches.get(request.service, request.caller, id_of(batch_id))
    members = batches.summarised_members(request.service, request.caller, batch, limit=SHOWN + 1, offset=SHOWN * (number - 1))
    say = request.say
    own = f"/batches/{batch.id}"
    content = project_reports.get_for_batch(request.service, request.caller, batch)
    titles = projects.titles(request.service, request.caller, content.projects)
    parameters = {"page": str(number)} if number > 1 else {}
    reader = Reader(say, request.zone, own, request.query, parameters)
    return BatchPage(
        batch=batch,
        display_name=_name(batch, content, titles, say),
        missing=_missing_count(batch),
        members=tuple((member, _rated(member, say)) for member in members[:SHOWN]),
        content=content,
        titles=titles,
        glance=glance_of(content.report, None, reader) if content.report.pages else None,
        sections=sections_of(content.report, reader) if content.report.pages else None,
        newer=f"{own}?page={number - 1}" if number > 1 else "",
        older=f"{own}?page={number + 1}" if len(members) > SHOWN else "",
    )


def _name(batch: BatchView, content: BatchContent, titles: Mapping[str, str], say: Translator) -> str:
    """Return the display name of a batch: the URL of its sitemap, or the number of URLs and their projects."""
    if batch.source or not content.projects or content.has_more_projects:
        return batch.source or say.plural("%(count)s URL", "%(count)s URLs", batch.addresses)
    if len(content.projects) == 1:
        project = titled(content.projects[0], titles)
        return say.plural("%(count)s URL of %(project)s", "%(count)s URLs of %(project)s", batch.addresses, project=project)
    return say("%(count)s URLs of %(projects)s projects", count=say.number(batch.addresses), projects=say.number(len(content.projects)))


def _missing_count(batch: BatchView) -> int:
    return batch.addresses - sum(batch.results.values()) if batch.is_finished else 0


def _rated(member: MemberView, say: Translator) -> ScoreWords:
    if member.score is not None:
        return score_words(member.score, member.result.value if member.result else "", say)
    return ScoreWords(say(STATE_WORDS[member.state]), "")
