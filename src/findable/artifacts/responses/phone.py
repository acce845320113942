"""Page as sent to a phone, if requested."""

from collections import Counter
from itertools import islice

from msgspec import Struct

from findable.artifacts.html.document import Document
from findable.artifacts.html.markup import Markup, SentDocument
from findable.artifacts.registry import Absent, artifact
from findable.artifacts.responses.probed_page import ProbedPage, read_probed
from findable.capture.page import PageCapture
from findable.capture.response import Failure, ProbeResponse, Response, outcome
from findable.formats.bot_challenges import challenge_marker
from findable.formats.characters import EXTRA_LETTERS
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Verdict

MAX_WORDS = 20_000
MAX_PHONE_BYTES = 32_000_000
"""Memory limit for the phone's version, as for the page itself: the largest of 130 saved pages takes 31 MB."""
_WORD = lazy_pattern(rf"[\w{EXTRA_LETTERS}]+")


class Phone(Struct, frozen=True):
    """Response to a phone's user agent, parsed as a page, and the share of the page's text in it."""

    page: ProbedPage
    document: Document
    shared_share: float
    """Share of the page's words that the phone's version also has, counting repetitions, 0–1; 1 if the page has no words."""


@artifact
def make_phone(page: PageCapture, sent_document: SentDocument) -> Phone | Absent:
    """Compare the words of the phone's page with the page's; unknown after a failed, rejected or cut response or a bot challenge."""
    response = page.probes.phone
    if response is None:
        return Absent("the page was not requested with the user agent of a phone")
    if response.failure is not Failure.NONE:
        return Absent("the response to a phone is not known: {reason}", Verdict.UNKNOWN, outcome(response))
    probed = read_probed(response, MAX_PHONE_BYTES)
    if probed is not None and _is_same_page(page.response, response):
        probed.artifacts.put(Markup(sent_document.document, is_whole=True))  # instead of parsing it again
    other = probed.document if probed else None
    if probed is None or other is None or challenge_marker(response.headers, response.body):
        return Absent("not known: a phone's user agent got no page (status {status})", Verdict.UNKNOWN, {"status": response.status})
    if response.truncated or response.decode_error:
        return Absent("not known: the response to a phone is incomplete", Verdict.UNKNOWN)
    if sent_document.document.text == other.text:  # the usual case, in which no words need to be counted
        return Phone(probed, other, 1.0)
    here = _words(sent_document.document)
    total = sum(here.values())
    return Phone(probed, other, (here & _words(other)).total() / total if total else 1.0)


def _is_same_page(sent: Response, response: ProbeResponse) -> bool:
    return (sent.status, sent.final_url, sent.body) == (response.status, response.final_url, response.body) and all(
        sent.headers.all(name) == response.headers.all(name) for name in ("content-type", "content-security-policy")
    )


def _words(document: Document) -> Counter[str]:
    return Counter(match.group().casefold() for match in islice(_WORD.finditer(document.text), MAX_WORDS))
