"""Lab values of a page: medians over the loads of one visit."""

from collections.abc import Callable, Iterable
from statistics import median

from msgspec import Struct

from findable.artifacts.html.rendered_document import Visit
from findable.artifacts.registry import Absent, artifact
from findable.capture.rendering import LayoutShift, Load
from findable.vocabulary import EVIDENCE_TEXT, Code, Verdict

SESSION_GAP_MS = 1000
SESSION_MS = 5000
"""Maximum length of a session of shifts, which are less than a second apart (web.dev, "Cumulative Layout Shift (CLS)", 2025)."""
BLOCKING_FROM_MS = 50
"""Duration from which a task blocks input (web.dev, "Total Blocking Time (TBT)", 2024)."""


class LabValue(Code, params=(EVIDENCE_TEXT,)):
    """Evidence of lab values, which have no source to quote."""

    MEDIAN = "median of three loads on an emulated phone"


class Vitals(Struct, frozen=True):
    """Lab values of an emulated phone; they do not describe real visits."""

    lab_lcp_ms: float
    lab_lcp_selector: str
    """The element of the largest paint in the load that gave the median; empty where the browser named none."""
    lab_cls: float
    lab_tbt_ms: float
    lab_fcp_ms: float


@artifact
def make_vitals(visit: Visit) -> Vitals | Absent:
    """Return the medians; absent if none was to be measured, unknown if no load painted anything."""
    if not visit.rendering.loads:
        return Absent("the browser did not measure the loading of this page")
    loads = [load for load in visit.rendering.loads if load.first_paint_ms is not None and load.largest_paint is not None]
    if not loads:
        return Absent("the browser measured no load of the page", Verdict.UNKNOWN)
    return Vitals(
        lab_lcp_ms=_median(loads, _lcp_ms),
        lab_lcp_selector=_middle_selector(loads),
        lab_cls=round(_median(loads, lambda load: cumulative_shift(load.shifts)), 3),
        lab_tbt_ms=_median(loads, blocking_ms),
        lab_fcp_ms=_median(loads, lambda load: load.first_paint_ms or 0.0),
    )


def _median(loads: Iterable[Load], value: Callable[[Load], float]) -> float:
    return float(median(value(load) for load in loads))


def _lcp_ms(load: Load) -> float:
    return load.largest_paint.at_ms if load.largest_paint else 0.0


def _middle_selector(loads: Iterable[Load]) -> str:
    ordered = sorted(loads, key=_lcp_ms)
    middle = ordered[(len(ordered) - 1) // 2].largest_paint
    return middle.selector if middle else ""


def cumulative_shift(shifts: Iterable[LayoutShift]) -> float:
    """Return the largest sum of the shifts of one session."""
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
    """Return the time by which long tasks exceed 50 ms, between the first paint and the moment the page became quiet."""
    start_ms = load.first_paint_ms or 0.0
    end_ms = load.quiet_ms if load.quiet_ms is not None else float("inf")
    total = 0.0
    for task in load.long_tasks:
        begun_ms, ended_ms = max(task.start_ms, start_ms), min(task.start_ms + task.duration_ms, end_ms)
        total += max(0.0, ended_ms - begun_ms - BLOCKING_FROM_MS)
    return total
