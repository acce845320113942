"""`findable serve`: the service, until it is told to stop."""

from typing import TYPE_CHECKING

from findable.fetch.guard import AllowedTarget
from findable.settings import Settings
from findable.web.listening import require_free

if TYPE_CHECKING:
    from findable.service.app import Service


def serve(*, host: str | None = None, port: int | None = None) -> int:
    """Start the service. --host and --port win over the settings."""
    settings = Settings.load({"host": host, "port": port})
    require_free(settings)
    for target in settings.allow_targets:
        AllowedTarget.parse(target, setting=settings.name_of("allow_targets"))
    from findable.web.server import serve as start
    from findable.worker.analyser import ReportWorker

    start(settings, ReportWorker, greet)
    return 0


async def greet(service: "Service") -> None:
    """On the first start, the one time the secrets are shown."""
    from findable.service.first_start import first_start

    first = await service.run(first_start)
    if first is None:
        return
    base_url = service.settings.base_url
    print(
        f"""
First start: an account was made for {first.email}. What follows is shown this once.

  Sign in (15 minutes):  {first.sign_in_url}
  API key:               {first.api_key}

  curl -H "Authorization: Bearer {first.api_key}" -d url=https://example.com/ {base_url}/api/v1/reports

A new link: findable accounts link {first.email}    A new key: findable keys create {first.email}
""",
        flush=True,
    )
