"""Lines of the first screen that say what stands out of a site."""

from collections.abc import Iterator

from markupsafe import Markup
from msgspec import Struct

from findable.crawl.changes import CrawlComparison
from findable.crawl.standouts import WHOLE_SITE, LostGroup, Standouts, standouts
from findable.reports.site_faults import SiteFault
from findable.reports.site_report import SiteReport
from findable.vocabulary import Verdict
from findable.web.pages.shared.untrusted_text import isolated, sentence
from findable.web.pages.site.filtered_list_urls import PagesLinks
from findable.web.pages.site.site_findings import fault_href, site_card
from findable.wording import Translator

MAX_LINES = 4


class StandoutLine(Struct, frozen=True):
    """Sentence about what stands out of a site."""

    mark: str
    """Name of its icon."""
    words: Markup
    href: str
    """URL of its pages or its finding; empty if the viewer may not see them."""
    change: str = ""
    """New or worse since the previous crawl, in a word; empty for others."""
    is_lost: bool = False
    """Whether it is about pages that are no longer indexable."""


def standout_lines(
    report: SiteReport, comparison: CrawlComparison | None, since: str, findings: str, pages: PagesLinks, say: Translator
) -> tuple[StandoutLine, ...]:
    """Return what stands out of a site, the most harmful first; ``since``: day of the previous crawl, ``findings``: URL of the findings."""
    return tuple(_lines(standouts(report, comparison), report, comparison, since, findings, pages, say))[:MAX_LINES]


def _lines(
    found: Standouts, report: SiteReport, comparison: CrawlComparison | None, since: str, findings: str, pages: PagesLinks, say: Translator
) -> Iterator[StandoutLine]:
    new = {item.key for item in (*comparison.findings.new, *comparison.findings.returned)} if comparison else set()
    for group in found.lost:
        yield StandoutLine(Verdict.FAILED, isolated(f"{group.words(since, say)}.", [group.folder]), _pages_of(group, pages), is_lost=True)

    def line_of(fault: SiteFault, change: str) -> StandoutLine:
        card = site_card(report, fault, say)
        return StandoutLine(card.mark, card.fact, f"{findings}{fault_href(fault)}", change)

    problems = [fault for fault in found.new if fault.verdict is Verdict.FAILED]
    yield from (line_of(fault, say("New:")) for fault in problems)
    for item in found.sections:
        words = isolated(sentence(f"{item.cause_name(say)}: {item.summary(say)}"), [item.cause.key])
        yield StandoutLine(
            site_card(report, item, say).mark, words, f"{findings}{fault_href(SiteFault((item,)))}", say("New:") if item.key in new else ""
        )
    yield from (line_of(fault, say("New:")) for fault in found.new if fault not in problems)
    yield from (line_of(fault, say("Worse:")) for fault in found.worse)


def _pages_of(group: LostGroup, pages: PagesLinks) -> str:
    """Return the URL of the list of the pages of a group."""
    folder = {} if group.folder == WHOLE_SITE else {"folder": group.folder}
    status = group.reason if group.reason.isdigit() else ""
    return pages.url(**({"status": status} if status else {"reason": group.reason}), **folder)


def sound_words(report: SiteReport, since: str, say: Translator) -> str:
    """Return the sentence for a site of which nothing stands out; empty for one that was not crawled to its end."""
    if not report.summary.is_complete:
        return ""
    if since:
        return say("No page was lost since %(since)s, no problem is new, and no section stands out.", since=since)
    return say("No section of the site stands out.")
