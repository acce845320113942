"""The robots.txt of the page's origin: whether there is one, what it says, and what it says of this page."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct

from findable.artifacts.registry import Absent, artifact
from findable.artifacts.responses.assets import NOT_LOOKED_AT, reason
from findable.capture.page import Capture
from findable.capture.response import Answer, Failure
from findable.formats.mime_sniffing import looks_like_html
from findable.formats.robots_txt import Decision, RobotsTxt
from findable.vocabulary import Verdict

TOO_MANY_REQUESTS = 429
SERVER_ERROR = 500


class RobotsState(StrEnum):
    """What crawlers make of the answer (RFC 9309 section 2.3.1; Google, "How Google interprets the robots.txt specification")."""

    READ = "read"
    MISSING = "missing"
    """A 4xx, or more redirects than are followed: everything is allowed."""
    UNREACHABLE = "unreachable"
    """A 5xx, a 429 or no answer: nothing is fetched at first."""


class Robots(Struct, frozen=True):
    """robots.txt as answered and as read; without rules where it is missing."""

    page_url: str
    answer: Answer
    state: RobotsState
    rules: RobotsTxt
    is_markup: bool
    """The answer is an HTML page."""

    def decide(self, product_tokens: Sequence[str], url: str | None = None) -> Decision:
        """Whether such a crawler may fetch the address, the page's own where none is given."""
        return self.rules.decide(product_tokens, url or self.page_url)

    @property
    def known(self) -> bool:
        """Whether its decisions mean anything: not while it cannot be reached."""
        return self.state is not RobotsState.UNREACHABLE

    @property
    def lines(self) -> Mapping[int, str]:
        """The first lines by number, for evidence."""
        text = self.answer.body[:4096].decode("utf-8", "replace").splitlines()[:5]
        return dict(enumerate(text, 1))


@artifact
def make_robots(capture: Capture) -> Robots | Absent:
    """Reads it; absent (unknown) only where it was not asked for or where our own network failed."""
    answer = capture.site.robots_txt
    if answer.failure in NOT_LOOKED_AT:
        return Absent("robots.txt is not known: {reason}", Verdict.UNKNOWN, {"reason": reason(answer)})
    state = state_of_robots(answer)
    body = answer.body if state is RobotsState.READ else b""
    return Robots(capture.response.final_url, answer, state, RobotsTxt.parse(body), looks_like_html(body))


def state_of_robots(answer: Answer) -> RobotsState:
    """What crawlers make of such an answer."""
    if answer.failure is Failure.TOO_MANY_REDIRECTS:
        return RobotsState.MISSING
    if answer.failure is not Failure.NONE or answer.status == TOO_MANY_REQUESTS or answer.status >= SERVER_ERROR:
        return RobotsState.UNREACHABLE
    return RobotsState.READ if answer.ok else RobotsState.MISSING
