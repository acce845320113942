"""`findable watch`: watch sites, or list the schedules and open alerts of all projects."""

from collections.abc import Sequence
from typing import Literal

from findable.cli.accounts import open_service
from findable.cli.terminal import clean, print_json

READ_AT_ONCE = 500


def watch(
    *sites: str,
    stop: bool = False,
    email: str | None = None,
    format: Literal["text", "json"] = "text",  # noqa: A002 - the name of the flag
) -> int:
    """Watch sites, or list the schedules of all projects with their next and last runs, and the open alerts.

    Args:
        sites: Projects to watch: a crawl a week, their pages each day. Without any, list all schedules.
        stop: Stop watching them.
        email: Person who gets the alerts (default: the owner of the only account).
        format: text for people, json for programs.
    """
    if sites:
        return _switch(sites, email, is_on=not stop)
    from msgspec.structs import replace

    from findable.clock import rfc3339
    from findable.service.alerts import alerts
    from findable.service.projects import schedules
    from findable.service.values.schedule_values import ScheduleProblem, ScheduleShape
    from findable.wording import ENGLISH

    with open_service("watch") as service:
        found: list[ScheduleShape] = []
        after = 0
        while some := schedules.all_schedules(service, after, READ_AT_ONCE):
            found += some
            after = some[-1].id
        raised = alerts.all_open(service)
    if format == "json":
        print_json({"schedules": found, "alerts": [replace(one, message=one.sentence(ENGLISH)) for one in raised]})
        return 0
    for one in found:
        words = "not run yet"
        if last := one.last:
            problem = f"; nothing was run: {ScheduleProblem(last.problem).words}" if last.problem else "; late" if last.late else ""
            words = f"last {rfc3339(last.at)}{problem}"
        print(f"{one.id:>5}  {one.project:<32}  {one.what.value:<7}  {one.every} {one.at} {one.time_zone}")
        print(f"       next {rfc3339(one.next_at)}; {words}")
    if not found:
        print("There is no schedule.")
    for alert in raised:
        print(f"alert since {rfc3339(alert.opened_at)}  {alert.project or 'this service':<32}  {clean(alert.sentence(ENGLISH))}")
    return 0


def _switch(sites: Sequence[str], email: str | None, *, is_on: bool) -> int:
    from findable.service.accounts.account_admin import owner_caller
    from findable.service.projects import projects, watched_sites
    from findable.wording import ENGLISH

    with open_service("watch") as service:
        caller = owner_caller(service, email)
        found = [projects.get(service, caller, name) for name in sites]
        offers = [watched_sites.offer_of(service, caller, site) for site in found]
        (watched_sites.watch if is_on else watched_sites.stop_watching)(service, caller, [site.name for site in found])
    for site, offer in zip(found, offers, strict=True):
        print(f"{site.name} is {'watched' if is_on else 'not watched'}{f': {offer.words(ENGLISH)}' if is_on and offer else ''}")
    return 0
