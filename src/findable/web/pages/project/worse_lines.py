"""Rows of the list of sites that got worse: whether Google can index them, score, new problems, and the first fix."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo

from markupsafe import Markup
from msgspec import Struct, structs

from findable.checks.engine import all_checks
from findable.clock import now
from findable.reports.scoring import rating_of
from findable.reports.search_verdict import DEINDEXED_SCORE, VerdictCode
from findable.reports.site_faults import SiteFault, faults_of
from findable.reports.titles import readable_url
from findable.service.projects.change_overview import ChangedView, LostView
from findable.service.projects.project_lists import ProjectSummary
from findable.service.projects.worse_reports import WorseReport
from findable.service.projects.worse_sites import WorseCause, WorseSite
from findable.urls import start_page_project
from findable.web.pages.project.project_glance import ProjectGlance, glance_of, glance_of_site
from findable.web.pages.project.project_sections import Reader
from findable.web.pages.result.fix_entries import FirstFix
from findable.web.pages.shared.lines import ScoreWords, project_title, project_url, score_words, titled
from findable.web.pages.shared.local_times import Moment, day_of
from findable.web.pages.shared.project_tabs import CHANGES, FINDINGS
from findable.web.pages.shared.untrusted_text import sentence, visible
from findable.web.pages.site.site_findings import fix_of, site_card
from findable.wording import Translator


class WorseCauseLine(Struct, frozen=True):
    """New problem of a site."""

    check: str
    """Id of its check; empty for pages whose score dropped without a new problem."""
    words: str | Markup
    where: str
    """Number of pages in words, or the URL of a single page; empty if unknown, or if it is the page of the row."""
    href: str = ""
    """URL of the report of a single page; else empty."""
    pages: tuple[ChangedView, ...] = ()
    """Pages with a report on which it is new, if there are several."""
    more: str = ""
    """Number of the other pages with a report, in words; empty for none."""


class WorseSiteLine(Struct, frozen=True, kw_only=True):
    """Row about a project with regressions."""

    href: str
    """URL of the project."""
    changes: str
    """URL of its changes: the comparison of the crawls, or the changes in the project."""
    name: str
    when: Moment
    """Day of the change, or of the earlier crawl."""
    is_since: bool = False
    """Whether `when` is the day of the earlier crawl."""
    score_words: ScoreWords | None = None
    """Score now; None for several pages without a score of them all."""
    before: str = ""
    """Earlier score; empty if it has not dropped."""
    basis: str = ""
    """Subject of the scores in words: the site or its only page, unless that is the start page; else the number of pages."""
    indexable_sentence: str = ""
    """Sentence about the pages that Google can index; empty if it is not known."""
    fix: FirstFix | None = None
    """Fix of the new finding that costs a site most; without a new one, and for pages, the first fix on the page of the project."""
    is_fix_new: bool = False
    """Whether the finding of the fix is new."""
    causes: tuple[WorseCauseLine, ...] = ()
    """New problems, without the problem of the fix; those of a site by their cost."""
    total: str = ""
    """Numbers of findings by change, in words; empty if they are not known."""


def worse_lines(
    worse: Sequence[WorseSite],
    reports: Sequence[WorseReport],
    say: Translator,
    zone: tzinfo,
    titles: Mapping[str, str],
    *,
    causes: int,
    pages: int = 0,
) -> Iterator[WorseSiteLine]:
    """Yield the rows of sites with regressions.

    Args:
        worse: sites, the largest drop first.
        reports: newest results of the first sites.
        say: wording of the reader.
        zone: time zone of the reader.
        titles: display names of projects by host.
        causes: maximum number of new problems per site, including that of the first fix.
        pages: maximum number of pages per new problem; 0 on pages that do not list the page reports.
    """
    reader = Reader(say, zone, "", {})
    for place, site in enumerate(worse):
        report = reports[place] if place < len(reports) else WorseReport()
        yield _site_line(site, report, reader, titled(site.project, titles), causes=causes, pages=pages)


def outage_lines(sites: Iterable[ProjectSummary], say: Translator, zone: tzinfo) -> Iterator[WorseSiteLine]:
    """Yield the rows of sites whose outage is not confirmed yet: their scores are those of before."""
    for site in (one.project for one in sites):
        found = site.verdict
        if found is not None and found.is_unconfirmed:
            yield WorseSiteLine(
                href=project_url(site.name),
                changes=f"{project_url(site.name)}/watching",
                name=project_title(site),
                indexable_sentence=found.sentence(say),
                total=say("Watching"),
                when=day_of(found.since or now(), say, zone),
            )


def lost_lines(losses: Iterable[LostView], say: Translator, zone: tzinfo, titles: Mapping[str, str]) -> Iterator[WorseSiteLine]:
    """Yield the rows of sites that lost pages although their score did not drop."""
    for one in losses:
        count = sum(one.counts.values())
        yield WorseSiteLine(
            href=project_url(one.project),
            changes=one.path,
            name=titled(one.project, titles),
            indexable_sentence=say.plural("%(count)s page is no longer indexable", "%(count)s pages are no longer indexable", count),
            when=day_of(one.at, say, zone),
        )


def _site_line(worse: WorseSite, report: WorseReport, reader: Reader, name: str, *, causes: int, pages: int) -> WorseSiteLine:
    say, shown = reader.say, worse.shown
    glance = _glance(report, reader)
    new = sorted(faults_of(report.new), key=lambda fault: (-(fault.gain or 0), -fault.worth))
    found = tuple(_new_problems(worse, new, report, say, pages))
    fix = _fix(worse.project, glance, new, report, say)
    others = [one for one in found if fix is None or one.check != fix.card.id]
    is_fix_new = len(others) < len(found)
    others[:0] = [WorseCauseLine("", one.words, "") for one in (glance.standouts if glance else ()) if one.is_lost]
    before = report.before
    score, score_before = _scores(report, shown)
    return WorseSiteLine(
        href=project_url(worse.project),
        changes=_changes_url(worse, report),
        name=name,
        score_words=None if score is None else score_words(score, rating_of(score).value, say),
        before=str(score_before) if score is not None and score_before is not None and score_before > score else "",
        basis=_basis(worse, report, say),
        indexable_sentence=_sentence(worse, report, glance, say),
        fix=fix,
        is_fix_new=is_fix_new,
        causes=tuple(others[: causes - is_fix_new]),
        total=_total(worse, report, say),
        when=_day_of(worse, report, reader),
        is_since=before is not None,
    )


def _sentence(worse: WorseSite, report: WorseReport, glance: ProjectGlance | None, say: Translator) -> str:
    """Return the verdict in search of the site or page that the row shows; empty if it is not known."""
    found = report.verdict
    if found is not None and found.needs_words and (worse.shown is not None or _is_exposed(report)):
        return found.sentence(say)
    return glance.indexable_sentence if glance and (worse.shown is None or worse.shown.away_since is None) else ""


def _is_exposed(report: WorseReport) -> bool:
    """Return whether Google can index a site that is not meant for search."""
    return report.verdict is not None and report.verdict.code is VerdictCode.EXPOSED and report.verdict.is_site


def _glance(report: WorseReport, reader: Reader) -> ProjectGlance | None:
    if report.site is not None:
        return glance_of_site(report.site, reader)
    return None if report.pages is None else glance_of(report.pages, None, reader)


def _fix(project: str, glance: ProjectGlance | None, new: Sequence[SiteFault], report: WorseReport, say: Translator) -> FirstFix | None:
    if glance is None or not glance.fixes:
        return None
    first = fix_of(report.site.report, new[0], say) if new and report.site else glance.fixes[0]
    return structs.replace(first, href=f"{project_url(project)}/{FINDINGS}#{first.href.rpartition('#')[2]}")


def _scores(report: WorseReport, shown: ChangedView | None) -> tuple[int | None, int | None]:
    """Return the current and the earlier score: of the site or page that the row shows, else the mean of all pages.

    A site that is not meant for search had no score before Google could index it.
    """
    if _is_exposed(report):
        return DEINDEXED_SCORE, None
    if shown is not None:
        return shown.score, shown.score_before
    if report.site is not None:
        return report.site.crawl.score, report.site.base.score if report.site.base else None
    before = report.score_before
    return (None, None) if report.pages is None else (report.pages.score, before.score if before else None)


def _basis(worse: WorseSite, report: WorseReport, say: Translator) -> str:
    """Return the words after the project's name that say what the scores refer to; empty if they refer to its site or start page."""
    shown = worse.shown
    if _is_exposed(report) and not (shown and shown.is_site):
        return ""
    if shown is None:
        count = len(worse.pages)
        scored = report.pages.scored_pages if report.pages else worse.pages[0].scored_pages
        return say.plural("%(count)s of %(all)s page got worse", "%(count)s of %(all)s pages got worse", count, all=say.number(scored))
    name = "" if start_page_project(shown.url) == worse.project else readable_url(shown.url)
    if not shown.is_site:
        return name
    return say("site score of %(name)s", name=name) if name else ""


def _day_of(worse: WorseSite, report: WorseReport, reader: Reader) -> Moment:
    if report.before is not None:
        return day_of(report.before.ended, reader.say, reader.zone, report.site.crawl.ended if report.site else None)
    return day_of(max(view.at for view in (worse.site, *worse.pages) if view is not None), reader.say, reader.zone)


def _changes_url(worse: WorseSite, report: WorseReport) -> str:
    if report.changes:
        return report.changes
    if worse.site is not None:
        return f"{worse.site.path}/changes"
    return f"{project_url(worse.project)}/{FINDINGS}#page-findings" if report.site else f"{project_url(worse.project)}/{CHANGES}"


def _total(worse: WorseSite, report: WorseReport, say: Translator) -> str:
    """Return the numbers of findings by change in words: those of the comparison that the row links to, or new ones of pages."""
    if report.changes:
        return report.compared.short_summary(say) if report.compared else ""
    problems = {cause.check for cause in worse.causes if cause.check}
    failed, warned = len(problems), len(set(report.new_warnings) - problems)
    numbers = (
        say.plural("%(count)s new problem", "%(count)s new problems", failed) if failed else "",
        say.plural("%(count)s new warning", "%(count)s new warnings", warned) if warned else "",
    )
    return ", ".join(filter(None, numbers))


def _new_problems(worse: WorseSite, new: Sequence[SiteFault], report: WorseReport, say: Translator, pages: int) -> Iterator[WorseCauseLine]:
    """Yield the new problems: those of a crawl as its report says them, else those of the pages."""
    for fault in new:
        yield WorseCauseLine(fault.id, site_card(report.site.report if report.site else None, fault, say).fact, fault.place(say))
    if not new and (worse.shown is None or worse.shown.away_since is None):  # otherwise its verdict says so
        yield from (_cause_line(cause, report, say, pages, worse.shown) for cause in worse.causes)


def _cause_line(cause: WorseCause, report: WorseReport, say: Translator, pages: int, shown: ChangedView | None) -> WorseCauseLine:
    """Return the line of a new problem; ``shown`` is the site or page of the row."""
    count = say.plural("%(count)s page", "%(count)s pages", cause.pages_count) if cause.pages_count else ""
    one = cause.pages[0] if cause.pages_count == len(cause.pages) == 1 else None
    left = len(cause.pages) - pages
    return WorseCauseLine(
        check=cause.check,
        words=_cause_words(cause, report, say),
        where=count if one is None else "" if one is shown else readable_url(one.url),
        href="" if one is None else one.path,
        pages=() if one is not None else cause.pages[:pages],
        more=say.plural("%(count)s more page", "%(count)s more pages", left) if pages and left > 0 else "",
    )


def _cause_words(cause: WorseCause, report: WorseReport, say: Translator) -> str:
    """Return a problem in words: its stored sentences, else the finding of its only page, or the statement of the check."""
    if cause.texts:
        return visible(" ".join(sentence(text.words(say)) for text in cause.texts))
    if not cause.check:
        is_away = any(page.away_since is not None for page in cause.pages)
        return say("Cannot be reached") if is_away else say("Lower score without a new problem")
    findings = report.pages.findings if report.pages else ()
    one = next((finding for finding in findings if finding.check == cause.check and finding.example and len(finding.pages) == 1), None)
    said = one.example.summary(say) if one is not None and one.example else say.text(all_checks()[cause.check].documentation.summary)
    return visible(sentence(said))
