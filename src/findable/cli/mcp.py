"""`findable mcp`: serve the agent tools (Model Context Protocol) over standard input and output."""

import asyncio
import os
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from findable.cli.command_settings import load_settings
from findable.cli.config import read_config
from findable.cli.source_files import SourceFiles, SourceRule
from findable.errors import SettingError
from findable.urls import parse

if TYPE_CHECKING:
    from findable.service.runtime.service import Service


def mcp(*, url: str | None = None) -> int:
    """Serve tools for agents (Model Context Protocol) over standard input and output.

    With --url or FINDABLE_URL, requests go to that service with the API key in FINDABLE_KEY. Without them, this process generates the
    reports and crawls itself, also of loopback hosts, and stores them in the folder mcp of the data directory. It names source files
    by [source] of the configuration in the working directory.

    Args:
        url: URL of a remote service to use instead of a local one; default: FINDABLE_URL.
    """
    from findable.web import mcp as server

    url = url or os.environ.get("FINDABLE_URL")
    if url is None:
        return _local()
    parsed = parse(url)
    if parsed is None or not parsed.is_http:
        raise SettingError("--url", f"{url} is not an http or https URL")
    key = os.environ.get("FINDABLE_KEY", "")
    if not key:
        raise SettingError("FINDABLE_KEY", "is not set; it must be an API key of the service")
    asyncio.run(server.proxy_stdio(url, key))
    return 0


def _local() -> int:
    from findable.service.runtime.service import Service
    from findable.web.logs import log_to_stderr

    settings = load_settings()
    own = load_settings(
        {
            "data_dir": settings.data_dir / "mcp",
            "database_url": "",
            "allow_targets": (*settings.allow_targets, "127.0.0.0/8", "::1", "localhost"),
            "rate_limit": 0,
        }
    )
    sources = read_config(None).sources
    log_to_stderr(as_json=False)
    with closing(Service.open(own, exclusive=True)) as service:
        asyncio.run(_serve(service, sources))
    return 0


async def _serve(service: "Service", sources: Sequence[SourceRule]) -> None:
    from findable.service.accounts.first_start import first_owner
    from findable.web import mcp as server
    from findable.worker.report_worker import ReportWorker

    worker = ReportWorker(service)
    await worker.start()
    try:
        await server.serve_stdio(service, await service.run(first_owner), SourceFiles(sources))
    finally:
        await worker.stop(0)
