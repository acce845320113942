"""First screen of a project or batch: whether Google can index it, its score and its change, and the most important fixes.

A project with the score of a crawl shows the sentence, the change and the fixes of that crawl, like the report of the site.
"""

from collections.abc import Iterator
from datetime import datetime
from itertools import takewhile

from markupsafe import escape
from msgspec import Struct, structs

from findable.clock import now
from findable.reports.earlier_score import by_ruleset, score_base
from findable.reports.project_report import ProjectPage, ProjectReport, TrendPoint
from findable.reports.score_change_words import direction, last_score, score_before_outage, score_change_words
from findable.service.projects.project_site import ProjectSite
from findable.vocabulary import Rating
from findable.web.pages.project.project_sections import Reader, statement_of
from findable.web.pages.result.finding_cards import card
from findable.web.pages.result.fix_entries import FirstFix
from findable.web.pages.result.verdict import ResultVerdict
from findable.web.pages.shared.local_times import Moment, day_of, moment_of
from findable.web.pages.shared.project_tabs import FINDINGS, REPORTS
from findable.web.pages.shared.score_bar import score_bar
from findable.web.pages.site.filtered_list_urls import PagesLinks
from findable.web.pages.site.site_findings import first_fixes
from findable.web.pages.site.site_verdict import site_verdict
from findable.web.pages.site.standout_lines import StandoutLine, standout_lines
from findable.wording import Translator

FIXES = 3
UNLISTED = 3
"""Maximum number of listed pages that Google cannot index."""


class ProjectGlance(Struct, frozen=True, kw_only=True):
    """Content of the first screen of a project's page."""

    indexable_sentence: str
    """Sentence about the pages that Google can index; empty without pages."""
    verdict: ResultVerdict | None
    """Score with its change; None for a batch, and for a project without a score."""
    facts: tuple[str, ...]
    """Basis and counts of the score, and its limit, in sentences without a full stop."""
    fixes: tuple[FirstFix, ...]
    unindexable_pages: tuple[ProjectPage, ...] = ()
    """First pages that Google cannot index; the sentence above contains the reason of the only page of a project."""
    more_unindexable_count: int = 0
    pages_href: str = ""
    """URL of the list of pages."""
    host: str = ""
    """Host of the project, which its pages are listed without."""
    has_one_page: bool = False
    changes: str = ""
    """Numbers of new and fixed findings of a crawl, in words."""
    changes_href: str = ""
    """URL of the changes of a crawl; empty for pages."""
    crawled: Moment | None = None
    """End of the crawl that score and fixes come from; None if they come from page reports."""
    site_href: str = ""
    """URL of the report of the crawl; empty for guests."""
    standouts: tuple[StandoutLine, ...] = ()
    """Sentences about what stands out of the crawled site, the most harmful first."""
    is_of_site: bool = False
    """Whether score and fixes come from a crawl."""

    @property
    def rating(self) -> str:
        """Rating of the score, a class of the stylesheet; empty without a score."""
        return self.verdict.rating if self.verdict else ""


def glance_of(report: ProjectReport, site: ProjectSite | None, reader: Reader) -> ProjectGlance:
    """Return the first screen of a project or batch: from its newest crawl ``site``; without one, from its page reports."""
    glance = _glance_of_pages(report, reader) if site is None else glance_of_site(site, reader)
    at = site.crawl.ended if site else report.at
    if report.verdict is not None and report.verdict.leaves_rating and glance.verdict is not None and at is not None:
        before = score_before_outage(glance.verdict.score, reader.say.day(at, reader.zone), reader.say)
        return structs.replace(glance, verdict=glance.verdict.of_before(before, reader.say), changes="")
    return glance if site is None or report.score == site.report.score else _with_verdict(glance, report, site, reader)


def _with_verdict(glance: ProjectGlance, report: ProjectReport, site: ProjectSite, reader: Reader) -> ProjectGlance:
    """Return the first screen of a project whose later verdict decides its score: what it says comes before the fixes of the crawl."""
    verdict = _verdict(report.score, report.result, reader.say)
    facts = (last_score(site.report.score, reader.say.day(site.crawl.ended, reader.zone), reader.say),)
    return structs.replace(glance, verdict=verdict, facts=facts, changes="", fixes=(), standouts=(), crawled=None)


def glance_of_site(site: ProjectSite, reader: Reader) -> ProjectGlance:
    """Return the first screen of a project from its newest crawl. Guests stay on the page, which has the findings and the changes."""
    say, href = reader.say, f"/s/{site.crawl.public_id}" if reader.is_owner else ""
    crawled = say.plural("%(count)s page crawled", "%(count)s pages crawled", site.report.summary.pages_count)
    verdict = site_verdict(site.report, site.crawl, site.base, say, reader.zone, site.moved)
    fixes = (structs.replace(one, href=f"{href}{one.href}") for one in first_fixes(site.report, None, say, is_plain=reader.is_plain))
    findings = site.comparison.findings if site.comparison and site.comparison.not_comparable is None else None
    has_moved = verdict is not None and bool(verdict.change_href) and reader.is_owner
    return ProjectGlance(
        indexable_sentence=found.sentence(say) if (found := site.report.verdict).needs_words else site.report.listing_sentence(say),
        verdict=verdict,
        facts=tuple(filter(None, (f"{crawled}, {verdict.counts}", verdict.limit))) if verdict else (),
        changes=say("What changed") if has_moved else findings.short_summary(say) if findings else "",
        changes_href=verdict.change_href if verdict and has_moved else f"{reader.project}/changes" if reader.is_owner else "#changes",
        fixes=tuple(fixes),
        crawled=moment_of(site.crawl.ended, say, reader.zone),
        site_href=href,
        standouts=standout_lines(site.report, site.comparison, _day_before(site, reader), href, PagesLinks(""), say),
        is_of_site=True,
    )


def _day_before(site: ProjectSite, reader: Reader) -> str:
    """Return the day of the crawl that the crawl of a project is compared with; empty without one."""
    if site.comparison is None or not site.comparison.since:
        return ""
    ended = site.base.ended if site.base else datetime.fromisoformat(site.comparison.since)
    return day_of(ended, reader.say, reader.zone, site.crawl.ended).words


def _glance_of_pages(report: ProjectReport, reader: Reader) -> ProjectGlance:
    say = reader.say
    unlisted = report.unlisted_pages
    mean = (
        say.plural("score of %(count)s page", "mean of %(count)s pages", report.scored_pages)
        if len(report.pages) > 1 and report.score is not None
        else ""
    )
    limited = say("Limited to %(score)s by the start page", score=report.score) if report.is_limited_by_start else ""
    before = _score_before(report)
    words = ""
    if before is not None and before.score is not None and report.score is not None:
        day = say.day(before.at, reader.zone)
        words = score_change_words(before.score, report.score, day, say) or say.plural(
            "The same score as in the report of %(day)s", "The same score as in the reports of %(day)s", report.scored_pages, day=day
        )
    moved = direction(before.score if before else None, report.score)
    outlook = report.outlook(say) if report.result else (0, "")
    return ProjectGlance(
        indexable_sentence=report.listing_sentence(say),
        unindexable_pages=tuple(unlisted[:UNLISTED]),
        more_unindexable_count=max(0, len(unlisted) - UNLISTED),
        pages_href=f"{reader.project}/{REPORTS}" if reader.project else "#reports",
        host=report.name,
        has_one_page=len(report.pages) == 1,
        verdict=_verdict(report.score, report.result, say, outlook, words, moved),
        facts=tuple(filter(None, (f"{mean[:1].upper()}{mean[1:]}", limited))),
        fixes=() if report.is_away else tuple(_fixes(report, reader)),
    )


def _verdict(
    score: int | None, result: Rating | None, say: Translator, outlook: tuple[int, str] = (0, ""), change: str = "", direction: str = "same"
) -> ResultVerdict | None:
    """Return the rating of pages; None without a score. ``outlook``: score after the first fixes, with words for them."""
    if score is None or result is None:
        return None
    bar = score_bar(score, result.value, say, *outlook)
    return ResultVerdict(bar=bar, words=bar.words, counts="", limit="", change=change, direction=direction)


def _score_before(report: ProjectReport) -> TrendPoint | None:
    """Return the earlier mean score of the same number of pages, with which the current one is compared."""
    scores = [point for point in report.trend if point.score is not None]
    if not scores:
        return None
    newest = by_ruleset(scores)[-1]
    same_pages = takewhile(lambda point: point.pages == newest[-1].pages, reversed(newest[:-1]))
    return score_base(same_pages, lambda point: point.at, scores[-1].at, now())


def _fixes(report: ProjectReport, reader: Reader) -> Iterator[FirstFix]:
    """Yield the fixes that gain most over all pages of the project."""
    shown = [finding for finding in report.first_fixes if finding.example is not None][: max(FIXES, report.after_first[1])]
    for finding in shown:
        if finding.example is None:
            continue
        say = reader.say
        made = card(structs.replace(finding.example, verdict=finding.verdict), say, names=reader.is_owner)
        if len(finding.pages) > 1:
            made = structs.replace(made, fact=escape(statement_of(finding.check, say)))
        yield FirstFix(
            card=made,
            href=f"{reader.project}/{FINDINGS}#{finding.check}" if reader.project else f"#{finding.check}",
            where=report.where(finding, say) if len(report.pages) > 1 else "",
            gain=report.gain_words(finding, say),
        )
