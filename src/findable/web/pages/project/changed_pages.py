"""Changes since an earlier crawl: the summary on the page of a crawl, and the list of changed pages."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import ClassVar
from urllib.parse import urlencode

from msgspec import Struct
from starlette.responses import Response

from findable.crawl.changes import CHANGE_WORDS, NOT_COMPARED_WORDS, ChangeKind, CrawlComparison, PageChange
from findable.errors import BadRequest, NotFound, ValidationFailed
from findable.reports.site_report import SiteFinding
from findable.reports.titles import readable_url
from findable.service.crawls import crawl_access, crawl_changes
from findable.service.crawls.crawl_changes import ChangeQuery
from findable.web.api.crawl_list_models import ChangesQuery
from findable.web.api.validation import read
from findable.web.pages.project.crawl_overview import REASON_WORDS, crawl_number
from findable.web.pages.project.projects import NO_SUCH_LIST, Pages
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.local_times import Moment, moment_of
from findable.web.pages.shared.page_templates import PageContext, shown_page
from findable.web.pages.shared.viewer import Bar, SignedInRequest, bar_of, for_person
from findable.web.routing import Request, get
from findable.wording import Wording

LISTED = 50
MAX_NAMED = 20
"""Fixed findings that the page of a crawl names."""


class ChangeCount(Struct, frozen=True):
    """Number of pages with a kind of change."""

    number: str
    words: str
    href: str


class CrawlChanges(Struct, frozen=True):
    """Changes since an earlier crawl."""

    since: Moment | None
    href: str
    """The earlier crawl."""
    counts: tuple[ChangeCount, ...]
    findings: str
    """Numbers of findings by their change, in a sentence."""
    fixed: tuple[str, ...]
    """Fixed findings in words."""
    not_compared: str


class ChangeLine(Struct, frozen=True):
    """Change of a page."""

    kind: str
    address: str
    href: str
    before: str
    after: str


class ChangedPagesPage(PageContext, frozen=True):
    """The variables of changed_pages.html."""

    template: ClassVar[str] = "changed_pages.html"
    bar: Bar
    crawl_href: str
    url: str
    since: Moment | None
    """End of the earlier crawl; None while it runs."""
    problem: str
    """Reason why the two crawls are not compared; empty if they are."""
    kinds: tuple[Choice, ...]
    lines: tuple[ChangeLine, ...]
    pages: Pages


def changes_of(comparison: CrawlComparison, own: str, asked: SignedInRequest) -> CrawlChanges:
    """Return the changes since an earlier crawl for the page of a crawl."""
    say, found = asked.say, comparison.findings
    left = sum(comparison.not_compared.values())
    return CrawlChanges(
        since=_moment(comparison, asked),
        href=f"/crawls/{comparison.earlier}",
        counts=tuple(
            ChangeCount(say.number(count), say.text(CHANGE_WORDS[ChangeKind(kind)]), f"{own}/changes?kind={kind}")
            for kind, count in comparison.counts.items()
        ),
        findings=comparison.findings.words(say),
        fixed=tuple(_told(item, say) for item in found.fixed[:MAX_NAMED]),
        not_compared=say.plural(
            "%(count)s page is not compared: it was not requested, or did not respond.",
            "%(count)s pages are not compared: they were not requested, or did not respond.",
            left,
        )
        if left
        else "",
    )


def change_badges(comparison: CrawlComparison | None, say: Wording) -> Mapping[str, str]:
    """Return the words for new and returned findings by their keys."""
    if comparison is None:
        return {}
    found = comparison.findings
    return {item.key: say("new") for item in found.new} | {item.key: say("returned") for item in found.returned}


def _told(item: SiteFinding, say: Wording) -> str:
    return f"{item.summary(say).removesuffix('.')} – {item.where(say)}"


def _moment(comparison: CrawlComparison, asked: SignedInRequest) -> Moment | None:
    if not comparison.since:
        return None
    return moment_of(datetime.fromisoformat(comparison.since), asked.say, asked.zone)


@get("/crawls/{crawl_id}/changes")
async def get_changed_pages(request: Request, crawl_id: str) -> Response:
    """List the changes of pages since an earlier crawl, with the parameters of the API."""
    return await for_person(request, lambda asked: _listed(asked, crawl_number(crawl_id)))


def _query_of(query: Mapping[str, str]) -> ChangeQuery:
    """Return the query of a list. Raises BadRequest for parameters that the list does not have."""
    try:
        wanted = read(ChangesQuery, {name: value for name, value in query.items() if name not in ("fields", "per_page") and value})
    except ValidationFailed as error:
        raise BadRequest(NO_SUCH_LIST) from error
    found = wanted.wanted()
    return ChangeQuery(found.since, found.origins, found.kind, LISTED, found.page, found.cursor)


def _listed(asked: SignedInRequest, number: int) -> Response:
    say, own = asked.say, f"/crawls/{number}/changes"
    kept = {name: value for name in ("since", "map", "kind") if (value := asked.query.get(name))}
    view = crawl_access.get(asked.service, asked.caller, number)
    try:
        found = crawl_changes.changes(asked.service, asked.caller, number, _query_of(asked.query))
    except ValidationFailed as error:  # there is no earlier crawl
        raise NotFound from error
    reason = found.comparison.not_comparable
    compared = {name: value for name, value in kept.items() if name != "kind"}

    def to(cursor: str | None) -> str:
        return f"{own}?{urlencode({**kept, 'cursor': cursor})}#list" if cursor else ""

    shown = ChangedPagesPage(
        bar=bar_of(asked.caller, "projects"),
        crawl_href=f"/crawls/{number}",
        url=view.url,
        since=_moment(found.comparison, asked),
        problem=say("Not compared: %(reason)s", reason=say.text(NOT_COMPARED_WORDS[reason])) if reason is not None else "",
        kinds=tuple(_kinds(found.comparison, own, compared, kept.get("kind", ""), say)),
        lines=tuple(_line(change, number, say) for change in found.page.items),
        pages=Pages(
            to(found.page.prev_cursor),
            to(found.page.next_cursor),
            say.plural("%(count)s change", "%(count)s changes", found.page.total),
        ),
    )
    return shown_page(shown, say)


def _kinds(comparison: CrawlComparison, own: str, compared: Mapping[str, str], chosen: str, say: Wording) -> Iterator[Choice]:
    for kind, words in (("", say("All")), *((kind, say.text(CHANGE_WORDS[ChangeKind(kind)])) for kind in comparison.counts)):
        query = urlencode({**compared, **({"kind": kind} if kind else {})})
        yield Choice("", words, kind == chosen, f"{own}?{query}#list" if query else f"{own}#list")


def _line(change: PageChange, crawl: int, say: Wording) -> ChangeLine:
    before, after = change.before, change.after
    if change.kind in (ChangeKind.BECAME_INDEXABLE, ChangeKind.BECAME_NON_INDEXABLE):
        before, after = (say.text(REASON_WORDS.get(reason, reason)) if reason else "" for reason in (before, after))
    return ChangeLine(
        say.text(CHANGE_WORDS[change.kind]), readable_url(change.url), f"/crawls/{crawl}/pages/{change.number}", before, after
    )
