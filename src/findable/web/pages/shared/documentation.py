"""The documentation site under ``/docs``: the files that `tools/documentation_site.py` makes, which a package brings along."""

import asyncio
import mimetypes
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from starlette.responses import Response

from findable import __version__
from findable.errors import NotFound
from findable.web.api.report_routes import matches
from findable.web.middleware import UNTRUSTED_TYPES_POLICY
from findable.web.pages.shared.page_templates import see_other
from findable.web.routing import Request, get

FOLDER = Path(str(files("findable.web") / "documentation"))
"""Absent in a clone where it was not made."""
INDEX = "index.html"


@cache
def pages() -> Mapping[str, Path]:
    """Return the files of the site by their path below ``/docs/``; none if it was not made."""
    return {path.relative_to(FOLDER).as_posix(): path for path in FOLDER.rglob("*") if path.is_file()}


@get("/docs")
async def get_documentation(_request: Request) -> Response:
    """Lead to the documentation; without its files to the checks, whose pages need none."""
    return see_other(f"/docs/{INDEX}" if INDEX in pages() else "/docs/checks")


@get("/docs/{path:path}")
async def get_documentation_file(request: Request, path: str) -> Response:
    """Return a file of the documentation. It may be read by everybody, and says of itself that search engines need no copy."""
    found = pages().get(path)
    if found is None:
        raise NotFound
    state = found.stat()
    tag = f"{__version__}-{state.st_size:x}-{state.st_mtime_ns:x}"
    headers = {
        "Cache-Control": "no-cache",
        "ETag": f'W/"{tag}"',
        "X-Robots-Tag": "noindex",
        "Content-Security-Policy": UNTRUSTED_TYPES_POLICY,
    }
    if matches(request.headers.get("if-none-match", ""), tag):
        return Response(b"", 304, headers)
    media_type, _ = mimetypes.guess_type(found.name)
    return Response(await asyncio.to_thread(found.read_bytes), 200, headers, media_type or "application/octet-stream")
