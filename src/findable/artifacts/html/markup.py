"""Parsed page as two artifacts: one for pages of any size, one for complete pages only."""

from msgspec import Struct

from findable.artifacts.html.document import Document
from findable.artifacts.html.page_charset import Charset
from findable.artifacts.registry import Absent, artifact
from findable.capture.page import PageCapture
from findable.capture.response import HTML_TYPES
from findable.capture.status_classes import is_success
from findable.formats.mime_sniffing import looks_like_html
from findable.formats.parse_budget import MAX_ELEMENTS, beginning_of
from findable.vocabulary import Verdict
from findable.wording import later

TOO_LARGE = later("the page has more than {count} elements: its content was not judged")
TOO_MUCH_TEXT = later("the page shows more text than is read: its content was not judged")
TOO_LONG = later("the page is longer than the {count} characters that were read: its content was not judged")


class Markup(Struct, frozen=True):
    """Tree of a page of any size, as far as the page was received."""

    document: Document
    is_whole: bool
    """Whether the document is the whole page, not truncated by a cap."""


class SentDocument(Struct, frozen=True):
    """The complete page as sent by the server, for checks of the markup and for quoting it."""

    document: Document


@artifact
def make_markup(page: PageCapture, charset: Charset) -> Markup | Absent:
    """Parse the page if it is a 2xx HTML response with a body; otherwise on-page checks are inapplicable."""
    response = page.response
    if not is_success(response.status):
        return Absent("the page returned {status}: its content was not judged", params={"status": response.status})
    media_type = response.headers.media_type
    if media_type and media_type not in HTML_TYPES and not looks_like_html(response.body):
        return Absent("the response is {media_type}, not HTML", params={"media_type": media_type})
    is_whole = charset.is_whole and response.is_whole
    text = charset.text if is_whole else beginning_of(charset.text)
    document = Document(text, response.final_url, policies=response.headers.all("content-security-policy"))
    return Markup(document, is_whole=is_whole and document.is_whole)


@artifact
def make_sent_document(markup: Markup) -> SentDocument | Absent:
    """Return the document as sent; unknown if it has too many elements, too much text, or is longer than the caps."""
    document = markup.document
    if not markup.is_whole:
        return Absent(TOO_LONG, Verdict.UNKNOWN, {"count": len(document.source)})
    return too_large(document) or SentDocument(document)


def too_large(document: Document) -> Absent | None:
    """Return the reason why a document is too large to be checked; None if it is not."""
    if document.cut:
        return Absent(TOO_LARGE, Verdict.UNKNOWN, {"count": MAX_ELEMENTS})
    return Absent(TOO_MUCH_TEXT, Verdict.UNKNOWN) if document.shows_too_much else None
