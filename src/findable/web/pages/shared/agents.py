"""Interfaces for agents: `POST /mcp`, if the extra `mcp` is installed, `llms.txt`, checks as Markdown."""

from importlib.util import find_spec
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from findable.checks.engine import all_checks
from findable.errors import McpNotInstalled, NotFound
from findable.service.runtime.service import Service
from findable.service.values.caller import READ
from findable.vocabulary import Category, Importance
from findable.web.agent_tools import check_sections
from findable.web.auth import bearer_token, enter
from findable.web.routing import Request, get, post

if TYPE_CHECKING:
    from findable.web.mcp import HttpMount

_MOUNTS: "WeakKeyDictionary[Service, HttpMount]" = WeakKeyDictionary()


class _SdkResponse(Response):
    """Response that the MCP SDK sends itself."""

    def __init__(self, mount: "HttpMount") -> None:
        super().__init__()
        self._mount = mount

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the SDK handle the request."""
        await self._mount.handle(scope, receive, send)


@post("/mcp")
async def call_tools(request: Request) -> Response:
    """Serve one message of the Model Context Protocol."""
    if find_spec("mcp") is None:
        raise McpNotInstalled
    token = bearer_token(request.headers, request.query)
    caller = await request.service.run(enter, token, READ, request.context)
    from findable.web.mcp import CALLER, HttpMount  # noqa: PLC0415 - the SDK takes a second of processor time to load

    mount = _MOUNTS.get(request.service)
    if mount is None:
        mount = _MOUNTS[request.service] = HttpMount(request.service)
    request.scope[CALLER] = caller
    return _SdkResponse(mount)


_SUMMARY = """# Findable

> Findable audits pages and crawls sites for what keeps people and search engines from finding them. Reports name each finding with its
> evidence, its cost in points and how to fix it.

Add `.md` to the URL of a check, and `/report.md` to that of a report.
"""


@get("/llms.txt")
async def get_llms(request: Request) -> Response:
    """Return the overview for language models (https://llmstxt.org)."""
    base = request.urls.base_url
    lines = [_SUMMARY, "## Interfaces", ""]
    lines += [
        f"- [HTTP API]({base}/api/v1/openapi.json): OpenAPI 3.1",
        f"- [MCP]({base}/mcp): tools for agents, with an API key",
        f"- [Checks]({base}/docs/checks): the list as a page",
        "",
    ]
    for category in Category:
        checks = [check for check in all_checks().values() if check.category is category]
        worst = sorted(checks, key=lambda check: _ORDER.index(check.importance))[:_PER_CATEGORY]
        links = (f"- [{check.id}]({base}/docs/checks/{check.id}.md): {check.question}" for check in worst)
        lines += [f"## {category.words}", "", *links, ""] if worst else []
    return _markdown("\n".join(lines))


_ORDER = tuple(Importance)
_PER_CATEGORY = 2


@get("/docs/checks/{check_id}.md")
async def get_check_markdown(request: Request, check_id: str) -> Response:
    """Return the documentation of a check."""
    del request
    check = all_checks().get(check_id)
    if check is None:
        raise NotFound
    return _markdown("\n\n".join(check_sections(check)))


def _markdown(text: str) -> Response:
    return Response(f"{text}\n", media_type="text/markdown", headers={"Cache-Control": "public, max-age=3600"})
