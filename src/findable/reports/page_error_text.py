"""Sentences for errors, in the reader's language: why a page has no report, a sitemap no URLs or a request no response."""

from datetime import UTC, datetime
from typing import Any

from msgspec import structs

from findable.capture.response import ProbeResponse
from findable.errors import Cause, PageError, SitemapError
from findable.wording import ENGLISH, Message, Translator, later

_AFTER_REDIRECTS = frozenset({Cause.REDIRECT_LOOP, Cause.TOO_MANY_REDIRECTS})
"""Causes whose sentence includes the redirect."""

_COMPLETE = frozenset({Cause.CONNECTION_REFUSED, Cause.CONNECT_TIMEOUT})
"""Causes whose sentence implies that the connection failed."""


def message_of(error: PageError, say: Translator = ENGLISH) -> str:
    """Return the sentence of the code."""
    return say.text(error.code.words)


def detail_of(error: PageError, say: Translator = ENGLISH) -> str:
    """Return the sentence of the cause, with the redirect that led there; empty if the code is sufficient."""
    if error.cause is None:
        return ""
    date = say.day(datetime.fromtimestamp(error.at, UTC)) if error.at is not None else ""
    values = structs.asdict(error) | {"date": date}
    sentence = _fill(error.cause, values)
    if error.redirects and error.cause not in _AFTER_REDIRECTS:
        sentence = Message(later("Redirect %(redirects)s to %(url)s: %(cause)s"), redirects=error.redirects, url=error.url, cause=sentence)
    return say.text(sentence)


def sentences_of(error: PageError, say: Translator = ENGLISH) -> str:
    """Return message and detail; only the detail if it implies the message."""
    detail = detail_of(error, say)
    return detail if detail and error.cause in _COMPLETE else f"{message_of(error, say)} {detail}".rstrip()


def sitemap_sentence(error: SitemapError) -> Message:
    """Return the sentence of a sitemap's error; it can still be translated."""
    sentence = _fill(error.cause, structs.asdict(error))
    return Message(later("%(file)s: %(cause)s"), file=error.file, cause=sentence) if error.file else sentence


def response_sentence(response: ProbeResponse) -> Message:
    """Return the sentence of a failed extra request, or of its status."""
    return _fill(response.cause or Cause.STATUS, {"status": response.status, "host": response.detail, "text": response.detail})


def _fill(cause: Cause, values: dict[str, Any]) -> Message:
    return Message(cause.words, **values | {"text": str(values["text"]).removesuffix(".")})
