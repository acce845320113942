"""Facts about the visit of the page with a browser."""

from msgspec import Struct

from findable.artifacts.html.client_side_rendering import is_script_shell
from findable.artifacts.html.markup import SentDocument
from findable.artifacts.html.rendered_document import LeadsTo, RenderedDocument
from findable.artifacts.registry import Gathered
from findable.capture.rendering import Readiness, Rendering

NAME_CHARS = 100
URL_CHARS = 500


class BrowserFacts(Struct, frozen=True, kw_only=True):
    """Visit of the page with a browser."""

    browser: str
    """Name and version; empty if none started."""
    axe_version: str
    """Version of axe-core; empty if it did not run."""
    after_scripts: bool
    """Whether the page was judged by the document after its scripts ran, not by the one that was sent."""
    scripts_build: bool
    """Whether the HTML is an empty shell that scripts fill."""
    failure: str
    """Reason why the document after scripts was not judged, as a code; empty if it was."""
    leads_to: str
    """URL of the other page that the browser got; empty if it stayed."""


def browser(gathered: Gathered) -> BrowserFacts | None:
    """Return the facts, None if no browser was used."""
    rendering, sent = gathered.get_or_none(Rendering), gathered.get_or_none(SentDocument)
    if rendering is None:
        return None
    leads_to = gathered.get_or_none(LeadsTo)
    is_rendered = gathered.get_or_none(RenderedDocument) is not None
    unready = Readiness.LOADING.value if rendering.readiness is Readiness.LOADING else ""
    reasons = (rendering.failure.value, "leads_away" if leads_to else "", unready)
    return BrowserFacts(
        browser=rendering.browser[:NAME_CHARS],
        axe_version=rendering.axe_version[:NAME_CHARS],
        after_scripts=is_rendered,
        scripts_build=sent is not None and is_script_shell(sent.document),
        failure="" if is_rendered else next(filter(None, reasons), ""),
        leads_to=leads_to.url[:URL_CHARS] if leads_to else "",
    )
