"""Change of a score in words: points since a day, another ruleset, and the score before an outage."""

from findable.wording import Translator


def new_ruleset(before: str, now: str, say: Translator) -> str:
    """Return the note that a score has another ruleset than the one before, in a sentence; ``before`` is empty if it is not known."""
    if not before:
        return say("The ruleset changed to %(new)s: the two scores cannot be compared.", new=now)
    return say("The ruleset changed from %(old)s to %(new)s: the two scores cannot be compared.", old=before, new=now)


def score_change_words(before: int, score: int, day: str, say: Translator) -> str:
    """Return the change of a score since a day, in words; empty for none."""
    if score < before:
        return say.plural(
            "%(count)s point worse since %(day)s (from %(before)s to %(now)s)",
            "%(count)s points worse since %(day)s (from %(before)s to %(now)s)",
            before - score,
            day=day,
            before=before,
            now=score,
        )
    if score > before:
        return say.plural(
            "%(count)s point better since %(day)s (from %(before)s to %(now)s)",
            "%(count)s points better since %(day)s (from %(before)s to %(now)s)",
            score - before,
            day=day,
            before=before,
            now=score,
        )
    return ""


def last_score(score: int | None, day: str, say: Translator) -> str:
    """Return the note that the findings of a site are older than its verdict, with the score of their crawl, without a full stop."""
    if score is None:
        return say("The findings are those of the crawl of %(day)s", day=day)
    return say("The findings are those of the crawl of %(day)s, with score %(score)s", day=day, score=score)


def score_before_outage(score: int, day: str, say: Translator) -> str:
    """Return the sentence that a score is that of a day before an outage that is not confirmed yet."""
    return say("Before this, on %(day)s: %(score)s of 100. The next result shows whether that still holds.", day=day, score=score)


def direction(before: int | None, score: int | None) -> str:
    """Return the direction of a change, a class of the stylesheet: ``up``, ``down`` or ``same``."""
    change = (score or 0) - (before or 0)
    return "up" if change > 0 else "down" if change < 0 else "same"
