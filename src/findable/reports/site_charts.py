"""Charts of a site: clicks from the start page by state, and states and findings before and now."""

from collections.abc import Callable, Sequence

from findable.reports.charts import BarLine, BarTable, PairTable, bands, findings_before_and_now
from findable.reports.reported_finding import AGAINST
from findable.reports.site_areas import UrlState
from findable.reports.site_faults import faults_of
from findable.reports.site_report import SiteReport
from findable.reports.site_structure import DepthStates, SiteStructure, states_of
from findable.wording import Translator

MAX_DEPTHS = 12
"""Number of depths with a separate bar; deeper pages share one bar."""


def depth_bars(structure: SiteStructure, say: Translator, href_of: Callable[[str], str] = lambda _: "") -> BarTable:
    """Return the URLs of a site by clicks from the start page and state; ``href_of`` returns the URL of the list of pages of a depth."""
    shown = states_of(structure.depths)
    most = max((one.urls_count for one in structure.depths), default=1)

    def line(name: str, href: str, parts: Sequence[DepthStates]) -> BarLine:
        return _state_line(name, href, parts, shown, most, say)

    lines = [line(say.number(one.depth), href_of(str(one.depth)), [one]) for one in structure.depths if 0 <= one.depth < MAX_DEPTHS]
    if deeper := [one for one in structure.depths if one.depth >= MAX_DEPTHS]:
        lines.append(line(say("%(depth)s and more", depth=MAX_DEPTHS), href_of(f"{MAX_DEPTHS}.."), deeper))
    if nowhere := [one for one in structure.depths if one.depth < 0]:
        lines.append(line(say("not reachable by links"), "", nowhere))
    return _state_table("depth", say("Clicks from the start page"), say("Clicks"), lines, shown, say)


def states_before_and_now(before: SiteStructure, now: SiteStructure, say: Translator) -> BarTable | None:
    """Return the URLs of two crawls by state; None if one of them has none."""
    shown = states_of((*before.depths, *now.depths))
    if not before.depths or not now.depths:
        return None
    both = {say("Before"): before.depths, say("Now"): now.depths}
    most = max(sum(one.urls_count for one in depths) for depths in both.values())
    lines = tuple(_state_line(name, "", depths, shown, most, say) for name, depths in both.items())
    return _state_table("states", say("Before and now"), say("Crawl"), lines, shown, say)


def site_findings_before_and_now(before: SiteReport, now: SiteReport, say: Translator) -> PairTable | None:
    """Return the problems and warnings of two crawls by category; None without any."""
    then, current = ([fault.check.category for fault in faults_of(one.open) if fault.verdict in AGAINST] for one in (before, now))
    return findings_before_and_now(then, current, say)


def _state_line(name: str, href: str, parts: Sequence[DepthStates], shown: Sequence[UrlState], most: int, say: Translator) -> BarLine:
    counts = {state: sum(one.states.get(state, 0) for one in parts) for state in shown}
    cells = tuple(say.number(count) if count else "–" for count in counts.values())
    return BarLine(name, href, say.number(sum(counts.values())), bands(counts, most), cells)


def _state_table(name: str, title: str, head: str, lines: Sequence[BarLine], shown: Sequence[UrlState], say: Translator) -> BarTable:
    legend = tuple((state, say(state.words)) for state in shown)
    return BarTable(name, title, (head, say("URLs"), *(words for _, words in legend)), tuple(lines), legend=legend)
