"""What to fix first: the one order in which page, terminal, Markdown and PDF name what is held against a page."""

from collections.abc import Mapping, Sequence
from typing import Any

from findable.vocabulary import Effort

AGAINST = ("failed", "warned")
SHOWN = 5
"""So many are named where there is little room, and never fewer than the way to the next rating has."""


def fixes_in_order(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The findings held against the page: the cheapest way to the next rating in its order, then by points for effort.

    ``report`` has ``results`` (as `model.shown_finding` makes them) and ``explained``. Accepted findings are left out.
    """
    order = {name: index for index, name in enumerate(way_to_next_rating(report))}

    def place(finding: Mapping[str, Any]) -> tuple[int, float, str]:
        points = finding["lost"] / (finding.get("effort") or int(Effort.CONTENT))
        return (order.get(finding["id"], len(order)), -points, finding["id"])

    held = (finding for finding in report["results"] if finding["verdict"] in AGAINST and not finding.get("accepted"))
    return sorted(held, key=place)


def first_fixes(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """As many of them as a summary names."""
    return fixes_in_order(report)[: max(SHOWN, len(way_to_next_rating(report)))]


def way_to_next_rating(report: Mapping[str, Any]) -> Sequence[str]:
    """The checks on the cheapest way there; none for a good page and one that no fixes named here can lift."""
    way = (report.get("explained") or {}).get("next_rating")
    return tuple(way["checks"]) if way else ()
