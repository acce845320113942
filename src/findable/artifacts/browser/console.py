"""Console of the browser: errors in the page's scripts."""

from msgspec import Struct

from findable.artifacts.html.rendered_document import Visit
from findable.artifacts.registry import artifact
from findable.capture.rendering import ConsoleLine
from findable.urls import same_host


class Console(Struct, frozen=True):
    """Errors of the page's scripts in the browser's console."""

    errors: tuple[str, ...]
    """Uncaught errors of the site's own scripts, without duplicates: message, file and line."""


@artifact
def make_console(visit: Visit) -> Console:
    """Return uncaught errors, except those of scripts from other hosts, which the site's owner cannot change."""
    page_url = visit.rendering.final_url
    own = (line for line in visit.rendering.console if line.uncaught and (not line.url or same_host(line.url, page_url)))
    return Console(tuple(dict.fromkeys(_describe(line) for line in own)))


def _describe(line: ConsoleLine) -> str:
    place = f"{line.url}:{line.line}" if line.line is not None else line.url
    return f"{line.text}, {place}" if place else line.text
