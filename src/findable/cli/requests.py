"""What the commands that fetch have in common: the guard for what was typed, who we say we are, and the fetching itself."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

from cyclopts import Parameter

from findable import urls
from findable.analyze import Options, report_page
from findable.cli.terminal import Progress
from findable.errors import UNREACHED, PageNotSeen, SettingError
from findable.fetch.addresses import is_exact_only, parse_address, readings
from findable.fetch.client import Fetcher
from findable.fetch.guard import AllowedTarget, Guard, nat64_prefixes
from findable.fetch.identity import Identity
from findable.fetch.site_cache import MemorySiteCache
from findable.reports.acceptance import Acceptance
from findable.reports.model import failed_report, report
from findable.reports.patterns import problem_of
from findable.settings import Settings
from findable.urls import Url
from findable.wording import ENGLISH, Wording

PAGES_AT_ONCE = 2
Made = TypeVar("Made")


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Request:
    """Options of every command that fetches."""

    allow_target: Annotated[tuple[str, ...], Parameter(help="Also reach this private host, host:port or network. May be repeated.")] = ()
    as_: Annotated[
        str | None, Parameter(name="--as", help="Judge a preview as if it were served from this origin, e.g. https://www.example.com.")
    ] = None
    header: Annotated[tuple[str, ...], Parameter(help="Send this header, 'Name: value', to the page's origin. May be repeated.")] = ()
    user: Annotated[str | None, Parameter(help="NAME:PASSWORD for Basic authentication at the page's origin.")] = None
    cookie: Annotated[tuple[str, ...], Parameter(help="Send this cookie, NAME=VALUE, to the page's origin. May be repeated.")] = ()
    user_agent: Annotated[str | None, Parameter(help="Introduce ourselves to the page's origin by this name.")] = None
    not_for_search: Annotated[
        tuple[str, ...],
        Parameter(help="Addresses that match are not meant to be found: /thanks*, https://example.com/cart/*. May be repeated."),
    ] = ()
    ask_as_crawlers: Annotated[
        bool,
        Parameter(help="Also ask for the page in the name of AI search crawlers, to see whether the edge refuses them (takes 6 s more)."),
    ] = False


def typed_url(text: str) -> Url:
    """The address as typed on a command line. Raises SettingError where it is none that can be fetched."""
    written = text if "://" in text else f"https://{text}"
    url = urls.parse(written.strip())
    if url is None or not url.is_http or not url.host:
        raise SettingError(f"'{text}'", "is not an http or https address")
    if url.has_login:
        raise SettingError(text.rpartition("@")[2], "give the login as --user NAME:PASSWORD, not in the address")
    return urls.parse(urls.without_fragment(url.href)) or url


def http_twin(text: str, request: Request) -> Url | None:
    """The http address to try where an address was typed without a scheme and https cannot be reached, as the service does.

    None where a scheme was typed, and where a login, cookie or header would go along: that does not travel unencrypted unasked.
    """
    if "://" in text or request.user is not None or request.header or request.cookie:
        return None
    return urls.parse(f"http://{typed_url(text).href.removeprefix('https://')}")


async def first_seen(url: Url, twin: Url | None, make: Callable[[Url], Awaitable[Made]]) -> Made:
    """What ``make`` makes of the address, or of its twin where the address cannot be reached. Raises PageNotSeen."""
    try:
        return await make(url)
    except PageNotSeen as error:
        if twin is None or error.code not in UNREACHED:
            raise
        with suppress(PageNotSeen):
            return await make(twin)
        raise


def _origin(text: str, option: str) -> str:
    url = urls.parse(text if "://" in text else f"https://{text}")
    if url is None or not url.is_http:
        raise SettingError(option, f"{text} is not an origin like https://www.example.com")
    if url.path_and_query != "/" or "#" in text:
        raise SettingError(option, f"{text} has a path; give the origin alone, {url.origin}")
    return url.origin


def identity_of(request: Request, url: Url) -> Identity:
    """What goes along to the origin of the address."""
    headers = []
    for line in request.header:
        name, colon, value = line.partition(":")
        if not colon:
            raise SettingError("--header", f"'{line}' is not 'Name: value'")
        headers.append((name.strip(), value.strip()))
    cookies = []
    for pair in request.cookie:
        name, equals, value = pair.partition("=")
        if not equals or ";" in value:
            raise SettingError("--cookie", "needs NAME=VALUE, one cookie each")
        cookies.append((name.strip(), value.strip()))
    login = None
    if request.user is not None:
        name, colon, password = request.user.partition(":")
        if not colon:
            raise SettingError("--user", "needs NAME:PASSWORD")
        login = (name, password)
    return Identity(origin=url.origin, user_agent=request.user_agent, headers=tuple(headers), user_password=login, cookies=tuple(cookies))


def guard_of(request: Request, settings: Settings, typed: Sequence[Url]) -> Guard:
    """The guard; hosts and ports typed on the command line may be private, redirects and other hosts stay guarded.

    Metadata of clouds is nothing to audit: such an address is reached only where ``--allow-target`` or the setting names it.
    """
    allowed = [AllowedTarget.parse(text, setting=settings.name_of("allow_targets")) for text in settings.allow_targets]
    allowed += [AllowedTarget.parse(text, setting="--allow-target") for text in request.allow_target]
    for url in typed:
        address = parse_address(url.host)
        if address is None or not any(is_exact_only(reading) for reading in readings(address)):
            allowed.append(AllowedTarget.parse(f"[{url.host}]:{url.port}" if ":" in url.host else f"{url.host}:{url.port}"))
    prefixes = nat64_prefixes(settings.nat64_prefixes, setting=settings.name_of("nat64_prefixes"))
    return Guard(allow_targets=allowed, nat64_prefixes=prefixes)


@asynccontextmanager
async def fetcher_for(request: Request, settings: Settings, typed: Sequence[Url]) -> AsyncIterator[Fetcher]:
    """A fetcher that reaches what was typed."""
    async with Fetcher(guard_of(request, settings, typed), contact=settings.user_agent_contact, ca_file=settings.ca_file) as fetcher:
        yield fetcher


def options_of(request: Request, settings: Settings, url: Url, acceptances: Sequence[Acceptance] = ()) -> Options:
    """How that address is to be looked at."""
    judged_as = _origin(request.as_, "--as") if request.as_ else None
    for pattern in request.not_for_search:
        if wrong := problem_of(pattern):
            raise SettingError("--not-for-search", f"{pattern}: {wrong}")
    identity = identity_of(request, url)
    return Options(
        judged_as=judged_as,
        identity=identity,
        not_for_search=request.not_for_search,
        acceptances=tuple(acceptances),
        ask_as_crawlers=request.ask_as_crawlers or settings.ask_as_crawlers,
    )


async def reports_of(
    typed: Mapping[Url, Url | None],
    request: Request,
    settings: Settings,
    acceptances: Sequence[Acceptance],
    progress: Progress,
    say: Wording = ENGLISH,
) -> list[dict[str, Any]]:
    """One REPORT for each address, in their order; a page that was not seen is a failed one. ``typed``: with their http twins."""
    at_once = asyncio.Semaphore(PAGES_AT_ONCE)
    cache = MemorySiteCache()
    done = 0

    def show(url: Url, stage: str, step: int, of: int) -> None:
        progress.show(f"[{done + 1}/{len(typed)}] {url.href}: {stage} ({step + 1} of {of})")

    async with fetcher_for(request, settings, [*typed, *filter(None, typed.values())]) as fetcher:

        async def make(url: Url) -> dict[str, Any]:
            options = options_of(request, settings, url, acceptances)
            made = await report_page(url.href, fetcher, options=options, site_cache=cache, progress=partial(show, url))
            return report(made[1], say=say)

        async def one(url: Url) -> dict[str, Any]:
            nonlocal done
            async with at_once:
                try:
                    made = await first_seen(url, typed[url], make)
                except PageNotSeen as error:
                    made = failed_report(url.href, error, datetime.now(UTC))
                done += 1
                return made

        try:
            return list(await asyncio.gather(*(one(url) for url in typed)))
        finally:
            progress.clear()


def read_text(path: Path, option: str) -> str:
    """A file the user named. Raises SettingError that names the option."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(option, f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8 text'}") from error
