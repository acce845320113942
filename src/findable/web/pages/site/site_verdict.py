"""Rating of a crawled site, for its report and for its project."""

from datetime import tzinfo

from findable.reports.charts import score_waterfall
from findable.reports.gain_words import outlook_words
from findable.reports.score_change_words import direction, score_change_words
from findable.reports.site_fixes import score_after_first_fixes
from findable.reports.site_report import SiteReport
from findable.reports.titles import RATINGS
from findable.service.crawls.crawl_access import ScoreChange
from findable.service.values.crawl_values import CrawlView
from findable.web.pages.result.verdict import ResultVerdict
from findable.web.pages.shared.local_times import day_of
from findable.web.pages.shared.score_bar import score_bar
from findable.wording import Translator


def site_verdict(
    report: SiteReport, crawl: CrawlView, base: CrawlView | None, say: Translator, zone: tzinfo | None, moved: ScoreChange | None = None
) -> ResultVerdict | None:
    """Return the rating of a site; None without a score.

    ``base`` is the crawl that the score is compared with, ``moved`` the last change of the score.
    """
    if report.score is None or report.result is None:
        return None
    rating = report.result.value
    return ResultVerdict(
        words=say(RATINGS[report.result]),
        bar=score_bar(report.score, rating, say, *outlook_words(report.result, *score_after_first_fixes(report), say)),
        counts=report.counts_words(say),
        parts=score_waterfall(report.score_parts, report.score, rating, say),
        limit=report.limited_to(say),
        is_provisional=report.provisional,
        change=change_words(report.score, crawl, base, say, zone, moved) if base and not report.provisional else "",
        change_href=f"/s/{moved.after.public_id}/changes" if base and moved and moved.after.id != crawl.id else "",
        direction=direction(base.score if base else None, report.score),
    )


def change_words(
    score: int, crawl: CrawlView, base: CrawlView, say: Translator, zone: tzinfo | None, moved: ScoreChange | None = None
) -> str:
    """Return the change of the score of a crawl since another one in words, see `site_verdict`; empty without an earlier score."""
    if base.score is None:
        return ""
    day = day_of(base.ended, say, zone, crawl.ended).words
    if base.score != score:
        return score_change_words(base.score, score, day, say)
    if moved is None or moved.before.score is None:
        return say("The same score as in the crawl of %(day)s", day=day)
    earlier = {"before": moved.before.score, "earlier": day_of(moved.before.ended, say, zone, crawl.ended).words}
    return say("The same score as in the crawl of %(day)s, but %(before)s in the crawl of %(earlier)s", day=day, **earlier)
