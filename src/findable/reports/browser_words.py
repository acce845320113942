"""Words about browser visits: parts of the page, lab values, and how they were measured."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from findable.reports.facts.browser_facts import BrowserFacts, FrameFact, LabMetric, MetricFact
from findable.reports.messages import format_value
from findable.wording import Translator, later

SHORT: Mapping[LabMetric, str] = {LabMetric.LCP: later("LCP"), LabMetric.CLS: later("CLS"), LabMetric.TBT: later("blocking time")}
NO_BREAK = "\u00a0"
COLUMNS = (later("Lab value"), later("Median"), later("Lowest to highest"))
TITLE = later("How the page loads (lab)")
LARGEST_PAINT = later("LCP")
"""Mark of the first frame with the largest contentful paint."""
FILMSTRIP_NOTE = later(
    "Images of one more load, slowed down like the measured ones. LCP marks the first image with the largest contentful paint."
)
_HOW = later(
    "Median of %(loads)s loads on an emulated phone, measured on the machine of this service: %(latency)s more for each request, %(down)s"
    " kbit/s, a processor %(factor)s times slower. These values do not change the rating, and are comparable with one another only."
)
_BUSY = later("The machine was busy: the browser waited %(percent)s %% of its time for a processor, so the values are not rated.")


class ComparedRow(Struct, frozen=True):
    """One part of the page before and after scripts, in words."""

    name: str
    values: tuple[str, ...]
    """Values under `compared_columns`, without the first column."""


def compared_columns(facts: BrowserFacts, say: Translator) -> tuple[str, ...]:
    """Return the names of the columns of `compared_rows`."""
    whole = (say("With the files that robots.txt forbids"),) if _has_whole(facts) else ()
    return (say("Part of the page"), say("As sent"), say("After scripts"), *whole)


def compared_rows(facts: BrowserFacts, say: Translator, *, changed_only: bool = False) -> tuple[ComparedRow, ...]:
    """Return the parts of the page that occur at least once; optionally only those that differ."""
    rows = []
    for one in facts.compared:
        values = (one.as_sent, one.rendered, *((one.with_blocked or "",) if _has_whole(facts) else ()))
        if any(values) and not (changed_only and len(set(values)) == 1):
            rows.append(ComparedRow(say(one.page_part.words), tuple(value or say("none") for value in values)))
    return tuple(rows)


def _has_whole(facts: BrowserFacts) -> bool:
    return any(one.with_blocked for one in facts.compared)


class LabRow(Struct, frozen=True):
    """One lab value in words."""

    name: str
    median: str
    spread: str


def lab_rows(facts: BrowserFacts, say: Translator) -> tuple[LabRow, ...]:
    """Return the lab values; empty if loading was not measured."""
    return tuple(
        LabRow(say(one.metric.words), _value(one, one.median, say), f"{_value(one, one.lowest, say)} – {_value(one, one.highest, say)}")
        for one in facts.metrics
    )


def lab_summary(facts: BrowserFacts, say: Translator) -> str:
    """Return the lab values in one line, and why they are not rated; empty if loading was not measured."""
    if not facts.metrics:
        return ""
    units = {one.metric: _value(one, one.median, say).replace(" ", NO_BREAK) for one in facts.metrics}
    values = ", ".join(f"{say(SHORT[metric])} {value}" for metric, value in units.items() if metric in SHORT)
    if facts.lab and facts.lab.machine_was_busy:
        return say("Not rated, because the machine of this service was busy: %(values)s", values=values)
    return values


def _value(fact: MetricFact, value: float, say: Translator) -> str:
    return format_value("shift" if fact.metric is LabMetric.CLS else "value_ms", value, say)


def frame_time(frame: FrameFact, say: Translator) -> str:
    """Return the time of a frame, like ``1.6 s``."""
    return format_value("at_s", frame.at_ms / 1000, say)


def filmstrip_alt(frames: Sequence[FrameFact], say: Translator) -> str:
    """Return the alternative text of the filmstrip."""
    return say(
        "%(count)s images of the page on a phone while it loads, from %(first)s to %(last)s",
        count=say.number(len(frames)),
        first=frame_time(frames[0], say),
        last=frame_time(frames[-1], say),
    )


def lab_sentences(facts: BrowserFacts, say: Translator) -> Iterator[str]:
    """Yield sentences on how the lab values were measured, or why they are not rated."""
    lab = facts.lab
    if lab is None:
        return
    if lab.machine_was_busy:
        yield say(_BUSY, percent=say.number(round(lab.waited_percent or 0)))
    yield say(
        _HOW,
        loads=say.number(lab.loads_count),
        latency=format_value("latency_ms", lab.latency_ms, say),
        down=say.number(round(lab.download_kbps)),
        factor=say.number(lab.processor_factor),
    )
