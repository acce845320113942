"""Projects and their settings in the shape of the API."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from findable.export.new_issue import IssueTracker
from findable.service.projects.project_lists import ProjectSummary
from findable.service.values.project_values import IdentityView, ProjectSize, ProjectView
from findable.service_urls import ServiceUrls
from findable.values import DateTime, shape_of
from findable.vocabulary import BrowserUse, Importance, Privacy, ScoreOf, Verdict
from findable.web.api.shape_parts import Day, Deleted, Result, Score, VerdictShape, verdict
from findable.wording import ENGLISH, Translator


class ProjectLinks(Struct, frozen=True, kw_only=True):
    """URLs of a project."""

    self: str
    html: str
    reports: str


class Project(Struct, frozen=True, kw_only=True):
    """Project: a site with its score. `score_of` is `site` if the score is that of the last complete crawl, `pages` if it is a mean.

    The limits of the start page's score also limit the mean; `result` is the rating of the score.
    """

    id: int
    object: Literal["project"] = "project"
    project: str
    """Host, which identifies it."""
    display_name: str
    """Name for people; the host if none was set."""
    client: str | None
    """Name of the client."""
    tags: list[str]
    owner: str | None
    """Email address of the person responsible for the site."""
    created_at: DateTime
    reports_count: int
    result: Result | None
    score: Score | None
    verdict: VerdictShape | None
    """Verdict of the site by its newest crawl, else by the report of its start page; null without either."""
    score_of: ScoreOf | None
    scored_pages: int
    """Number of pages in that crawl, or of pages averaged in the score."""
    indexable_pages: int | None
    """Number of indexable pages of that crawl; null without one."""
    problems_count: int | None
    """Number of problems of that crawl; null without one."""
    watched: bool
    """Whether a schedule crawls the site or runs its reports."""
    last_generated_at: DateTime | None
    """Time of the newest rated report."""
    links: ProjectLinks


class ListedProject(Project, frozen=True, kw_only=True):
    """Project in a list, with the score of a week ago."""

    score_before: Score | None
    """Score that the present one is compared with: a week ago, or the oldest one since; null if there is none."""


class RetentionShape(Struct, frozen=True, kw_only=True):
    """Days for which runs of a project and their data are stored."""

    all_days: int
    """Days for all runs and crawls."""
    weekly_days: int
    """Days for the first run of each week; later only the first run of each month is stored."""
    saved_days: int
    """Days for saved pages, screenshots, and responses of crawls before the last two."""


class BrowserOptionsShape(Struct, frozen=True, kw_only=True):
    """Options of a project's browser visits."""

    dismiss_consent: bool
    without_blocked: bool
    wait_for: str | None
    """CSS selector of an element to wait for."""
    blocked_hosts: list[str]
    """Hosts that are not loaded, with all names below them."""
    load_trackers: bool


class ProjectWhole(Project, frozen=True, kw_only=True):
    """Project with its settings; null selects the account's setting."""

    not_for_search: list[str]
    brand_name: str | None
    brand_color: str | None
    has_logo: bool
    brand_reply_to: str | None
    rating_words: str | None
    language: str | None
    default_privacy: Literal[0, 1] | None
    browser: BrowserUse | None
    browser_options: BrowserOptionsShape
    segments: dict[str, list[str]]
    """Patterns by name of the segment."""
    extractors: dict[str, str]
    """Rules by name of the extractor."""
    retention: RetentionShape
    size: ProjectSize
    tracker: IssueTracker | None
    identity: IdentityView | None


class ProjectLink(Struct, frozen=True, kw_only=True):
    """Link of a project with its terms. Guests see results that they could also open by their own links."""

    object: Literal["link"] = "link"
    project: str
    privacy: Privacy
    has_password: bool
    public_id: str
    url: str
    until: Day | None
    listed: bool


class ProjectFindingPage(Struct, frozen=True, kw_only=True):
    """Page with a finding of its project."""

    report: int
    url: str
    score: Score | None


class ProjectFinding(Struct, frozen=True, kw_only=True):
    """Problem or warning of a project: a check with a problem on some of its pages."""

    id: str
    object: Literal["finding"] = "finding"
    category: str
    verdict: Verdict
    """Worst verdict on any page."""
    importance: Importance
    summary: str
    pages_count: int
    new_on: int
    """Number of pages on which it is new since their previous run."""
    pages: list[ProjectFindingPage]
    """Affected pages, failed ones first: up to 100."""


class ProjectRoleDeleted(Deleted[Literal["role"]], frozen=True, kw_only=True):
    """Removed project role; `id` is the person's id."""


class UrlDataDeleted(Struct, frozen=True, kw_only=True):
    """Deleted upload of a source."""

    source: str
    object: Literal["url_data"] = "url_data"
    deleted: Annotated[bool, Meta(description="Always true.")] = True


class ProjectDeleted(Struct, frozen=True, kw_only=True):
    """Deleted project with its reports."""

    id: int
    object: Literal["project"] = "project"
    project: str
    deleted: Annotated[bool, Meta(description="Always true.")] = True
    reports_deleted: int


def project(view: ProjectView, urls: ServiceUrls, say: Translator = ENGLISH) -> Project:
    """Return a project in the shape of the API; ``say``: language of its verdict."""
    return shape_of(
        Project,
        view,
        project=view.name,
        display_name=view.display,
        client=view.client or None,
        tags=list(view.tags),
        owner=view.owner or None,
        watched=view.is_watched,
        verdict=verdict(view.verdict, say),
        links=ProjectLinks(self=urls.project(view.name), html=urls.project_page(view.name), reports=urls.reports_of(view.name)),
    )


def listed_project(line: ProjectSummary, urls: ServiceUrls, say: Translator = ENGLISH) -> ListedProject:
    """Return a project of a list in the shape of the API."""
    before = line.before.score if line.before else None
    return ListedProject(**msgspec.structs.asdict(project(line.project, urls, say)), score_before=before)


def project_whole(view: ProjectView, urls: ServiceUrls, say: Translator = ENGLISH) -> ProjectWhole:
    """Return a project with its settings in the shape of the API."""
    return shape_of(
        ProjectWhole,
        view,
        **msgspec.structs.asdict(project(view, urls, say)),
        brand_name=view.brand_name or None,
        brand_color=view.brand_color or None,
        brand_reply_to=view.brand_reply_to or None,
        rating_words=view.rating_words or None,
        segments={segment.name: list(segment.patterns) for segment in view.segments},
        extractors={extractor.name: extractor.rule for extractor in view.extractors},
        retention=shape_of(RetentionShape, view.retention, saved_days=view.saved_days),
        browser_options=shape_of(
            BrowserOptionsShape,
            view.browser_options,
            wait_for=view.browser_options.wait_for or None,
            blocked_hosts=list(view.browser_options.blocked_hosts),
        ),
    )
