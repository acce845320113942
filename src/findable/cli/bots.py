"""`findable bots`: list the bots that access logs are searched for, and refresh the published lists of their IP addresses."""

import asyncio
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter
from msgspec import structs

from findable.api.options import Access
from findable.api.targets import fetcher_for, typed_url
from findable.artifacts.tables.bot_names import read_names
from findable.artifacts.tables.bot_ranges import BotRanges, RangeList, RangesRefused, packaged_ranges, ranges_from, read_published
from findable.cli.command_settings import load_settings
from findable.cli.exit_codes import NOT_LOADED
from findable.cli.given_files import read_bytes
from findable.cli.terminal import clean
from findable.clock import now, rfc3339
from findable.errors import SettingError
from findable.settings import RANGES_NAME, Settings

if TYPE_CHECKING:
    from findable.fetch.fetcher import Fetcher

MAX_LIST_BYTES = 1_000_000
app = App(name="bots", help="List known bots, refresh the lists of their IP addresses, assign folders with access logs.")
Account = Annotated[str | None, Parameter(help="Email address of an owner of the project, if there are several accounts.")]
RangesFile = Annotated[Path | None, Parameter(help="File with the lists of IP addresses. Default: bot_ranges.json in the data directory.")]


def load_ranges(path: Path | None, settings: Settings) -> BotRanges:
    """Return the lists of a file, by default that of the data directory, else those of the package. Raises SettingError."""
    file = path or settings.data_dir / RANGES_NAME
    if not path and not file.exists():
        return packaged_ranges()
    try:
        return ranges_from(read_bytes(file))
    except RangesRefused as error:
        raise SettingError(str(file), str(error)) from error


@app.command(name="list")
def list_(*, ranges: RangesFile = None) -> int:
    """List the bots with their purpose, and how their requests are verified."""
    known = load_ranges(ranges, load_settings())
    lists = {one.name: one for one in known.lists}
    for bot in known.names.by_token.values():
        if bot.token_only:
            continue
        found = lists.get(bot.ranges)
        ways = [f"list of {found.readings[-1].last_on}"] if found else []
        ways += [f"DNS {', '.join(bot.host_names)}"] if bot.host_names else []
        print(f"{bot.token:<24} {bot.operator:<14} {bot.purpose.value:<12} {'; '.join(ways) or 'cannot be verified'}")
    return 0


@app.command
def refresh(
    *,
    from_: Annotated[str, Parameter(name="--from")] = "",
    list_name: Annotated[str, Parameter(name="--list")] = "",
    names: Annotated[bool, Parameter(negative=())] = False,
    ranges: RangesFile = None,
    access: Access | None = None,
) -> int:
    """Read the published lists of IP addresses again, and show what changed. Exits 3 if one could not be read; the old one stays.

    Args:
        from_: File or URL to read one list from. Default: the operators' own URLs.
        list_name: Only this list, such as bing.
        names: Read names of bots instead, in place of those read before; needs --from.
    """
    settings = load_settings()
    lists = load_ranges(ranges if ranges and ranges.exists() else None, settings)
    chosen = [one for one in lists.lists if list_name in ("", one.name)]
    if not chosen:
        raise SettingError("--list", f"must be one of {', '.join(one.name for one in lists.lists)}")
    if (from_ and not (list_name or names)) or (names and not from_):
        raise SettingError("--from", "needs --list, the name of the list in this file, or --names; --names needs --from")
    file = ranges or settings.data_dir / RANGES_NAME
    changed, is_complete = asyncio.run(_refreshed(lists, [] if names else chosen, from_, access or Access(), settings))
    file.parent.mkdir(parents=True, exist_ok=True)
    _write(file, changed)
    print(f"written to {file}")
    return 0 if is_complete else NOT_LOADED


@app.command
def folders(project: str, /, *, assign: str = "", remove: str = "", account: Account = None) -> int:
    """Show the folders with access logs (setting log_folders) and which of them a project reads; assign or remove one.

    Args:
        project: Project of the service.
        assign: Name of a folder whose access logs are read from now on.
        remove: Name of a folder that is not read any more.
    """
    from findable.cli.accounts import open_project
    from findable.service.projects import log_folders

    with open_project("bots folders", project, account) as (service, owner):
        caller = structs.replace(owner, is_operator=True)
        if assign:
            log_folders.assign(service, caller, project, assign)
        if remove:
            log_folders.remove(service, caller, project, remove)
        for one in log_folders.find(service, caller, project):
            read = f"read {rfc3339(one.read_at)}" if one.read_at else "not read yet"
            print(f"{one.name}  {f'assigned, {read}' if one.is_assigned else 'not assigned'}")
            for name, problem in one.problems.items():
                print(f"  {clean(name) or 'folder'}: {log_folders.PROBLEM_WORDS[problem]}")
    return 0


async def _refreshed(lists: BotRanges, chosen: list[RangeList], source: str, access: Access, settings: Settings) -> tuple[BotRanges, bool]:
    is_complete, today = True, now().date()
    urls = [typed_url(source)] if "://" in source else []
    given = read_bytes(Path(source), "--from") if source and not urls else None
    async with fetcher_for(access, settings, urls) as fetcher:
        if not chosen:
            try:
                bots = read_names(given if given is not None else await _fetched(source, fetcher))
            except ValueError as error:
                print(f"names: not changed: {clean(str(error))}")
                return lists, False
            print(f"names: {len(bots):,} bots")
            return structs.replace(lists, bots=bots), True
        for one in chosen:
            try:
                document = given if given is not None else await _fetched(source or one.url, fetcher)
                made = one.with_reading(today, read_published(document))
            except RangesRefused as error:
                print(f"{one.name}: not changed: {clean(str(error))}")
                is_complete = False
            else:
                print(f"{one.name}: {_difference(one, made, today)}")
                lists = lists.replaced(made)
    return lists, is_complete


async def _fetched(source: str, fetcher: "Fetcher") -> bytes:
    response = await fetcher.request(typed_url(source).href, body_cap_bytes=MAX_LIST_BYTES)
    if not response.ok:
        from findable.reports.page_error_text import response_sentence

        raise RangesRefused(response_sentence(response))
    return response.body


def _difference(before: RangeList, after: RangeList, today: date) -> str:
    old, new = set(before.readings[-1].prefixes), set(after.readings[-1].prefixes)
    if old == new:
        return f"unchanged since {after.readings[-1].first_on}, {len(new):,} networks, read on {today}"
    return f"{len(new):,} networks, {len(new - old):,} added, {len(old - new):,} removed"


def _write(file: Path, lists: BotRanges) -> None:
    """Replace the file as a whole, so that a reader never finds half of it."""
    import msgspec

    temporary = file.with_name(f"{file.name}.new")
    temporary.write_bytes(msgspec.json.encode(lists))
    temporary.replace(file)
