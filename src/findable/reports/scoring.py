"""Compute score and rating from findings, with every point explained.

``raw = 100 · Σ(weight · value) / Σ weight`` over passed, warned and failed; ``score = floor(min(raw, caps))``. Inapplicable, unknown and
info are excluded from both sums, and so are gates and unscored checks. Exact integer arithmetic gives the same result everywhere.
"""

from msgspec import Struct

from findable.values import once
from findable.vocabulary import Fault, Importance, Rating, Verdict

RULESET = "2026-12"
"""Name of the weights, caps and thresholds below and of the checks' rules; every change of them requires a new name."""

WEIGHTS = {Importance.HIGH: 10, Importance.MEDIUM: 4, Importance.LOW: 1, Importance.INFO: 0}
HALVES = {Verdict.PASSED: 2, Verdict.WARNED: 1, Verdict.FAILED: 0}
"""Value of a verdict in halves of a point."""
GOOD_FROM = 90
DECENT_FROM = 60
_AT_FAULT = frozenset({Verdict.WARNED, Verdict.FAILED})
"""Verdicts that may cap the score."""
PROVISIONAL_BELOW = 0.7
"""Coverage below which the rating is provisional."""

GATES = frozenset({"bot-wall", "http-status", "noindex", "robots-txt-allows", "robots-txt-reachable", "soft-404"})
"""Checks that only cap the score; passing them earns no points."""
LAB = frozenset({"cls", "fcp", "lcp", "tbt"})
"""Checks of values that differ between machines: they never change the overall score."""
UNSCORED = frozenset(
    {
        *("clickjacking", "cookies", "csp", "hsts", "nosniff", "plaintext-email", "referrer-policy", "server-signature"),
        *("og-basic", "og-image", "og-url-agrees", "twitter-card"),
        *("favicon", "llms-txt"),
        *LAB,
    }
)
"""Checks that count in their own category but not in the overall score, because they do not affect whether a page is found."""


class CapRule(Struct, frozen=True):
    """Cap of the score if a check failed, or if its finding has the fault."""

    score: int
    check: str
    when: str
    """Condition in words, for the documentation."""
    fault: str = ""

    def applies(self, row: "Row") -> bool:
        """Return whether the row is the reason for this cap."""
        if row.id != self.check:
            return False
        if not self.fault:
            return row.verdict is Verdict.FAILED
        return row.fault == self.fault and row.verdict in (Verdict.FAILED, Verdict.WARNED)


CAPPED_TO_NOTHING = 0
"""Cap of a page whose content is not checked, so that no gain can be projected."""
CAPS = (
    CapRule(CAPPED_TO_NOTHING, "http-status", "The page does not return a status from 200 to 299"),
    CapRule(49, "noindex", "The page may not be indexed"),
    CapRule(49, "robots-txt-allows", "robots.txt blocks the page for Googlebot"),
    CapRule(49, "soft-404", "The page is an error page, or blank, with status 200"),
    CapRule(49, "redirect-chain", "The URL redirects in a loop without a cookie", Fault.COOKIE_LOOP),
    CapRule(49, "bot-wall", "A bot challenge was served instead of the page"),
    CapRule(49, "tls-certificate", "The certificate is not valid"),
    CapRule(59, "title-present", "The page has no title"),
    CapRule(69, "content-length", "The page has almost no content", Fault.ALMOST_NO_CONTENT),
    CapRule(79, "title-quality", "The title is a template's default or a placeholder", Fault.PLACEHOLDER_TITLE),
    CapRule(79, "placeholder-text", "The title contains placeholder text", Fault.PLACEHOLDER_TITLE),
    CapRule(79, "canonical-valid", "The page has different canonical URLs", Fault.SEVERAL_CANONICALS),
    CapRule(79, "canonical-valid", "The canonical link is in the body", Fault.CANONICAL_IN_BODY),
    CapRule(79, "head-valid", "An element ends the head before the canonical link", Fault.CANONICAL_IN_BODY),
    CapRule(79, "head-valid", "An element ends the head before the robots meta element", Fault.ROBOTS_IN_BODY),
    CapRule(79, "robots-meta-valid", "A robots meta element is in the body", Fault.ROBOTS_IN_BODY),
    CapRule(79, "canonical-self", "The canonical URL is that of another page by mistake"),
    CapRule(79, "links-crawlable", "No internal link can be followed by crawlers", Fault.NO_CRAWLABLE_LINK),
    CapRule(79, "robots-txt-reachable", "robots.txt cannot be read"),
    CapRule(79, "https", "The page is not on HTTPS"),
)
HIGH_FAILURES = {1: 79, 2: 69, 3: 59}
"""Caps by number of failed checks of high importance except gates; three or more count as three."""


class Row(Struct, frozen=True):
    """Scoring input of one finding."""

    id: str
    importance: Importance
    verdict: Verdict
    fault: str = ""
    """Code of the reason (`Fault`), if a cap depends on it."""

    @property
    def weight(self) -> int:
        """Weight in points of the overall score."""
        return 0 if self.id in GATES or self.id in UNSCORED else WEIGHTS[self.importance]

    @property
    def category_weight(self) -> int:
        """Weight in points of its category's score."""
        return WEIGHTS[self.importance]


class Cap(Struct, frozen=True):
    """Cap of the score and the checks that cause it."""

    score: int
    checks: tuple[str, ...]


class Score(Struct, frozen=True, dict=True):
    """Score of a set of rows."""

    rows: tuple[Row, ...]
    of_category: bool = False
    """Whether gates and unscored checks have weights, as in the score of a category."""

    def _weight(self, row: Row) -> int:
        return row.category_weight if self.of_category else row.weight

    @once
    def possible(self) -> int:
        """Σ weight of checked rows."""
        return sum(self._weight(row) for row in self.rows if row.verdict in HALVES)

    @once
    def halves(self) -> int:
        """Twice Σ(weight · value)."""
        return sum(self._weight(row) * HALVES[row.verdict] for row in self.rows if row.verdict in HALVES)

    @property
    def points(self) -> float:
        """Σ(weight · value); always a multiple of one half."""
        return self.halves / 2

    @property
    def raw(self) -> float:
        """Score 0–100 before caps."""
        return 50 * self.halves / self.possible if self.possible else 0.0

    @once
    def caps(self) -> tuple[Cap, ...]:
        """Caps that apply, lowest first."""
        at_fault = [row for row in self.rows if row.verdict in _AT_FAULT]
        found = [Cap(cap, (row.id,)) for row in at_fault if (cap := cap_of(row)) is not None]
        high = tuple(row.id for row in at_fault if is_high_failure(row))
        if high:
            found.append(Cap(high_cap(len(high)), high))
        return tuple(sorted(found, key=lambda cap: (cap.score, len(cap.checks), cap.checks)))

    @property
    def score(self) -> int | None:
        """Score 0–100, None without a checked row."""
        caps = [cap.score for cap in self.caps]
        if not self.possible:
            return min(caps, default=None)
        return min([50 * self.halves // self.possible, *caps])

    @property
    def rating(self) -> Rating | None:
        """Rating of the score, None without a checked row."""
        return None if self.score is None else rating_of(self.score)

    @property
    def effective_cap(self) -> Cap | None:
        """Cap that lowers the score, None without one."""
        if not self.caps:
            return None
        return self.caps[0] if not self.possible or self.caps[0].score < 50 * self.halves // self.possible else None

    @property
    def coverage(self) -> float:
        """Measured share of the applicable weight, 0–1, rounded down to two decimals."""
        unknown = sum(self._weight(row) for row in self.rows if row.verdict is Verdict.UNKNOWN)
        total = self.possible + unknown
        return 100 * self.possible // total / 100 if total else 0.0

    @property
    def provisional(self) -> bool:
        """Whether too little was measured for a reliable score."""
        return self.coverage < PROVISIONAL_BELOW

    def worth(self, row: Row) -> float:
        """Return the percentage of the raw score that this row is worth, one decimal; 0 if it does not count."""
        return round(100 * self._weight(row) / self.possible, 1) if self.possible and row.verdict in HALVES else 0.0

    def lost_percent(self, row: Row) -> float:
        """Return the percentage of the raw score that this row lost, one decimal."""
        if not self.possible or row.verdict not in HALVES:
            return 0.0
        return round(50 * self._weight(row) * (2 - HALVES[row.verdict]) / self.possible, 1)


_RULES = {rule.check: tuple(other for other in CAPS if other.check == rule.check) for rule in CAPS}


def cap_of(row: Row) -> int | None:
    """Return the cap that a finding alone causes; None without one."""
    return min((rule.score for rule in _RULES.get(row.id, ()) if rule.applies(row)), default=None)


def is_high_failure(row: Row) -> bool:
    """Return whether the row counts for the caps by number of failed checks."""
    return row.verdict is Verdict.FAILED and row.importance is Importance.HIGH and row.id not in GATES | LAB


def high_cap(count: int) -> int:
    """Return the cap for a number of failed checks of high importance."""
    return HIGH_FAILURES[min(count, max(HIGH_FAILURES))] if count else 100


def rating_of(score: int) -> Rating:
    """Return the rating: good from 90, decent from 60, else bad."""
    if score >= GOOD_FROM:
        return Rating.GOOD
    return Rating.DECENT if score >= DECENT_FROM else Rating.BAD


def next_threshold(score: int) -> int | None:
    """Return the score of the next better rating, None for a good score."""
    if score >= GOOD_FROM:
        return None
    return GOOD_FROM if score >= DECENT_FROM else DECENT_FROM
