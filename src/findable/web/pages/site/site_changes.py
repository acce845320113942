"""Comparison of a crawl with an earlier one: score, new, worse, better, fixed and returned findings, and changes of pages by kind."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any
from urllib.parse import quote

from msgspec import Struct, structs
from starlette.responses import Response

from findable.clock import now
from findable.crawl.changes import NO_RESPONSE, NOT_FOUND_AGAIN, ChangeKind, CrawlComparison, PageChange
from findable.crawl.standouts import reason_words
from findable.errors import BadRequest, NotFound, ValidationFailed, require_found
from findable.reports.charts import BarTable, PairTable
from findable.reports.difference import NotComparable
from findable.reports.earlier_score import WEEK
from findable.reports.search_verdict import crawl_end_words
from findable.reports.site_charts import site_findings_before_and_now, states_before_and_now
from findable.reports.site_difference import SiteDifference
from findable.reports.site_faults import SiteFault, faults_of
from findable.reports.site_report import SiteFinding, SiteReport, faults_by_verdict
from findable.reports.titles import counts_sentence
from findable.service.crawls import crawl_access, crawl_changes
from findable.service.crawls.crawl_changes import ChangedGroup, ChangeQuery, ListedChanges
from findable.service.values.crawl_values import CrawlView
from findable.vocabulary import words_of
from findable.web.pages.result.changes import ChangedLine, FindingChange
from findable.web.pages.result.finding_cards import Card, in_plain_words
from findable.web.pages.result.findings_table import change_badge
from findable.web.pages.result.link_pages import LinkPageContext, page_fields
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.lines import NO_SUCH_LIST, Pages
from findable.web.pages.shared.local_times import day_of, moment_of
from findable.web.pages.site.site_findings import site_card
from findable.web.pages.site.site_verdict import change_words
from findable.web.pages.site.site_visit import PREFIX, SITES, SiteVisit, visit_response
from findable.wording import Translator, later

LISTED = 50
GROUPS = 20
"""Maximum number of groups of changes shown."""
KINDS_OF_FINDINGS = ("new", "worse", "better", "fixed")
FINDINGS = 50
"""Maximum number of faults shown per kind of change."""
MONTH = timedelta(weeks=4)
"""Age of the crawl of a month ago, so that a site that is crawled each week has one."""
LEFT_OUT_WORDS: Mapping[str, str] = {
    NOT_FOUND_AGAIN: later("nothing leads there any more"),
    NO_RESPONSE: later("no usable response"),
}


class SiteChangesPage(LinkPageContext, frozen=True, kw_only=True):
    """Variables of site_changes.html."""

    problem: str = ""
    """Reason why the newest crawl, or the chosen one, cannot be compared, in a sentence; empty if it can."""
    compared: "ComparedCrawls | None" = None
    """Crawls that are compared; None if there is none to compare with."""
    change: str = ""
    """Change of the score in words; empty if the scores cannot be compared."""
    since: str = ""
    """Id of the chosen earlier crawl; empty for the previous one."""
    shortcuts: tuple[Choice, ...] = ()
    """The previous crawl, and those of a week and of a month ago, for the owner."""
    choices: tuple[Choice, ...] = ()
    """Earlier crawls to compare with, for the owner; empty if there is only one."""
    states: BarTable | None = None
    """URLs of both crawls by state; None if the viewer may not see the structure of the site."""
    kinds: PairTable | None = None
    """Problems and warnings of both crawls by category; None if they cannot be compared."""
    kind: str = ""
    """Chosen kind of change, which the form of the choices keeps; empty for all."""
    groups: tuple[tuple[ChangedGroup, str, str], ...] = ()
    """Changes by kind and folder with the old and new value if they have it in common; empty if one kind is chosen."""
    lines: tuple[tuple[PageChange, str, str], ...] = ()
    """Changes of pages, each with the old and the new value."""
    pages: Pages | None = None
    findings: tuple[FindingChange, ...] = ()
    marks: frozenset[str] = frozenset()
    """Names of the icons of the findings."""
    left_out: tuple[tuple[str, int], ...] = ()
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


def change_badges(comparison: CrawlComparison, say: Translator, *, is_plain: bool) -> Mapping[str, str]:
    """Return the badges of new, returned and worse findings by the keys of the findings."""
    return {
        item.key: change_badge(badge, say, is_plain=is_plain)
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
    return visit_response(visit, SiteChangesPage(**changes_fields(visit)))


def changes_fields(visit: SiteVisit, problem: str = "") -> dict[str, Any]:
    """Return the fields of a `SiteChangesPage`. If the crawl cannot be compared, they are those of the last one that can.

    ``problem`` says why a newer crawl cannot be compared.
    """
    main, say = comparison_of(visit), visit.say
    kind = visit.query.get("kind", "")
    if kind and kind not in set(ChangeKind):
        raise BadRequest(NO_SUCH_LIST)
    earlier_crawls = crawl_access.earlier_crawls(visit.service, visit.access) if visit.owner else ()
    usable = tuple(one for one, is_comparable in earlier_crawls if is_comparable)
    previous = main.earlier if main is not None else next(iter(usable), None)
    if previous is None:
        return _fields_of_last(visit, problem)
    earlier = next((one for one, _ in earlier_crawls if str(one.id) == visit.query.get("since")), previous)
    since = str(earlier.id) if earlier.id != previous.id else ""
    query = ChangeQuery(kind=ChangeKind(kind) if kind else None, per_page=LISTED, cursor=visit.query.get("cursor", ""))
    try:
        listed = require_found(_changes_since(visit, query, None if main is not None and not since else earlier))
    except ValidationFailed as error:
        raise BadRequest(NO_SUCH_LIST) from error
    found = ComparedCrawls(listed.comparison, earlier)
    report, before = crawl_access.report(visit.service, visit.crawl), crawl_access.report(visit.service, earlier)
    reason, changed = found.comparison.not_comparable, found.comparison.findings

    def url_for(cursor: str | None) -> str:
        return f"{visit.changes_url(since=since, kind=kind, cursor=cursor)}#pages" if cursor else ""

    pages = dict.fromkeys(KINDS_OF_FINDINGS, f"{PREFIX}{visit.crawl.public_id}/pages") if visit.shows("pages") else {}
    if pages:
        pages["fixed"] = f"{PREFIX}{earlier.public_id}/pages" if visit.owner is not None else ""
    listed_findings = changed_findings(changed, report, say, pages, is_plain=visit.is_plain)
    total = say.plural("%(count)s change", "%(count)s changes", listed.page.total)
    scores = () if reason or changed.reason or visit.crawl.score is None else (visit.crawl.score,)
    return {
        **page_fields(visit, "/changes"),
        "problem": say("Not compared: %(reason)s", reason=say.text(reason.words)) if reason else problem,
        "compared": found,
        "change": "".join(change_words(score, visit.crawl, earlier, say, visit.zone) for score in scores),
        "since": since,
        "shortcuts": tuple(_shortcuts(previous, usable, earlier, visit)) if len(earlier_crawls) > 1 else (),
        "choices": tuple(_crawl_choice(*one, earlier, visit) for one in earlier_crawls) if len(earlier_crawls) > 1 else (),
        **(_charts(before, report, visit) if before and report and not reason else {}),
        "kind": kind,
        "groups": tuple((group, *change_values(group, say)) for group in listed.groups if group.pages_count > 1)[:GROUPS],
        "lines": tuple((change, *change_values(change, say)) for change in listed.page.items),
        "pages": Pages(url_for(listed.page.prev_cursor), url_for(listed.page.next_cursor), total),
        "findings": listed_findings,
        "marks": frozenset("passed" if one.kind == "fixed" else line.card.mark for one in listed_findings for line in one.lines),
        "left_out": tuple(
            (say.text(LEFT_OUT_WORDS.get(name) or words_of("refusal", name) or name), count)
            for name, count in found.comparison.not_compared.items()
        ),
    }


def _fields_of_last(visit: SiteVisit, problem: str) -> dict[str, Any]:
    """Return the fields for a crawl that cannot be compared: with the changes of the last one that can. Raises NotFound for guests."""
    if visit.owner is None:
        raise NotFound
    crawl, say = visit.crawl, visit.say
    last = None if problem else crawl_access.last_compared(visit.service, crawl)
    reason = crawl_access.incomparable_before(visit.service, visit.access) or NotComparable.NO_EARLIER
    words = say.text(reason.words)
    if reason is NotComparable.AFTER_INCOMPLETE and crawl.ended_by is not None:
        report = crawl_access.report(visit.service, crawl)
        words = crawl_end_words(crawl.ended_by, report.summary.start if report else None, say)
    when = say.moment(crawl.ended, visit.zone)
    said = problem or say("The crawl of %(moment)s cannot be compared with an earlier one: %(reason)s.", moment=when, reason=words)
    if last is None:
        return {**page_fields(visit, "/changes"), "problem": said}
    said += f" {say('The last crawl that can be compared is that of %(moment)s.', moment=say.moment(last.ended, visit.zone))}"
    access = structs.replace(visit.access, crawl=last)
    return changes_fields(structs.replace(visit, crawl=last, access=access, path=f"{PREFIX}{last.public_id}"), said)


def _shortcuts(previous: CrawlView, usable: Sequence[CrawlView], chosen: CrawlView, visit: SiteVisit) -> Iterator[Choice]:
    """Yield the previous crawl, and the last ones that are a week and a month old."""
    say, present = visit.say, now()
    for words, age in ((say("Previous crawl"), None), (say("A week ago"), WEEK), (say("A month ago"), MONTH)):
        one = previous if age is None else next((one for one in usable if one.ended <= present - age), None)
        if one is not None:
            day = day_of(one.ended, say, visit.zone, visit.crawl.ended).words
            href = visit.changes_url(since=str(one.id) if one.id != previous.id else "")
            yield Choice(str(one.id), f"{words}: {day}", one.id == chosen.id, href)


def _charts(before: SiteReport, report: SiteReport, visit: SiteVisit) -> Mapping[str, BarTable | PairTable | None]:
    return {
        "states": states_before_and_now(before.structure, report.structure, visit.say) if visit.shows("structure") else None,
        "kinds": site_findings_before_and_now(before, report, visit.say),
    }


def _changes_since(visit: SiteVisit, query: ChangeQuery, chosen: CrawlView | None) -> ListedChanges | None:
    """Return the changes since the previous crawl, or, for members of the project, since another one."""
    if chosen is not None and visit.owner is not None:
        since = structs.replace(query, since=chosen.id)
        return crawl_changes.changes(visit.service, visit.owner, visit.crawl.id, since, by_folder=True)
    with visit.open_crawl() as handle:
        return crawl_changes.main_changes(handle, query)


def _crawl_choice(crawl: CrawlView, is_comparable: bool, chosen: CrawlView, visit: SiteVisit) -> Choice:  # noqa: FBT001 - a pair
    when = moment_of(crawl.ended, visit.say, visit.zone)
    words = visit.say("%(moment)s: score %(score)s", moment=when.words, score=crawl.score)
    words = words if is_comparable else visit.say("%(moment)s: cannot be compared", moment=when.words)
    return Choice(str(crawl.id), words, crawl.id == chosen.id, at=when.iso)


def _listing(reason: str, say: Translator) -> str:
    """Return in words that a page is indexable, or why it is not."""
    return reason_words(reason, say) if reason else say("indexable")


def change_values(change: ChangedGroup | PageChange, say: Translator) -> tuple[str, str]:
    """Return the old and the new value of a change in words."""
    if change.kind in (ChangeKind.BECAME_INDEXABLE, ChangeKind.BECAME_NON_INDEXABLE):
        return _listing(change.before, say), _listing(change.after, say)
    return change.before, change.after


def changed_findings(
    changed: SiteDifference, report: SiteReport | None, say: Translator, pages: Mapping[str, str] | None = None, *, is_plain: bool = False
) -> tuple[FindingChange, ...]:
    """Return the changed findings by the kind of change, in plain words or with all details.

    ``pages`` has the lists of pages by kind, for viewers who may open them.
    """
    cms = (report.summary.cms if report else "") if is_plain else None
    found = dict(zip(KINDS_OF_FINDINGS, ((*changed.new, *changed.returned), changed.worse, changed.better, changed.fixed), strict=True))
    returned = frozenset(item.key for item in changed.returned)
    return tuple(
        FindingChange(
            kind,
            tuple(_lines(items, returned, report, say, (pages or {}).get(kind, ""), cms)),
            counts_sentence(faults_by_verdict(items), say),
        )
        for kind, items in found.items()
        if items
    )


def _lines(
    found: Iterable[SiteFinding], returned: Collection[str], report: SiteReport | None, say: Translator, pages: str, cms: str | None
) -> Iterator[ChangedLine]:
    """Yield the changed faults, each with its groups if it has several; ``pages`` is the list of pages with them, empty for none.

    ``cms``: content management system, empty if unknown, for faults in plain words; None for faults with all details.
    """

    def line_of(groups: Sequence[SiteFinding], shown: Card, place: str) -> ChangedLine:
        href = f"{pages}?finding={quote(groups[0].key, safe='')}" if pages and len(groups) == 1 else ""
        return ChangedLine(shown, place, any(item.key in returned for item in groups), href)

    def lines_of(fault: SiteFault) -> ChangedLine:
        made = in_plain_words(say, cms, site_card(report, fault, say))
        line = line_of(fault.groups, made, fault.plain_place(say) if made.plain else fault.place(say))
        parts = () if fault.is_single or made.plain else fault.groups
        return structs.replace(line, groups=tuple(line_of((item,), site_card(report, item, say), item.place(say)) for item in parts))

    return map(lines_of, faults_of(found)[:FINDINGS])
