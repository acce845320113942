"""`findable import`: import projects and reports from another server with a compatible API."""

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from findable.cli.accounts import open_service
from findable.cli.exit_codes import NOT_LOADED, PASSED
from findable.cli.terminal import clean
from findable.errors import SettingError

if TYPE_CHECKING:
    from findable.service.reports.imports import ImportOutcome
    from findable.service.runtime.service import Service
    from findable.service.values.caller import Caller

KEY_VARIABLE = "FINDABLE_KEY"


def import_(
    *,
    from_: Annotated[str, Parameter(name="--from", help="URL of the other server, without /api/v1.")],
    key: Annotated[
        str | None, Parameter(help="API key of the other server; default: FINDABLE_KEY, which process lists do not show.")
    ] = None,
    to: Annotated[str | None, Parameter(help="E-mail address of the owner who gets the reports, if there are several accounts.")] = None,
) -> int:
    """Import projects and reports from another server, with their dates and ratings; works while a service runs.

    Findings cannot be imported: run a report again to get them. Reports with a password become private and are listed. Rows that an earlier
    import created are skipped, so that the same command continues an interrupted import.
    """
    from findable.service.accounts.account_admin import owner_caller
    from findable.service.reports.imports import ImportOutcome
    from findable.service.reports.source_server import base_url_of
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
    from findable.service.reports.source_server import SourceServer
    from findable.service.runtime.json_requests import allowed_host, unpaused_fetcher
    from findable.service.runtime.service import guard_of

    guard = guard_of(service.settings, allowed_host(base_url, "--from"))
    if refusal := guard.check_url(base_url):
        raise SettingError("--from", refusal.sentence)
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
