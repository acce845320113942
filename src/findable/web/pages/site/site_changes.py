"""Changes of a site since the previous crawl: by kind, with old and new values; new, fixed and returned findings."""

from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct, structs
from starlette.responses import Response

from findable.capture.crawl import Reason
from findable.crawl.changes import NO_RESPONSE, NOT_FOUND_AGAIN, ChangeKind, CrawlComparison, PageChange
from findable.crawl.page_row import REASON_WORDS
from findable.errors import BadRequest, NotFound, ValidationFailed
from findable.reports.reported_finding import AGAINST
from findable.reports.site_report import SiteFinding, SiteReport
from findable.service.crawls import crawl_access, crawl_changes
from findable.service.crawls.crawl_changes import ChangedGroup, ChangeQuery, ListedChanges
from findable.service.values.crawl_values import CrawlView
from findable.vocabulary import words_of
from findable.web.pages.report.run_trend import ChangedLine, FindingChange
from findable.web.pages.result.visits import LinkPageContext, page_fields
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.lines import NO_SUCH_LIST, Pages
from findable.web.pages.shared.local_times import moment_of
from findable.web.pages.site.site_findings import site_card
from findable.web.pages.site.site_parts import BarTable, states_before_and_now
from findable.web.pages.site.site_visit import SITES, SiteVisit, visit_response
from findable.wording import Translator, later

LISTED = 50
GROUPS = 20
"""Maximum number of groups of changes shown."""
FINDINGS = 50
"""Maximum number of findings shown per kind of change."""
LEFT_OUT_WORDS: Mapping[str, str] = {
    NOT_FOUND_AGAIN: later("nothing leads there any more"),
    NO_RESPONSE: later("no usable response"),
}


class SiteChangesPage(LinkPageContext, frozen=True, kw_only=True):
    """Variables of site_changes.html."""

    compared: "ComparedCrawls"
    since: str
    """Id of the chosen earlier crawl; empty for the previous one."""
    problem: str
    """Reason why the crawls cannot be compared; empty if they are comparable."""
    choices: tuple[Choice, ...]
    """Earlier crawls to compare with, for the owner; empty if there is only one."""
    states: BarTable | None
    """URLs of both crawls by state; None if the viewer may not see the structure of the site."""
    kind: str
    """Chosen kind of change, which the form of the choices keeps; empty for all."""
    groups: tuple[tuple[ChangedGroup, str, str], ...]
    """Changes by kind and folder with the old and new value if they have it in common; empty if one kind is chosen."""
    lines: tuple[tuple[PageChange, str, str], ...]
    """Changes of pages, each with the old and the new value."""
    pages: Pages
    findings: tuple[FindingChange, ...]
    marks: frozenset[str]
    """Names of the icons of the findings."""
    left_out: tuple[tuple[str, int], ...]
    """Reasons why pages are not compared, with the number of pages."""


class ComparedCrawls(Struct, frozen=True):
    """Changes since the previous crawl, for a viewer who may see both."""

    comparison: CrawlComparison
    earlier: CrawlView


def comparison_of(visit: SiteVisit) -> ComparedCrawls | None:
    """Return the comparison with the previous crawl; None if there is none, or the viewer may not see it."""
    if not (visit.crawl.is_finished and visit.shows("changes")):
        return None
    found = crawl_changes.summary(visit.service, visit.crawl)
    earlier = (
        crawl_access.compared_crawl(visit.service, visit.access, found.earlier) if found is not None and found.earlier is not None else None
    )
    return None if found is None or earlier is None else ComparedCrawls(found, earlier)


def change_badges(comparison: CrawlComparison, say: Translator) -> Mapping[str, str]:
    """Return the badges of new, returned and worse findings by the keys of the findings."""
    return {
        item.key: badge
        for badge, items in (
            (say("new"), comparison.findings.new),
            (say("returned"), comparison.findings.returned),
            (say("worse"), comparison.findings.worse),
        )
        for item in items
    }


@SITES.viewer_page("/changes")
def get_site_changes(visit: SiteVisit) -> Response:
    """List the changes since the previous crawl; ``kind`` selects one kind, ``since`` another earlier crawl for its owner."""
    main, say = comparison_of(visit), visit.say
    if main is None:
        raise NotFound
    kind = visit.query.get("kind", "")
    if kind and kind not in set(ChangeKind):
        raise BadRequest(NO_SUCH_LIST)
    choices = crawl_access.earlier_crawls(visit.service, visit.access) if visit.owner else ()
    chosen = next((one for one in choices if str(one.id) == visit.query.get("since") and one.id != main.earlier.id), None)
    since = str(chosen.id) if chosen else ""
    query = ChangeQuery(kind=ChangeKind(kind) if kind else None, per_page=LISTED, cursor=visit.query.get("cursor", ""))
    try:
        listed = _changes_since(visit, query, chosen)
    except ValidationFailed as error:
        raise BadRequest(NO_SUCH_LIST) from error
    if listed is None:
        raise NotFound
    found = ComparedCrawls(listed.comparison, chosen or main.earlier)
    report = crawl_access.report(visit.service, visit.crawl)
    reason, changed = found.comparison.not_comparable, found.comparison.findings

    def url_for(cursor: str | None) -> str:
        return f"{visit.url('/changes', since=since, kind=kind, cursor=cursor)}#pages" if cursor else ""

    items = {"new": (*changed.new, *changed.returned), "worse": changed.worse, "better": changed.better, "fixed": changed.fixed}
    returned = frozenset(item.key for item in changed.returned)
    listed_findings = tuple(_findings(name, found, returned, report, visit) for name, found in items.items() if found)
    marks = {"passed" if one.kind == "fixed" else shown.card.mark for one in listed_findings for shown in one.lines}
    total = say.plural("%(count)s change", "%(count)s changes", listed.page.total)
    page = SiteChangesPage(
        **page_fields(visit, "/changes"),
        compared=found,
        since=since,
        problem=say("Not compared: %(reason)s", reason=say.text(reason.words)) if reason else "",
        choices=tuple(_crawl_choice(one, found.earlier, visit) for one in choices) if len(choices) > 1 else (),
        states=_states(found.earlier, report, visit) if not reason and visit.shows("structure") else None,
        kind=kind,
        groups=tuple((group, *change_values(group, say)) for group in listed.groups if group.pages_count > 1)[:GROUPS],
        lines=tuple((change, *change_values(change, say)) for change in listed.page.items),
        pages=Pages(url_for(listed.page.prev_cursor), url_for(listed.page.next_cursor), total),
        findings=listed_findings,
        marks=frozenset(marks),
        left_out=tuple((_left_out_words(reason, say), count) for reason, count in found.comparison.not_compared.items()),
    )
    return visit_response(visit, page)


def _states(earlier: CrawlView, report: SiteReport | None, visit: SiteVisit) -> BarTable | None:
    before = crawl_access.report(visit.service, earlier) if report is not None else None
    return states_before_and_now(before.structure, report.structure, visit.say) if before is not None and report is not None else None


def _changes_since(visit: SiteVisit, query: ChangeQuery, chosen: CrawlView | None) -> ListedChanges | None:
    """Return the changes since the previous crawl, or, for members of the project, since another one."""
    if chosen is not None and visit.owner is not None:
        since = structs.replace(query, since=chosen.id)
        return crawl_changes.changes(visit.service, visit.owner, visit.crawl.id, since, by_folder=True)
    with visit.open_crawl() as handle:
        return crawl_changes.main_changes(handle, query)


def _crawl_choice(crawl: CrawlView, chosen: CrawlView, visit: SiteVisit) -> Choice:
    when = moment_of(crawl.finished_at or crawl.created_at, visit.say, visit.zone)
    words = when.words if crawl.score is None else visit.say("%(moment)s: score %(score)s", moment=when.words, score=crawl.score)
    return Choice(str(crawl.id), words, crawl.id == chosen.id, at=when.iso)


def _reason(reason: str, say: Translator) -> str:
    """Return in words that a page is indexable, or why it is not."""
    if not reason:
        return say("indexable")
    return say("error") if reason == Reason.STATUS else say.text(REASON_WORDS.get(reason, reason))


def change_values(change: ChangedGroup | PageChange, say: Translator) -> tuple[str, str]:
    """Return the old and the new value of a change in words."""
    if change.kind in (ChangeKind.BECAME_INDEXABLE, ChangeKind.BECAME_NON_INDEXABLE):
        return _reason(change.before, say), _reason(change.after, say)
    return change.before, change.after


def _findings(
    kind: str, items: Iterable[SiteFinding], returned: Collection[str], report: SiteReport | None, visit: SiteVisit
) -> FindingChange:
    found = tuple(items)
    lines = tuple(ChangedLine(site_card(report, item, visit.say), item.place(visit.say), item.key in returned) for item in found[:FINDINGS])
    failed, warned = (sum(item.verdict is verdict for item in found) for verdict in AGAINST)
    counts = (
        visit.say.plural("%(count)s problem", "%(count)s problems", failed) if failed else "",
        visit.say.plural("%(count)s warning", "%(count)s warnings", warned) if warned else "",
    )
    return FindingChange(kind, lines, ", ".join(filter(None, counts)))


def _left_out_words(reason: str, say: Translator) -> str:
    return say.text(LEFT_OUT_WORDS.get(reason) or words_of("refusal", reason) or reason)
