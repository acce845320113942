"""What machines ask for: health, robots.txt, static files; and the page of an error code."""

from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from findable.errors import NotFound
from findable.service.app import Service
from findable.web.pages.rendering import STATIC_TYPES, PageRequest, page, static_files
from findable.web.problems import EXPLAINED

FOREVER = "public, max-age=31536000, immutable"
A_DAY = "public, max-age=86400"
ROBOTS = b"# Reports say noindex themselves. A crawler that is kept out could not read that.\nUser-agent: *\nDisallow: /api/\n"
SVG = "image/svg+xml"


def _text(body: bytes, status: int = 200, headers: Any = None) -> Response[bytes]:
    return Response(body, status_code=status, media_type="text/plain", headers=headers)


@get("/healthz")
async def get_healthz() -> Response[bytes]:
    """Whether the process answers."""
    return _text(b"ok\n")


@get("/readyz")
async def get_readyz(request: PageRequest) -> Response[bytes]:
    """Whether requests should be sent here."""
    service: Service = request.app.state.service
    ready = await service.run(_is_ready)
    return _text(b"ready\n") if ready else _text(b"not ready\n", 503, {"Retry-After": "5"})


def _is_ready(service: Service) -> bool:
    return service.is_ready()


@get("/robots.txt")
async def get_robots() -> Response[bytes]:
    """Our own robots.txt; it keeps nothing secret."""
    return _text(ROBOTS, headers={"Cache-Control": A_DAY})


@get(["/favicon.ico", "/favicon.svg"])
async def get_favicon() -> Response[bytes]:
    """Our sign."""
    return Response(static_files()["favicon.svg"], media_type=SVG, headers={"Cache-Control": A_DAY})


@get("/static/{name:str}")
async def get_static(request: PageRequest, name: FromPath[str]) -> Response[bytes]:
    """A style sheet or script of ours."""
    body = static_files().get(name)
    if body is None:
        raise NotFound
    asked_by_version = request.scope["query_string"].startswith(b"v=")
    headers = {"Cache-Control": FOREVER if asked_by_version else A_DAY}
    return Response(body, media_type=STATIC_TYPES[name.rpartition(".")[2]], headers=headers)


@get("/errors/{code:str}")
async def get_error(request: PageRequest, code: FromPath[str]) -> Response[bytes]:
    """What an error code of the interface means."""
    del request
    for error, explanation in EXPLAINED.items():
        if error.slug == code:
            return page("error_code.html", error=error, explanation=explanation)
    raise NotFound
