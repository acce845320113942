"""Console of the browser: errors in the page's scripts."""

from msgspec import Struct

from findable.artifacts.html.rendered_document import Visit
from findable.artifacts.registry import Absent, artifact
from findable.capture.rendering import ConsoleLine, WithheldReason
from findable.urls import same_host
from findable.vocabulary import Verdict


class Console(Struct, frozen=True):
    """Errors of the page's scripts in the browser's console."""

    errors: tuple[str, ...]
    """Uncaught errors of the site's own scripts, without duplicates: message, file and line."""


@artifact
def make_console(visit: Visit) -> Console | Absent:
    """Return uncaught errors, except those of scripts from other hosts, which the site's owner cannot change.

    Unknown if there are errors and hosts were not loaded, because scripts may miss what these hosts provide.
    """
    page_url = visit.rendering.final_url
    own = (line for line in visit.rendering.console if line.uncaught and (not line.url or same_host(line.url, page_url)))
    errors = tuple(dict.fromkeys(_describe(line) for line in own))
    if errors and any(request.withheld is WithheldReason.HOST for request in visit.rendering.requests):
        return Absent("not measured: scripts have errors, perhaps because hosts that they need were not loaded", Verdict.UNKNOWN)
    return Console(errors)


def _describe(line: ConsoleLine) -> str:
    place = f"{line.url}:{line.line}" if line.line is not None else line.url
    return f"{line.text}, {place}" if place else line.text
