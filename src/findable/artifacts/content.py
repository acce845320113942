"""Select the document that the checks use: raw or rendered.

If a browser has loaded the page, checks use the document after its scripts ran, as visitors and Google do. Code that needs
the page as sent (checks of the markup itself, link previews, comparisons with other responses) uses `SentDocument` and `SentPage`.
"""

from msgspec import Struct

from findable.artifacts.html.client_side_rendering import is_script_shell
from findable.artifacts.html.document import Document
from findable.artifacts.html.landmarks import Surroundings
from findable.artifacts.html.markup import SentDocument
from findable.artifacts.html.rendered_document import RenderedDocument
from findable.artifacts.registry import Absent, Artifacts, artifact
from findable.vocabulary import Verdict


class Content(Struct, frozen=True):
    """Document that the checks use, if it contains the content of the page."""

    document: Document
    surroundings: Surroundings
    """Context of its elements."""
    is_rendered: bool
    """Whether the markup is that of the document after scripts ran."""


@artifact
def make_document(sent_document: SentDocument, rendered_document: RenderedDocument | None) -> Document:
    """Return the document after scripts if a browser loaded the page, otherwise the document as sent."""
    return sent_document.document if rendered_document is None else rendered_document.document


@artifact
def make_content(document: Document, surroundings: Surroundings, rendered_document: RenderedDocument | Absent) -> Content | Absent:
    """Return the content; unknown if scripts build the page and no browser ran them completely."""
    if isinstance(rendered_document, RenderedDocument):
        return Content(document, surroundings, is_rendered=True)
    if not is_script_shell(document):
        return Content(document, surroundings, is_rendered=False)
    if rendered_document.missing is None:
        return Absent(rendered_document.reason, Verdict.UNKNOWN, rendered_document.params)
    return Absent("not known: scripts build this page, and it was read without a browser", Verdict.UNKNOWN)


def needs_browser(artifacts: Artifacts) -> bool:
    """Return whether the page was loaded but its content is missing, because scripts insert it."""
    return artifacts.get_or_none(Document) is not None and artifacts.get_or_none(Content) is None
