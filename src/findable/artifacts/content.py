"""The document that is judged: raw or rendered, decided once, here.

A page that a browser has visited is judged by the document after its scripts ran, which is what its readers and Google get. What only
reads the page as it was sent (checks of the markup itself, link previews, comparisons with other responses) uses `SentDocument` and
`SentPage`.
"""

from msgspec import Struct

from findable.artifacts.html.client_side_rendering import is_script_shell
from findable.artifacts.html.document import Document
from findable.artifacts.html.landmarks import Surroundings
from findable.artifacts.html.markup import SentDocument
from findable.artifacts.html.rendered_document import RenderedDocument
from findable.artifacts.registry import Absent, Gathered, artifact
from findable.vocabulary import Verdict


class Content(Struct, frozen=True):
    """The judged document, if the content of the page is in it."""

    document: Document
    surroundings: Surroundings
    """The places of its elements."""
    rendered: bool
    """Whether it is the document after scripts."""


@artifact
def make_document(sent: SentDocument, rendered: RenderedDocument | None) -> Document:
    """Return the document after scripts where a browser loaded the page, otherwise the one that was sent."""
    return sent.document if rendered is None else rendered.document


@artifact
def make_content(document: Document, surroundings: Surroundings, rendered: RenderedDocument | Absent) -> Content | Absent:
    """Unknown where scripts build the page and no browser ran them to the end."""
    if isinstance(rendered, RenderedDocument):
        return Content(document, surroundings, rendered=True)
    if not is_script_shell(document):
        return Content(document, surroundings, rendered=False)
    if rendered.missing is None:
        return Absent(rendered.reason, Verdict.UNKNOWN, rendered.params)
    return Absent("not known: scripts build this page, and it was read without a browser", Verdict.UNKNOWN)


def needs_browser(gathered: Gathered) -> bool:
    """Whether the page is there, and its content is not."""
    return gathered.get_or_none(Document) is not None and gathered.get_or_none(Content) is None
