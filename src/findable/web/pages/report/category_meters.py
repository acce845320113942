"""Scores of the categories of a report as bars."""

from collections.abc import Collection

from findable.reports.browser_words import lab_summary
from findable.reports.category_lines import category_lines
from findable.reports.report import Report
from findable.vocabulary import Category
from findable.web.pages.shared.score_bar import Meter
from findable.wording import Translator


def category_meters(report: Report, not_asked: Collection[str], page: str, say: Translator) -> tuple[Meter, ...]:
    """Return the scores of the categories as bars; ``page`` is the path to filter, if any."""
    return tuple(
        Meter(
            name=say.text(line.title),
            percent=line.score,
            value="–" if line.score is None else say.number(line.score),
            note=say("%(done)s of %(all)s checked", done=say.number(line.checked_count), all=say.number(line.checks_count)),
            rating="" if line.score is None else line.colour,
            values=lab_summary(report.facts.browser, say) if line.id == Category.PERFORMANCE and report.facts.browser else "",
            href=f"{page}?{'kind=facts&' if line.score is None else ''}category={line.id}#findings" if page else "",
            filter="" if line.score is None else line.id,
        )
        for line in category_lines(report, not_asked)
    )
