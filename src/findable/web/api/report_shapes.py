"""Reports and their runs in the shape of the API, where a rating is called ``result``.

The OpenAPI document is generated from these types.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from findable.crawl.changes import ChangeKind
from findable.export.client_words import ClientTexts, ClientWords
from findable.export.pdf import is_available
from findable.export.report_json import FindingJson, ReportMembers, finding_json
from findable.reports.difference import NotComparable
from findable.reports.facts import Facts
from findable.reports.plain import cms_of
from findable.reports.projection import ScorePart
from findable.reports.report import CategoryScore, CategorySummary, Engine, Explanation
from findable.service.results.share_links import LinkView
from findable.service.values.presentation import ClientView
from findable.service.values.report_values import (
    ChangedFinding,
    Progress,
    ReportFields,
    ReportView,
    RunMembers,
    RunView,
    ScoreChange,
)
from findable.service.values.report_values import Changes as RunChanges
from findable.service_urls import ServiceUrls
from findable.values import DateTime, shape_of
from findable.vocabulary import PageKind, Verdict
from findable.web.api.shape_parts import Day, Deleted, ProblemShape, VerdictShape, problem, verdict
from findable.wording import ENGLISH, Translator


class ReportFiles(Struct, frozen=True, kw_only=True):
    """URLs of the page and files of a report, for everyone who may see the page. There are no files before the first result."""

    html: str
    json: str | UnsetType = UNSET
    csv: str | UnsetType = UNSET
    markdown: str | UnsetType = UNSET
    pdf: str | UnsetType = UNSET
    """URL of the PDF, if the service has a typesetter."""


class ReportLinks(ReportFiles, frozen=True, kw_only=True):
    """URLs of a report."""

    self: str
    project: str


class Summary(ReportFields, frozen=True, kw_only=True):
    """Report in a list. `result` and `score` are null until a run was rated."""

    object: Literal["report"] = "report"
    final_url: str | None
    """URL to which it led; null before a page was loaded."""
    verdict: VerdictShape | None
    """Verdict of the newest run about the page in search; null before the first result."""
    privacy: Literal[0, 1, 2]
    error: ProblemShape | None
    engine: Engine | None
    judged_as: str | None
    last_error: ProblemShape | None
    counts: Mapping[str, int]
    categories: tuple[CategorySummary, ...]
    links: ReportLinks
    progress: Progress | UnsetType = UNSET


class Report(Summary, frozen=True, kw_only=True):
    """Report with its findings and facts. Before the first result, `results` and `facts` are empty."""

    categories: tuple[CategoryScore, ...]
    run: int | None
    kind: PageKind | None = None
    """Kind of the page; null before the first result, and in results older than kinds. `facts.kind` has the evidence."""
    not_for_search: bool = False
    explained: Explanation | None = None
    score_parts: tuple[ScorePart, ...] = ()
    """Points that each finding costs, from 100 to the score; empty without a score."""
    results: tuple[FindingJson, ...] = ()
    facts: Facts = Facts()


_OF_SHOWN_RUN = frozenset({"engine", "judged_as", "counts", "categories", "not_asked", "final_url"})
"""Members of a summary that a report has in full."""
_NOT_FOR_GUESTS = ("id", "project", "client")


class SharedReport(ReportMembers, frozen=True, kw_only=True):
    """Report for guests who may see its page, without information about the account and its other reports."""

    public_id: str
    error: ProblemShape | None
    last_error: ProblemShape | None
    run: int | None
    links: ReportFiles
    client: ClientTexts | UnsetType = UNSET


class RunLinks(Struct, frozen=True, kw_only=True):
    """URL of a run."""

    self: str


class Run(RunMembers, frozen=True, kw_only=True):
    """Run of a report."""

    object: Literal["run"] = "run"
    generated_at: DateTime | None
    error: ProblemShape | None
    links: RunLinks


class Client(ClientView, frozen=True, kw_only=True):
    """Texts and choices of a report's owner for the client."""

    object: Literal["client"] = "client"
    report: int


class Link(Struct, frozen=True, kw_only=True):
    """Link of a report. `until` is the last day (UTC) on which guests can open it, `listed` whether search engines may list it."""

    object: Literal["link"] = "link"
    report: int
    public_id: str
    url: str
    until: Day | None
    listed: bool


class ChangedValue(Struct, frozen=True, kw_only=True):
    """Value of a page that differs between two runs, such as its title; empty if a run has no value."""

    kind: ChangeKind
    before: str
    after: str


class ChangedFindingJson(FindingJson, frozen=True, kw_only=True):
    """Finding with its verdicts in two compared runs."""

    before: Verdict | None
    after: Verdict | None


class Changes(Struct, frozen=True, kw_only=True):
    """Differences between two runs of a report."""

    object: Literal["changes"] = "changes"
    since: int | None
    since_report: int | None
    run: int
    score: ScoreChange
    values: tuple[ChangedValue, ...]
    new: tuple[ChangedFindingJson, ...]
    fixed: tuple[ChangedFindingJson, ...]
    returned: tuple[ChangedFindingJson, ...]
    still: tuple[ChangedFindingJson, ...]
    worse: tuple[ChangedFindingJson, ...]
    """Warnings that became problems."""
    better: tuple[ChangedFindingJson, ...]
    """Problems that became warnings."""
    not_judged: tuple[ChangedFindingJson, ...]
    """Findings of one run that the other did not judge: neither new nor fixed."""
    comparable: bool
    """Whether there is an earlier run whose findings can be compared."""
    reason: NotComparable | None
    """Reason why not."""


class ReportDeleted(Deleted[Literal["report"]], frozen=True, kw_only=True):
    """Deleted report."""


def summary(report: ReportView, urls: ServiceUrls, say: Translator = ENGLISH) -> Summary:
    """Return a report in the shape of lists, with parts of the stored JSON unparsed (`msgspec.Raw`); ``say``: language of its verdict."""
    listed = report.listed
    return shape_of(
        Summary,
        report,
        final_url=listed.final_url or None,
        verdict=verdict(report.verdict, say),
        error=problem(report.error),
        engine=listed.engine,
        judged_as=listed.judged_as,
        last_error=problem(report.last_error),
        counts=listed.counts,
        categories=listed.categories,
        links=_report_links(report, urls),
        progress=report.progress or UNSET,
    )


def _report_links(report: ReportView, urls: ServiceUrls) -> ReportLinks:
    page, endings = urls.share_page(report.public_id), {"json": "json", "csv": "csv", "markdown": "md"}
    endings |= {"pdf": "pdf"} if is_available() else {}
    files = {name: f"{page}/report.{ending}" for name, ending in endings.items()} if report.run is not None else {}
    return ReportLinks(self=urls.report(report.id), html=page, project=urls.project(report.project), **files)


def report(view: ReportView, urls: ServiceUrls, say: Translator = ENGLISH, verdict_say: Translator | None = None) -> Report:
    """Return a report in the shape of the API. Before the first result `results` and `facts` are empty.

    ``verdict_say``: language of its verdict, by default that of the other texts.
    """
    found, listed = view.report, msgspec.structs.asdict(summary(view, urls, verdict_say or say))
    if found is None:
        return Report(**listed, run=view.run)
    again, cms = f"POST /reports/{view.id}/findings/{{key}}/recheck", cms_of(found.facts, found.url)
    return shape_of(
        Report,
        found,
        **{name: value for name, value in listed.items() if name not in _OF_SHOWN_RUN},
        run=view.run,
        final_url=found.url if found.was_loaded else None,
        results=tuple(finding_json(finding, urls.check_docs, say, again, cms) for finding in found.findings),
    )


def shared_report(view: ReportView, urls: ServiceUrls, say: Translator, client: ClientWords) -> SharedReport:
    """Return a report in the shape for guests, with its texts in the language of ``say`` and the owner's texts."""
    whole = report(view, urls, say)
    members = {name: getattr(whole, name) for name in SharedReport.__struct_fields__ if name not in _NOT_FOR_GUESTS}
    categories = tuple(msgspec.structs.replace(category, title=say.text(category.title)) for category in whole.categories)
    files = ReportFiles(**{name: getattr(whole.links, name) for name in ReportFiles.__struct_fields__})
    return SharedReport(
        **{**members, "categories": categories, "error": problem(view.error, say), "links": files}, client=_client_words(client)
    )


def _client_words(client: ClientWords) -> ClientTexts | UnsetType:
    if not (client.summary or client.notes or client.prepared_by or client.prepared_for):
        return UNSET
    return shape_of(ClientTexts, client)


def client(report_id: int, view: ClientView) -> Client:
    """Return the owner's texts and choices for the client of a report in the shape of the API."""
    return shape_of(Client, view, report=report_id)


def link(view: LinkView, urls: ServiceUrls) -> Link:
    """Return the link of a report in the shape of the API."""
    until = view.until.isoformat() if view.until else None
    return shape_of(Link, view, report=view.id, url=urls.share_page(view.public_id), until=until, listed=view.is_listed)


def run(view: RunView, urls: ServiceUrls) -> Run:
    """Return a run of a report in the shape of the API."""
    return shape_of(
        Run,
        view,
        generated_at=view.finished_at,
        error=problem(view.error),
        links=RunLinks(self=urls.run(view.report, view.run)),
    )


def changes(run_changes: RunChanges, urls: ServiceUrls) -> Changes:
    """Return the differences between two runs in the shape of the API."""

    def as_json(item: ChangedFinding) -> ChangedFindingJson:
        found = msgspec.structs.asdict(finding_json(item.finding, urls.check_docs))
        return ChangedFindingJson(**found, before=item.before, after=item.after)

    return shape_of(
        Changes,
        run_changes,
        values=tuple(shape_of(ChangedValue, value) for value in run_changes.values),
        comparable=run_changes.reason is None,
        **run_changes.lists(as_json),
    )
