"""Routes for machines: health, robots.txt, static files."""

import hmac
from typing import Any

from starlette.responses import Response

from findable.artifacts.page.private_hosts import is_loopback
from findable.errors import NotFound, Unauthenticated
from findable.service.runtime.service import Service
from findable.urls import parse
from findable.web.auth import bearer_token
from findable.web.compression import coding_for
from findable.web.metrics import CONTENT_TYPE
from findable.web.pages.shared.page_templates import STATIC_TYPES, static_compressed, static_files, static_url
from findable.web.routing import Request, get

FOREVER = "public, max-age=31536000, immutable"
A_DAY = "public, max-age=86400"
ROBOTS = b"""# Reports say noindex themselves. A crawler that is kept out could not read that.
User-agent: *
Disallow: /api/
Allow: /api/v1/docs
"""
SVG = "image/svg+xml"


def _text(body: bytes, status: int = 200, headers: Any = None) -> Response:
    return Response(body, status_code=status, media_type="text/plain", headers=headers)


@get("/healthz")
async def get_healthz(_request: Request) -> Response:
    """Return status 200 as long as the process responds."""
    return _text(b"ok\n")


@get("/readyz")
async def get_readyz(request: Request) -> Response:
    """Return status 200 if requests should be sent to this process, else 503."""
    why_not = await request.service.run(Service.readiness_problem)
    return _text(b"ready\n") if why_not is None else _text(f"not ready: {why_not}\n".encode(), 503, {"Retry-After": "5"})


@get("/metrics")
async def get_metrics(request: Request) -> Response:
    """Return Prometheus metrics: with the configured token, or from this machine if the service is only reachable locally."""
    service = request.service
    _require_watcher(service, request)
    return Response(await service.run(request.metrics.text), media_type=CONTENT_TYPE)


def _require_watcher(service: Service, request: Request) -> None:
    """Raise Unauthenticated for a wrong token, NotFound without a token if the service is reachable from outside."""
    token = service.settings.metrics_token
    if token:
        sent = bearer_token(request.headers, request.query)
        if not hmac.compare_digest(sent.encode(), token.encode()):
            raise Unauthenticated
        return
    peer = request.scope["client"]
    published = parse(service.settings.base_url)
    if not (peer and published and all(map(is_loopback, (peer[0], service.settings.host, published.host)))):
        raise NotFound


@get("/robots.txt")
async def get_robots(_request: Request) -> Response:
    """Return the service's robots.txt, which disallows nothing."""
    return _text(ROBOTS, headers={"Cache-Control": A_DAY})


@get(*["/favicon.ico", "/favicon.svg"])
async def get_favicon(_request: Request) -> Response:
    """Return the service's favicon."""
    return Response(static_files()["favicon.svg"], media_type=SVG, headers={"Cache-Control": A_DAY})


@get("/static/{name}")
async def get_static(request: Request, name: str) -> Response:
    """Return a stylesheet or script of the service."""
    if name not in static_files():
        raise NotFound
    # During an update, an older process must not store its file forever under the URL of the new one.
    is_this_version = f"/static/{name}?{request.scope['query_string'].decode('latin-1')}" == static_url(name)
    headers = {"Cache-Control": FOREVER if is_this_version else A_DAY}
    coding = coding_for(request.headers)
    if coding:
        headers["Content-Encoding"] = coding
    body = static_compressed(name, coding) if coding else static_files()[name]
    return Response(body, media_type=STATIC_TYPES[name.rpartition(".")[2]], headers=headers)
