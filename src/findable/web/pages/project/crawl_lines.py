"""Rows of lists of crawls."""

from findable.capture.crawl import Narrower
from findable.service.values.crawl_values import CrawlView
from findable.web.pages.shared.lines import ReportLine, ScoreWords, score_words
from findable.web.pages.shared.local_times import moment_of
from findable.web.pages.shared.viewer import SignedInRequest
from findable.wording import Translator


def crawl_line(view: CrawlView, request: SignedInRequest) -> ReportLine:
    """Return the row of a crawl in lists, with its size and findings."""
    say = request.say
    when = moment_of(view.finished_at or view.created_at, say, request.zone)
    return ReportLine(f"/s/{view.public_id}", view.url, "", score_of(view, say), when, " · ".join(_facts(view, say)))


def score_of(view: CrawlView, say: Translator) -> ScoreWords:
    """Return the score of a crawl with its rating, or its status."""
    if view.score is None:
        return ScoreWords(say(view.status.words), "")
    return score_words(view.score, view.result.value if view.result else "", say)


def _verdict_fact(view: CrawlView, say: Translator) -> str:
    """Return the verdict of a crawl, or why it does not count; empty if its score says it, and for a list, which never counts."""
    found = view.verdict
    if found is None or not found.needs_words or view.is_list:
        return ""
    if (reason := found.values.get("reason")) is not None:
        return say("does not count: %(reason)s", reason=say.text(Narrower(str(reason)).words))
    return found.sentence(say).removesuffix(".")


def _facts(view: CrawlView, say: Translator) -> list[str]:
    facts = [say.plural("list of %(count)s URL", "list of %(count)s URLs", view.settings.pages)] if view.is_list else []
    pages = view.counts.get("pages")
    said = _verdict_fact(view, say)
    if pages or not view.is_finished:
        facts += [say.plural("%(count)s page", "%(count)s pages", pages)] if pages is not None else []
    elif pages is not None and not said:
        facts.append(say("no URL returned a page"))
    facts += [said] if said else []
    if view.is_finished and view.findings and pages:
        failed, warned = view.findings.get("failed", 0), view.findings.get("warned", 0)
        facts.append(say.plural("%(count)s problem", "%(count)s problems", failed))
        facts.append(say.plural("%(count)s warning", "%(count)s warnings", warned))
    return facts
