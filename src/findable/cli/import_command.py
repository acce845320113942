"""`findable import`: import tables of URLs of other crawlers, tables of sites, and reports of another server with a compatible API."""

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from findable.cli.accounts import open_service
from findable.cli.exit_codes import NOT_LOADED, PASSED
from findable.cli.given_files import read_bytes
from findable.cli.terminal import clean
from findable.errors import SettingError

if TYPE_CHECKING:
    from findable.service.reports.imports import ImportOutcome
    from findable.service.runtime.service import Service
    from findable.service.values.caller import Caller

KEY_VARIABLE = "FINDABLE_KEY"


def import_(
    table: Path | None = None,
    /,
    *,
    store: Path | None = None,
    sites: Path | None = None,
    dry_run: Annotated[bool, Parameter(negative=())] = False,
    from_: Annotated[str | None, Parameter(name="--from")] = None,
    key: str | None = None,
    to: str | None = None,
) -> int:
    """Import the URLs of a site from a table of another crawler, a table of sites, or projects and reports from another server.

    A table becomes a crawl file to compare with: status, indexability, title and depth. It has no score and no findings, because everything
    else is unknown.

    A table of sites has the columns url, name, client, tags, language, owner, recipients, brand and interval, of which only url is
    required. Sites are created or updated; an empty cell changes nothing, a hyphen removes the value. Rows with errors change nothing and
    are listed; then the command exits 3.

    From a server, projects and reports are imported with their dates and ratings, also while a service runs. Findings cannot be imported:
    run a report again to get them. Reports with a password become private and are listed. Rows that an earlier import created are skipped,
    so that the same command continues an interrupted import.

    Args:
        table: Table of all URLs: internal_all.csv or internal_html.csv of Screaming Frog, list of URLs of Sitebulb.
        store: New crawl file for the table; compare with it: findable crawl --baseline FILE.
        sites: Table of sites (CSV) for the service on this machine, instead of a table of URLs.
        dry_run: With --sites: show what would be changed, and change nothing.
        from_: URL of another server instead of a table, without /api/v1.
        key: API key of the other server; default: FINDABLE_KEY, which process lists do not show.
        to: Email address of the owner who gets the sites or reports, if there are several accounts.
    """
    if sum(one is not None for one in (table, sites, from_)) != 1 or (table is None) != (store is None):
        raise SettingError("import", "give either TABLE and --store FILE, --sites FILE or --from URL")
    if sites is not None:
        return _import_sites(sites, to, dry_run=dry_run)
    if table is not None and store is not None:
        return _import_table(table, store)
    return _import_server(from_ or "", key, to)


def _import_table(table: Path, store: Path) -> int:
    from findable.api import import_crawl

    crawl = import_crawl(table, store)
    if crawl.imported is not None:
        known = [name for name, has in (("titles", crawl.imported.has_titles), ("depths", crawl.imported.has_depths)) if has]
        with_ = f" with {' and '.join(known)}" if known else ""
        print(f"{crawl.counts.done:,} URLs of {clean(crawl.url)} were imported from {crawl.imported.program}{with_}.")
    print(f"Compare: findable crawl {clean(crawl.url)} --baseline {clean(str(store))}")
    return PASSED


def _import_sites(path: Path, to: str | None, *, dry_run: bool) -> int:
    from findable.service.accounts.account_admin import owner_caller
    from findable.service.projects.site_imports import import_sites

    data = read_bytes(path, "--sites")
    with open_service("import") as service:
        found = import_sites(service, owner_caller(service, to), data, dry_run=dry_run)
    for row in found.rows:
        for name, words in row.errors.items():
            sys.stderr.write(f"findable: line {row.line}: {name}: {clean(' '.join(words))}\n")
    counts = f"{found.created:,} created, {found.updated:,} updated, {found.unchanged:,} unchanged, {found.failed:,} with errors"
    print(f"dry run, nothing was changed: {counts}" if dry_run else counts)
    return NOT_LOADED if found.failed else PASSED


def _import_server(from_: str, key: str | None, to: str | None) -> int:
    from findable.service.accounts.account_admin import owner_caller
    from findable.service.reports.imports import ImportOutcome
    from findable.service.reports.other_server import base_url_of
    from findable.service.runtime.json_requests import UnexpectedResponse

    base_url, secret = base_url_of(from_), key or os.environ.get(KEY_VARIABLE, "")
    if base_url.startswith("http://"):
        sys.stderr.write("findable: the key is sent without encryption, because the URL is http.\n")
    outcome, problem = ImportOutcome(), ""
    with open_service("import") as service:
        try:
            asyncio.run(_import(service, owner_caller(service, to), base_url, secret, outcome))
        except UnexpectedResponse as error:
            problem = str(error)
    _print_outcome(outcome)
    if not problem:
        return PASSED
    sys.stderr.write(f"findable: not complete: {clean(problem)}. Run the command again to continue.\n")
    return NOT_LOADED


async def _import(service: "Service", caller: "Caller", base_url: str, key: str, outcome: "ImportOutcome") -> None:
    from findable.service.reports.imports import import_all
    from findable.service.reports.other_server import SourceServer
    from findable.service.runtime.json_requests import allowed_host, unpaused_fetcher
    from findable.service.runtime.service import guard_of

    guard = guard_of(service.settings, allowed_host(base_url, "--from"))
    if refusal := guard.check_url(base_url):
        raise SettingError("--from", refusal.words)
    async with unpaused_fetcher(service.settings, guard) as fetcher:
        await import_all(service, caller, SourceServer(base_url, key, fetcher), outcome)


def _print_outcome(outcome: "ImportOutcome") -> None:
    print(f"{outcome.projects:,} projects and {outcome.reports:,} reports were imported; {outcome.known:,} reports were imported before.")
    if outcome.unreadable:
        print(f"{outcome.unreadable:,} rows have no URL or id and were skipped.")
    for url in outcome.had_password:
        print(f"now private, had a password: {clean(url)}")
    for url, reason in outcome.rejections:
        print(f"not imported: {clean(url)}: {clean(reason)}")
    if outcome.reports:
        print("They have no findings yet: choose Run all pages again on the page of each project.")
