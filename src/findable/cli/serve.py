"""`findable serve`: run the service with its pages and API."""

from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING

from findable.cli.command_settings import load_settings
from findable.errors import SettingError
from findable.fetch.egress_guard import AllowedTarget
from findable.settings import Settings
from findable.web.listening import require_free

if TYPE_CHECKING:
    from findable.service.accounts.first_start import FirstStart
    from findable.service.runtime.service import Service


def serve(
    *,
    host: str | None = None,
    port: int | None = None,
    no_worker: bool = False,
    json_log: bool = False,
    no_access_log: bool = False,
    accept_loss: bool = False,
) -> int:
    """Run the service. --host and --port override the settings. With --no-worker, it needs `findable worker` to generate reports.

    Args:
        host: IP address to listen on; default: FINDABLE_HOST.
        port: Port to listen on; default: FINDABLE_PORT.
        no_worker: Only serve requests; `findable worker` generates the reports (PostgreSQL).
        json_log: Write the log as one JSON object on each line.
        no_access_log: Leave requests out of the log.
        accept_loss: Start even though the SQLite database has lost its latest writes.
    """
    if find_spec("starlette") is None:  # named before anything that can be wrong with the settings or the port
        raise ModuleNotFoundError(name="starlette")
    settings = load_settings(
        {"host": host, "port": port, "json_log": json_log, "access_log": not no_access_log, "accept_loss": accept_loss}
    )
    if no_worker:
        _require_postgresql(settings)
    require_free(settings)
    for target in settings.allow_targets:
        AllowedTarget.parse(target, setting=settings.name_of("allow_targets"))
    from findable.web.server import serve as start
    from findable.worker.report_worker import ReportWorker, Rescorer

    start(settings, Rescorer if no_worker else ReportWorker, greet)
    return 0


def _require_postgresql(settings: Settings) -> None:
    from findable.store.open_store import is_postgresql

    if not is_postgresql(settings.database_url):
        raise SettingError("--no-worker", "requires PostgreSQL: with SQLite only the service itself can generate reports")


async def greet(service: "Service") -> None:
    """Print the sign-in link and the API key that the first start of the service created. They are printed only once."""
    from findable.service.accounts.first_start import first_start

    first = await service.run(first_start)
    if first is None:
        return
    base_url = service.settings.base_url
    with suppress(OSError, ValueError):  # if the output is closed, the operator can create another link and key
        _print_secrets(first, base_url)


def _print_secrets(first: "FirstStart", base_url: str) -> None:
    print(
        f"""
First start: an account was created for {first.email}. The following is shown only once.

  Sign in (15 minutes):  {first.sign_in_url}
  API key:               {first.api_key}

  curl -H "Authorization: Bearer {first.api_key}" -d url=https://example.com/ {base_url}/api/v1/reports

A new link: findable accounts link {first.email}    A new key: findable keys create {first.email}
""",
        flush=True,
    )
