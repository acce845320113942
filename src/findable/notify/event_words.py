"""Sentences about events, in the language of the recipient."""

from collections.abc import Mapping

from msgspec import Struct

from findable.checks.engine import find_check
from findable.errors import PageErrorCode
from findable.notify.outgoing_event import AlertData, CrawlData, Event, EventType, ReportData
from findable.vocabulary import Rating
from findable.wording import Translator, later

MAX_CHARS = 500
"""Maximum length of a sentence, which may quote texts of the audited site."""
SHOWN_PROBLEMS = 5
"""Maximum number of new problems listed in a message."""
DIFFERENCE = "diff"
"""Value of an alert that is shown below its sentence: the changed lines of a file."""
_ENDS = {
    "blocked": later("robots.txt disallows the start page"),
    "needs_browser": later("scripts build the pages"),
    "stopped": later("it was stopped"),
    "unreachable": later("the site does not respond"),
}


class EventWords(Struct, frozen=True):
    """Sentences about an event, without markup."""

    headline: str
    details: tuple[str, ...] = ()
    """Further lines, such as URLs or new problems."""


def words_of(event: Event, say: Translator) -> EventWords:
    """Return the sentences about an event in the language of ``say``, each on one line of limited length."""
    found = _words_of(event, say)
    return EventWords(one_line(found.headline), tuple(map(one_line, found.details)))


def one_line(text: str) -> str:
    """Return an untrusted text as one line of limited length, without control and bidirectional formatting characters."""
    clean = "".join(" " if character.isspace() else character for character in text if character.isspace() or character.isprintable())
    line = " ".join(clean.split())
    return line if len(line) <= MAX_CHARS else f"{line[: MAX_CHARS - 1]}…"


def _words_of(event: Event, say: Translator) -> EventWords:
    data = event.data
    if isinstance(data, ReportData):
        problems = [check for check in map(find_check, data.new_problems[:SHOWN_PROBLEMS]) if check is not None]
        is_worse = event.type is EventType.REPORT_WORSE
        return EventWords(
            _report_headline(event.type, data, say),
            tuple(say(later("New problem: %(check)s"), check=say.text(check.question)) for check in problems) if is_worse else (),
        )
    if isinstance(data, CrawlData):
        return EventWords(_crawl_headline(event.type, data, say))
    if isinstance(data, AlertData):
        return _alert_words(event.type, data, say)
    return EventWords(say(later("This is a test from Findable.")))


def _report_headline(kind: EventType, data: ReportData, say: Translator) -> str:
    if kind is EventType.REPORT_FAILED:
        reason = say(next((code.words for code in PageErrorCode if code.value == data.error), ""))
        return say(later("%(url)s could not be loaded. %(reason)s"), url=data.url, reason=reason)
    if kind is EventType.REPORT_WORSE and data.score is not None and data.previous:
        before, now = say.number(data.previous.score), say.number(data.score)
        if data.score >= data.previous.score:
            return say.plural(
                "%(url)s has %(count)s new problem.", "%(url)s has %(count)s new problems.", len(data.new_problems), url=data.url
            )
        return say(later("The score of %(url)s fell from %(before)s to %(now)s."), url=data.url, before=before, now=now)
    if data.score is None or data.result is None:
        return say(later("The report of %(url)s is done, without a rating."), url=data.url)
    score, rating = say.number(data.score), say(Rating(data.result).words)
    return say(later("The report of %(url)s is done: score %(score)s, %(rating)s."), url=data.url, score=score, rating=rating)


def _crawl_headline(kind: EventType, data: CrawlData, say: Translator) -> str:
    if kind is EventType.CRAWL_STOPPED:
        reason = say(_ENDS.get(data.ended_by or "", later("an error occurred")))
        return say(later("The crawl of %(url)s ended early: %(reason)s."), url=data.url, reason=reason)
    pages = say.plural("%(count)s page", "%(count)s pages", data.pages)
    if data.score is None or data.result is None:
        return say(later("The crawl of %(url)s is done: %(pages)s."), url=data.url, pages=pages)
    score, rating = say.number(data.score), say(Rating(data.result).words)
    whole = later("The crawl of %(url)s is done: %(pages)s, score %(score)s, %(rating)s.")
    return say(whole, url=data.url, pages=pages, score=score, rating=rating)


def alert_sentence(template: str, values: Mapping[str, str | int | float], say: Translator) -> str:
    """Return the sentence of an alert: the translated template with its values; a check id is replaced with the question of the check."""
    texts = {name: say.number(one) if isinstance(one, int | float) else one for name, one in values.items()}
    check = find_check(texts.get("check", ""))
    if check is not None:
        texts["check"] = say.text(check.question)
    return one_line(say.text(template) % _Values(texts))


class _Values(dict[str, str]):
    """Values of a template by name; a missing value is shown as an ellipsis."""

    def __missing__(self, name: str) -> str:
        return "…"


def _alert_words(kind: EventType, data: AlertData, say: Translator) -> EventWords:
    sentence = alert_sentence(data.message, data.values, say)
    if kind is EventType.ALERT_CLOSED:
        sentence = say(later("Resolved: %(alert)s"), alert=sentence)
    urls = [url for url in dict.fromkeys((data.subject, *data.examples[:5])) if url]
    difference = str(data.values.get(DIFFERENCE, "")).splitlines() if kind is not EventType.ALERT_CLOSED else []
    return EventWords(sentence, (*urls, *difference))
