"""Lab values of a page: medians of the loads of one visit."""

from collections.abc import Iterable

from msgspec import Struct

from findable.artifacts.html.rendered_document import Visit
from findable.artifacts.registry import Absent, artifact
from findable.capture.rendering import LayoutShift, Load
from findable.values import median
from findable.vocabulary import EVIDENCE_TEXT, Code, Verdict

SESSION_GAP_MS = 1000
SESSION_MS = 5000
"""Maximum length of a session of shifts, which are less than a second apart (web.dev, "Cumulative Layout Shift (CLS)", 2025)."""
BLOCKING_FROM_MS = 50
"""Duration above which a task blocks input (web.dev, "Total Blocking Time (TBT)", 2024)."""
BUSY_FROM = 0.05
"""Share of time waiting for a processor from which the values depend more on the machine than on the page.

Measured with one page: 0.4 % on an idle machine of two cores, 11 % beside 16 busy programs.
"""


class LabValue(Code, params=(EVIDENCE_TEXT,)):
    """Evidence text of findings about lab values, which have no source code to quote."""

    MEDIAN = "median of three loads on an emulated phone"


class LabValues(Struct, frozen=True):
    """Lab values of each load that painted anything, in the order of the loads."""

    lcp_ms: tuple[float, ...]
    cls: tuple[float, ...]
    tbt_ms: tuple[float, ...]
    fcp_ms: tuple[float, ...]
    lcp_selector: str
    """Element of the largest paint in the median load; empty if the browser reported none."""
    waited_share: float | None
    """Median share of time that the browser waited for a processor; None if the system does not report it."""

    @property
    def machine_was_busy(self) -> bool:
        """Whether other work on the machine slowed the loads down, so that the values are unreliable."""
        return self.waited_share is not None and self.waited_share >= BUSY_FROM


class Vitals(Struct, frozen=True):
    """Lab values measured on an emulated phone; they do not represent real visits."""

    lab_lcp_ms: float
    lab_lcp_selector: str
    """Element of the largest paint in the median load; empty if the browser reported none."""
    lab_cls: float
    lab_tbt_ms: float
    lab_fcp_ms: float


@artifact
def make_lab_values(visit: Visit) -> LabValues | Absent:
    """Return the lab values of the loads; absent if no measurement was requested, unknown if no load painted anything."""
    if not visit.rendering.loads and visit.rendering.throttling is None:
        return Absent("the browser did not measure the loading of this page")
    loads = [load for load in visit.rendering.loads if load.first_paint_ms is not None and load.largest_paint is not None]
    if not loads:
        return Absent("the browser measured no load of the page", Verdict.UNKNOWN)
    return LabValues(
        lcp_ms=tuple(_lcp_ms(load) for load in loads),
        cls=tuple(round(cumulative_shift(load.shifts), 3) for load in loads),
        tbt_ms=tuple(blocking_ms(load) for load in loads),
        fcp_ms=tuple(load.first_paint_ms or 0.0 for load in loads),
        lcp_selector=_median_lcp_selector(loads),
        waited_share=median(waited) if (waited := [load.waited_share for load in loads if load.waited_share is not None]) else None,
    )


@artifact
def make_vitals(values: LabValues) -> Vitals | Absent:
    """Return the medians of the lab values; unknown if the machine was busy."""
    if values.machine_was_busy:
        return Absent(
            "not measured: the machine was busy, the browser waited {waited_percent} of its time for a processor",
            Verdict.UNKNOWN,
            {"waited_percent": round(100 * (values.waited_share or 0))},
        )
    return Vitals(
        lab_lcp_ms=float(median(values.lcp_ms)),
        lab_lcp_selector=values.lcp_selector,
        lab_cls=round(float(median(values.cls)), 3),
        lab_tbt_ms=float(median(values.tbt_ms)),
        lab_fcp_ms=float(median(values.fcp_ms)),
    )


def _lcp_ms(load: Load) -> float:
    return load.largest_paint.at_ms if load.largest_paint else 0.0


def _median_lcp_selector(loads: Iterable[Load]) -> str:
    ordered = sorted(loads, key=_lcp_ms)
    middle = ordered[(len(ordered) - 1) // 2].largest_paint
    return middle.selector if middle else ""


def cumulative_shift(shifts: Iterable[LayoutShift]) -> float:
    """Return the cumulative layout shift (CLS): the largest sum of shifts in one session window."""
    largest = total = 0.0
    first_ms = last_ms = float("-inf")
    for shift in sorted(shifts, key=lambda item: item.at_ms):
        if shift.at_ms - last_ms >= SESSION_GAP_MS or shift.at_ms - first_ms >= SESSION_MS:
            total, first_ms = 0.0, shift.at_ms
        total += shift.value
        last_ms = shift.at_ms
        largest = max(largest, total)
    return largest


def blocking_ms(load: Load) -> float:
    """Return the total blocking time (TBT): the time by which long tasks exceed 50 ms between the first paint and the idle page."""
    start_ms = load.first_paint_ms or 0.0
    end_ms = load.quiet_ms if load.quiet_ms is not None else float("inf")
    total = 0.0
    for task in load.long_tasks:
        begun_ms, ended_ms = max(task.start_ms, start_ms), min(task.start_ms + task.duration_ms, end_ms)
        total += max(0.0, ended_ms - begun_ms - BLOCKING_FROM_MS)
    return total
