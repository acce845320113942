"""`findable gather`: a page and all that belongs to it as one file."""

import asyncio
import sys

from findable.analyze import capture_page
from findable.artifacts.saved import dump
from findable.cli.requests import Request, fetcher_for, options_of, typed_url
from findable.errors import PageNotSeen
from findable.settings import Settings


def gather(url: str, /, *, request: Request | None = None) -> int:
    """Fetch a page and print it as a saved page (JSON); `findable check` judges it without the network."""
    request = request or Request()
    typed = typed_url(url)

    async def work() -> bytes:
        async with fetcher_for(request, Settings.load(), [typed]) as fetcher:
            return dump(await capture_page(typed.href, fetcher, options=options_of(request, typed)))

    try:
        saved = asyncio.run(work())
    except PageNotSeen as error:
        sys.stderr.write(f"findable: {error.sentences} [{error.code}]\n")
        return 3
    sys.stdout.buffer.write(saved + b"\n")
    return 0
