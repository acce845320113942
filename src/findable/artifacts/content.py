"""The document in which the content of the page is looked for: raw or rendered, decided once, here.

Checks of markup, metadata and delivery read the `Document` that the server sent, which most crawlers read too. Checks of content read
this one, so that a page built by scripts is judged by what its readers get.
"""

from msgspec import Struct

from findable.artifacts.html.client_side_rendering import is_script_shell
from findable.artifacts.html.document import Document
from findable.artifacts.html.landmarks import Surroundings
from findable.artifacts.html.rendered_document import RenderedDocument
from findable.artifacts.registry import Absent, Gathered, artifact
from findable.vocabulary import Verdict


class Content(Struct, frozen=True):
    """The document after scripts where a browser loaded the page, otherwise the one that was sent."""

    document: Document
    surroundings: Surroundings
    """The places of its elements."""
    rendered: bool
    """Whether it is the document after scripts."""


@artifact
def make_content(document: Document, surroundings: Surroundings, rendered: RenderedDocument | None) -> Content | Absent:
    """Unknown where scripts build the page and no browser ran them."""
    if rendered is not None:
        return Content(rendered.document, Surroundings(rendered.document), rendered=True)
    if is_script_shell(document):
        return Absent("not known: scripts build this page, and it was read without a browser", Verdict.UNKNOWN)
    return Content(document, surroundings, rendered=False)


def needs_browser(gathered: Gathered) -> bool:
    """Whether the page is there, and its content is not."""
    return gathered.get_or_none(Document) is not None and gathered.get_or_none(Content) is None
