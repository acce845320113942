"""Targets, guard, identity and fetcher of the commands that fetch pages, and of `findable.api`."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from findable import urls
from findable.api.options import Access, AuditOptions, VisitOptions
from findable.capture.browser_options import BrowserOptions
from findable.capture.response import Failure
from findable.capture.status_classes import is_error
from findable.clock import monotonic_s
from findable.errors import UNREACHED, PageUnavailable, SettingError
from findable.fetch.browser.typed_options import read_hosts, selector_problem
from findable.fetch.egress_guard import AllowedTarget, Guard, nat64_prefixes
from findable.fetch.fetcher import Fetcher
from findable.fetch.identity import Identity
from findable.fetch.ip_addresses import is_exact_only, parse_address, readings
from findable.reports.url_patterns import problem_of
from findable.settings import Settings
from findable.urls import Url, is_ip

if TYPE_CHECKING:
    from findable.fetch.browser.browser_pool import BrowserPool

WAIT_PAUSE_S = 0.5
"""Pause before the second request for a page that is awaited; it doubles with each request."""
MAX_WAIT_PAUSE_S = 5.0
Number = TypeVar("Number", int, float)
Made = TypeVar("Made")


class AuditTarget(Struct, frozen=True):
    """URL to audit, with the URL to try next if it is unreachable."""

    url: Url
    fallback: Url | None = None
    """The same URL with http, if no scheme was typed."""
    is_own: bool = True
    """Whether the URL was typed or is on a typed origin. Only such hosts may be private, and only they receive the identity."""


def typed_url(text: str) -> Url:
    """Return the URL typed on a command line. Raises SettingError if it cannot be fetched."""
    _require_no_file(text)
    written = text if "://" in text else f"https://{text}"
    url = urls.parse(written.strip())
    if url is None or not url.is_http or not url.host or text.startswith("/"):  # otherwise /cart would be read as the host "cart"
        raise SettingError(f"'{text}'", "is not an http or https URL")
    if len(urls.split_urls(text)) > 1:
        raise SettingError(f"'{text}'", "contains several URLs: separate them by blanks, without quotes")
    if written is not text and urls.is_one_word(url):
        raise SettingError(f"'{text}'", f"is no complete host name; for a host of your own network use http://{url.host}/")
    if url.has_login:
        raise SettingError(text.rpartition("@")[2], "give the login as --user NAME:PASSWORD, not in the URL")
    return urls.parse(urls.without_fragment(url.href)) or url


def _require_no_file(text: str) -> None:
    """Raise SettingError if the text is the path of a local file, because only pages sent by a server can be checked."""
    path = Path(text.removeprefix("file://"))
    with suppress(OSError, ValueError):  # the text is too long for a path or contains NUL
        if text.startswith("file:") or (text.startswith((".", "/")) and path.exists()) or ("://" not in text and path.is_file()):
            folder = path if path.is_dir() else path.parent
            reason = f"is a file; give its http URL: python3 -m http.server --directory {folder} 3000"
            raise SettingError(text, reason)


def http_fallback(text: str, request: Access) -> Url | None:
    """Return the http URL to try if a URL without a scheme is unreachable over https.

    None if a scheme was typed, or a login, cookie or header would be sent, because identities are never sent unencrypted by default.
    """
    if "://" in text or request.user is not None or request.header or request.header_env or request.cookie:
        return None
    return urls.parse(f"http://{typed_url(text).href.removeprefix('https://')}")


async def first_loaded(url: Url, fallback: Url | None, make: Callable[[Url], Awaitable[Made]]) -> Made:
    """Return the result of ``make`` for the URL, or for the fallback URL if the first is unreachable. Raises PageUnavailable."""
    try:
        return await make(url)
    except PageUnavailable as error:
        if fallback is None or error.code not in UNREACHED:
            raise
        with suppress(PageUnavailable):
            return await make(fallback)
        raise


def typed_origin(text: str) -> str:
    """Return the origin typed as the value of ``--as``. Raises SettingError if the value is not an origin."""
    url = urls.parse(text if "://" in text else f"https://{text}")
    if url is None or not url.is_http or not ("://" in text or "." in url.host or url.host == "localhost" or is_ip(url.host)):
        raise SettingError("--as", f"{text} is not an origin like https://www.example.com")
    if url.path_and_query != "/" or "#" in text:
        raise SettingError("--as", f"{text} has a path; give only the origin, {url.origin}")
    return url.origin


def identity_of(request: Access, url: Url) -> Identity:
    """Return the login, headers, cookies and user agent for the origin of the URL. Raises SettingError if an option is invalid."""
    headers = []
    for line in request.header:
        name, colon, value = line.partition(":")
        if not colon:
            raise SettingError("--header", f"'{line}' is not a header like 'Name: value'")
        headers.append((name.strip(), value.strip()))
        _require_sendable("--header", headers=(headers[-1],))
    for pair in request.header_env:
        name, _, variable = (part.strip() for part in pair.partition("="))
        if not name or not variable:
            raise SettingError("--header-env", f"'{pair}' is not Name=VARIABLE")
        if not os.environ.get(variable):
            raise SettingError("--header-env", f"the environment variable {variable} is not set")
        headers.append((name, os.environ[variable]))
        _require_sendable("--header-env", headers=(headers[-1],))
    cookies = []
    for pair in request.cookie:
        name, equals, value = pair.partition("=")
        if not equals or ";" in value:
            raise SettingError("--cookie", "must be one cookie as NAME=VALUE")
        cookies.append((name.strip(), value.strip()))
        _require_sendable("--cookie", cookies=(cookies[-1],))
    if request.user_agent is not None:
        if not request.user_agent.strip():
            raise SettingError("--user-agent", "must not be empty")
        _require_sendable("--user-agent", user_agent=request.user_agent)
    login = None
    if request.user is not None:
        name, colon, password = request.user.partition(":")
        if not colon:
            raise SettingError("--user", "must be NAME:PASSWORD")
        login = (name, password)
    return Identity(origin=url.origin, user_agent=request.user_agent, headers=tuple(headers), user_password=login, cookies=tuple(cookies))


def _require_sendable(option: str, **parts: Any) -> None:
    """Raise SettingError that names the option if a part of the identity cannot be sent in an HTTP header."""
    try:
        Identity(**parts)
    except SettingError as error:
        raise SettingError(option, error.reason) from error


def preview_origin_of(request: AuditOptions) -> str | None:
    """Return the origin that the pages are a preview of (`--as`), None without the option. Raises SettingError if it is invalid."""
    return None if request.as_ is None else typed_origin(request.as_)


def guard_of(request: Access, settings: Settings, urls: Sequence[Url]) -> Guard:
    """Return the guard for requests: the host and port of each of these URLs may be private, all other private hosts are rejected.

    Cloud metadata addresses are allowed only if ``--allow-target`` or the setting contains them.
    """
    allowed = [AllowedTarget.parse(text, setting=settings.name_of("allow_targets")) for text in settings.allow_targets]
    allowed += [AllowedTarget.parse(text, setting="--allow-target") for text in request.allow_target]
    for url in urls:
        address = parse_address(url.host)
        if address is None or not any(is_exact_only(reading) for reading in readings(address)):
            allowed.append(AllowedTarget.parse(f"[{url.host}]:{url.port}" if ":" in url.host else f"{url.host}:{url.port}"))
    prefixes = nat64_prefixes(settings.nat64_prefixes, setting=settings.name_of("nat64_prefixes"))
    return Guard(allow_targets=allowed, nat64_prefixes=prefixes)


def fetcher_for(request: Access, settings: Settings, urls: Sequence[Url]) -> Fetcher:
    """Return a fetcher that may also request these URLs if their hosts are private; use it with ``async with``."""
    return Fetcher(guard_of(request, settings, urls), contact=settings.user_agent_contact, ca_file=settings.ca_file)


async def await_page(url: Url, seconds: float, request: Access, settings: Settings) -> str:
    """Wait until a page responds with a status below 400, for instance because its deployment is complete.

    Return an empty text, or what the page last responded if it did not within this time.
    """
    until_s, pause_s = monotonic_s() + seconds, WAIT_PAUSE_S
    async with fetcher_for(request, settings, [url]) as fetcher:
        while True:
            response = await fetcher.request(url.href, body_cap_bytes=1, identity=identity_of(request, url))
            if response.failure is Failure.NONE and not is_error(response.status):
                return ""
            if monotonic_s() + pause_s > until_s:
                return f"HTTP {response.status}" if response.failure is Failure.NONE else response.failure.words
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, MAX_WAIT_PAUSE_S)


def browser_options_of(visits: VisitOptions) -> BrowserOptions:
    """Return the options of browser visits. Raises SettingError if a host or the selector is invalid."""
    hosts, wrong = read_hosts(visits.block_host)
    if wrong:
        raise SettingError("--block-host", wrong[0])
    if problem := selector_problem(visits.wait_for):
        raise SettingError("--wait-for", problem)
    return BrowserOptions(visits.dismiss_consent, visits.without_blocked, visits.wait_for, hosts, visits.load_trackers)


@asynccontextmanager
async def browser_for(request: AuditOptions, settings: Settings, fetcher: Fetcher) -> "AsyncIterator[BrowserPool | None]":
    """Open browsers if `--browser` requests them, else yield None. Raises SettingError if no browser is installed."""
    if request.browser == "none":
        yield None
    else:
        async with pool_for(settings, fetcher, "--browser") as pool:
            yield pool


@asynccontextmanager
async def pool_for(settings: Settings, fetcher: Fetcher, option: str) -> "AsyncIterator[BrowserPool]":
    """Open browsers whose requests pass the guard of the fetcher. Raises SettingError that names the option if none is installed."""
    from findable.fetch.browser.browser_pool import BrowserPool
    from findable.fetch.browser.browser_program import configured_browser

    program = configured_browser(settings)
    if program is None:
        raise SettingError(option, "no Chromium is installed; on Debian: apt-get install chromium-headless-shell")
    pool = BrowserPool(program, fetcher.guard, concurrency=settings.browser_concurrency)
    try:
        yield pool
    finally:
        await pool.close()


def valid_patterns(option: str, patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the patterns of URLs unchanged. Raises SettingError that names the option if one is invalid."""
    for pattern in patterns:
        if wrong := problem_of(pattern):
            raise SettingError(option, f"{pattern}: {wrong}")
    return patterns


def number_in_range(option: str, value: Number, minimum: float, maximum: float) -> Number:
    """Return the value of an option unchanged. Raises SettingError if it is out of range."""
    if not minimum <= value <= maximum:
        raise SettingError(option, f"must be a number from {minimum:g} to {maximum:,}")
    return value
