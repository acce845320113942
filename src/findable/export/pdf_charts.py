"""Charts of a PDF as JSON-ready data; the template draws them. Their numbers stand beside the bars, so that screen readers read them."""

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from itertools import accumulate, pairwise
from typing import Any

from findable.export.pdf_texts import snippet_of
from findable.reports.charts import Band, BarTable, PairTable, height_of, histogram, places
from findable.reports.earlier_score import by_ruleset
from findable.reports.project_report import TrendPoint
from findable.reports.scoring import DECENT_FROM, GOOD_FROM, MAX_SCORE
from findable.reports.site_charts import depth_bars
from findable.reports.site_structure import SiteStructure
from findable.wording import Translator


def bar_chart(table: BarTable) -> dict[str, Any]:
    """Return a table with bars."""
    return {
        "kind": "bars",
        "title": table.title,
        "heads": list(table.heads[:2]),
        "legend": [{"state": str(state), "text": words} for state, words in table.legend],
        "rows": [{"name": snippet_of(line.name), "value": line.count, "bands": _bands(line.bands)} for line in table.lines],
    }


def pair_chart(table: PairTable) -> dict[str, Any]:
    """Return a table with two bars per row."""
    rows = [
        {"name": line.name, "left": [line.left, line.left_percent], "right": [line.right, line.right_percent], "state": line.state}
        for line in table.lines
    ]
    return {"kind": "pairs", "title": table.title, "heads": list(table.heads), "rows": rows}


def site_charts(structure: SiteStructure, say: Translator) -> Iterator[dict[str, Any]]:
    """Yield the clicks from the start page by state, and the scores of the pages."""
    if structure.depths:
        yield bar_chart(depth_bars(structure, say))
    found = histogram(structure.scores, say)
    if found is not None:
        scale = 100 / len(found.columns)
        yield {
            "kind": "histogram",
            "title": say("Scores of the pages"),
            "zones": [
                {
                    "state": zone.rating if zone.pages_count else "",
                    "x": scale * zone.first,
                    "width": scale * zone.scores_count,
                    "first": zone.first,
                }
                for zone in found.zones
            ],
            "columns": [{"state": one.rating, "x": scale * one.score, "height": one.height} for one in found.columns if one.count],
            "heads": [say("Score"), say("Pages")],
            "rows": [[zone.words, say.number(zone.pages_count)] for zone in found.zones],
        }


def score_line(points: Sequence[TrendPoint], say: Translator, zone: tzinfo | None) -> dict[str, Any] | None:
    """Return the scores over time, with a line for each ruleset; None for fewer than two scores."""
    scored = [(point, point.score) for point in points if point.score is not None]
    if len(scored) < 2:  # noqa: PLR2004 - a line has two points
        return None
    across = places([point.at for point, _ in scored], MAX_SCORE)
    dots = [[x, height_of(score, MAX_SCORE, MAX_SCORE)] for x, (_, score) in zip(across, scored, strict=True)]
    ends = [*accumulate((len(group) for group in by_ruleset(point for point, _ in scored)), initial=0)]
    return {
        "kind": "line",
        "title": say("Score"),
        "lines": [dots[start:end] for start, end in pairwise(ends)],
        "levels": [[height_of(level, MAX_SCORE, MAX_SCORE), str(level)] for level in (MAX_SCORE, GOOD_FROM, DECENT_FROM, 0)],
        "ends": [say.day(scored[place][0].at, zone) for place in (0, -1)],
        "words": say("Scores, the oldest first: %(scores)s", scores=", ".join(say.number(score) for _, score in scored)),
    }


def _bands(bands: Sequence[Band]) -> list[dict[str, Any]]:
    return [{"state": str(band.state), "x": band.x, "width": band.width} for band in bands]
