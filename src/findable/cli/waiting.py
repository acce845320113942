"""Option `--wait` of the commands that fetch pages."""

import asyncio
import sys
from typing import Annotated

from cyclopts import Parameter

from findable.api.options import Access
from findable.api.targets import await_page, number_in_range
from findable.cli.terminal import clean
from findable.settings import Settings
from findable.urls import Url

MAX_WAIT_S = 3600
Wait = Annotated[float | None, Parameter(help="Wait at most this many seconds until the first page is available, e.g. a deployment.")]


def is_available(url: Url, seconds: float | None, request: Access, settings: Settings) -> bool:
    """Wait for a page if `--wait` says so; return False, and say why on standard error, if it is not available in time."""
    if seconds is None:
        return True
    number_in_range("--wait", seconds, 0, MAX_WAIT_S)
    wrong = asyncio.run(await_page(url, seconds, request, settings))
    if wrong:
        sys.stderr.write(f"findable: {clean(url.href)} was not available within {seconds:g} s: {clean(wrong)}\n")
    return not wrong
