"""Places of findings in the first view of a page on a phone, as the browser saw it."""

from collections.abc import Iterable, Iterator

from findable.capture.devices import Device
from findable.capture.rendering import Box, Rendering
from findable.checks.evidence import SELECTOR
from findable.reports.facts.browser_facts import MarkFact
from findable.reports.reported_finding import ReportedFinding

MAX_MARKS = 30
"""Maximum number of places of a report."""
LEAST_PX = 2
"""Width and height below which nothing is seen of an element."""


def marks_of(rendering: Rendering, findings: Iterable[ReportedFinding]) -> tuple[MarkFact, ...]:
    """Return the places of problems and warnings whose elements are in the first view; equal boxes of a finding count once."""
    boxes = {selector: seen.box for seen in rendering.first_view for selector in reversed(seen.selectors)}
    boxes |= {node.selector: boxes[node.path] for node in rendering.axe if node.path in boxes}
    found = dict.fromkeys(
        mark
        for finding in findings
        if finding.has_problem
        for item in finding.evidence
        for selector in (item.text if item.kind == SELECTOR else item.selector,)
        if selector in boxes
        for mark in _mark(finding.id, boxes[selector], rendering.device)
    )
    return tuple(found)[:MAX_MARKS]


def _mark(check: str, box: Box, device: Device) -> Iterator[MarkFact]:
    """Yield the part of a box that is in the first view, unless it is too small to be seen."""
    left, top = max(0.0, box.left_px), max(0.0, box.top_px)
    right = min(device.viewport_width_px, box.left_px + box.width_px)
    bottom = min(device.viewport_height_px, box.top_px + box.height_px)
    if min(right - left, bottom - top) >= LEAST_PX:
        yield MarkFact(
            check=check,
            left_percent=round(100 * left / device.viewport_width_px, 1),
            top_percent=round(100 * top / device.viewport_height_px, 1),
            width_percent=round(100 * (right - left) / device.viewport_width_px, 1),
            height_percent=round(100 * (bottom - top) / device.viewport_height_px, 1),
        )
