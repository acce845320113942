"""`findable gather`: save a page with all its resources in one file."""

import asyncio
import sys

from findable.analyze import capture_page
from findable.api.audits import options_of
from findable.api.options import AuditOptions
from findable.api.targets import browser_for, fetcher_for, first_loaded, http_fallback, typed_url
from findable.capture.redaction import mask_secrets
from findable.capture.saved import dump
from findable.cli.command_settings import load_settings
from findable.cli.exit_codes import NOT_LOADED
from findable.cli.terminal import clean
from findable.errors import PageUnavailable
from findable.reports.page_error_text import sentences_of
from findable.urls import Url


def gather(url: str, /, *, request: AuditOptions | None = None) -> int:
    """Fetch a page and print it as a saved page (JSON); `findable check` checks it without the network.

    Args:
        url: URL of a page; a host given here may be private.
    """
    request = request or AuditOptions()
    typed, fallback = typed_url(url), http_fallback(url, request)

    settings = load_settings()

    async def work() -> bytes:
        places = [typed, fallback] if fallback else [typed]
        async with fetcher_for(request, settings, places) as fetcher, browser_for(request, settings, fetcher) as browser:

            async def make(address: Url) -> bytes:
                options = options_of(request, settings, address, browser=browser)
                return dump(mask_secrets(await capture_page(address.href, fetcher, options), options.identity.secrets))

            return await first_loaded(typed, fallback, make)

    try:
        saved = asyncio.run(work())
    except PageUnavailable as error:
        sys.stderr.write(f"findable: {clean(sentences_of(error.error))} [{error.code}]\n")
        return NOT_LOADED
    sys.stdout.buffer.write(saved + b"\n")
    return 0
