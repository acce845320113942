"""Form of a schedule: for a new one on the page of alerts and schedules, for an existing one on a separate page."""

from collections.abc import Iterator
from typing import ClassVar

from msgspec import UNSET, Struct, structs
from starlette.responses import Response

from findable.crawl.rolling import PROPOSED_FROM, proposed_limit, round_days
from findable.crawl.settings import DEFAULT_RATE
from findable.errors import NotFound
from findable.monitor.schedule_rules import DAY, MONTH, WEEK, WEEKDAYS, default_time
from findable.service.crawls.crawls import known_urls
from findable.service.projects import schedules
from findable.service.values.caller import MEMBER
from findable.service.values.project_values import ProjectView
from findable.service.values.schedule_values import ScheduledWork, ScheduleOptions, ScheduleShape, ScheduleUpdate
from findable.web.pages.project.project_context import ProjectPageContext, project_form, project_page
from findable.web.pages.shared.form_fields import Choice, FormView
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.project_tabs import WATCHING
from findable.web.pages.shared.viewer import SignedInRequest
from findable.web.path_parts import id_of
from findable.wording import Translator, later

LAST_DAY = 31
FIELD_NAMES = {"at": "time", "settings.rolling": "rolling"}
"""Fields of the form by the names that errors use."""
EVERY = {
    DAY: later("every day"),
    WEEK: later("every week"),
    MONTH: later("every month"),
    "PT6H": later("every 6 hours"),
    "PT1H": later("every hour"),
}
"""Intervals to choose from; the API accepts more."""
DAYS = (
    later("Monday"), later("Tuesday"), later("Wednesday"), later("Thursday"), later("Friday"), later("Saturday"), later("Sunday"),
)  # fmt: skip


class ScheduleForm(Struct, frozen=True):
    """Fields of a schedule with their choices."""

    form: FormView
    what: tuple[Choice, ...]
    every: tuple[Choice, ...]
    weekdays: tuple[Choice, ...]
    days: tuple[Choice, ...]
    """Days of the month."""
    rolling_hint: str
    """Costs of a rolling crawl of the site, in sentences."""
    zone: str
    """Time zone of the schedule."""
    suggests_zone: bool
    """Whether scripts may set the browser's time zone, because the person has not chosen one."""


class SchedulePage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of schedule.html."""

    place: ClassVar[str] = WATCHING
    action: str
    """URL of the schedule."""
    fields: ScheduleForm


def schedule_form(form: FormView, project_id: int, zone: str, say: Translator, *, known_urls: int, suggests_zone: bool) -> ScheduleForm:
    """Return the fields of a schedule with their choices; ``zone`` is the default time zone.

    ``known_urls``: number of URLs of the last crawl of the site, by which a rolling crawl is proposed.
    """
    weekday, _, start = default_time(WEEK, project_id).partition(" ")
    day = default_time(MONTH, project_id).partition(" ")[0]
    values = {"what": ScheduledWork.REPORTS.value, "every": DAY, "weekday": weekday, "day": day, "time": start, **form.values}
    values.setdefault("rolling", str(proposed_limit(known_urls)) if known_urls > PROPOSED_FROM else "")
    every = dict(EVERY) if values["every"] in EVERY else {**EVERY, values["every"]: values["every"]}

    def choices(name: str, words: dict[str, str]) -> tuple[Choice, ...]:
        return tuple(Choice(value, text, values[name] == value) for value, text in words.items())

    return ScheduleForm(
        form=structs.replace(form, values=values),
        what=choices("what", {one.value: say.text(one.words) for one in ScheduledWork}),
        every=choices("every", {one: say.text(words) for one, words in every.items()}),
        weekdays=choices("weekday", {one: say.text(words) for one, words in zip(WEEKDAYS, DAYS, strict=True)}),
        days=choices("day", {str(day): str(day) for day in range(1, LAST_DAY + 1)}),
        rolling_hint=_rolling_hint(known_urls, say),
        zone=zone,
        suggests_zone=suggests_zone,
    )


def _rolling_hint(known_urls: int, say: Translator) -> str:
    hint = say(
        "Empty: every run requests all pages. With a number, it requests that many URLs: important and new ones, and those that were "
        "requested longest ago. All other pages stay as they were."
    )
    if known_urls <= PROPOSED_FROM:
        return hint
    limit = proposed_limit(known_urls)
    proposal = say(
        "Proposed for the %(known)s URLs of this site: %(count)s requests in each run, in %(time)s at %(rate)s a second instead of "
        "%(whole)s. Important pages are then read in every run, all others within %(runs)s runs.",
        known=say.number(known_urls),
        count=say.number(limit),
        time=say.duration(limit / DEFAULT_RATE),
        rate=say.number(DEFAULT_RATE),
        whole=say.duration(known_urls / DEFAULT_RATE),
        runs=round_days(known_urls, limit),
    )
    return f"{hint} {proposal}"


def changes_of(request: SignedInRequest, zone: str, settings: ScheduleOptions) -> ScheduleUpdate:
    """Return the submitted changes of a schedule; ``settings`` supplies the settings that the form does not contain."""
    text = request.text("what")
    what = ScheduledWork(text) if text in set(ScheduledWork) else ScheduledWork.REPORTS
    every = request.text("every")
    day = {WEEK: request.text("weekday"), MONTH: request.text("day")}.get(every, "")
    rolling = request.text("rolling").strip()
    limit = (int(rolling) if rolling.isdecimal() else 0) if rolling and what is ScheduledWork.CRAWL else None
    sitemap = request.text("sitemap").strip() or None if what is ScheduledWork.REPORTS else None
    return ScheduleUpdate(
        what=what,
        every=every,
        at=f"{day} {time}".strip() if (time := request.text("time")) else UNSET,
        time_zone=zone,
        settings=structs.replace(settings, sitemap=sitemap, rolling=limit),
    )


def schedule_of(request: SignedInRequest, view: ProjectView, schedule: str) -> ScheduleShape:
    """Return a schedule of a project. Raises NotFound."""
    found = schedules.get(request.service, request.caller, id_of(schedule))
    if found.project != view.name:
        raise NotFound
    return found


@project_page("/schedules/{schedule}", role=MEMBER)
def get_schedule(request: SignedInRequest, view: ProjectView, schedule: str) -> SchedulePage:
    """Show the form with the values of a schedule."""
    found = schedule_of(request, view, schedule)
    known = known_urls(request.service, request.caller, str(view.id))
    form = request.form_with(dict(_values(found)))
    return SchedulePage(
        action=f"{project_url(view.name)}/schedules/{found.id}",
        fields=schedule_form(form, view.id, found.time_zone, request.say, known_urls=known, suggests_zone=False),
    )


@project_form("/schedules/{schedule}", get_schedule, renamed=FIELD_NAMES)
def post_change_schedule(request: SignedInRequest, view: ProjectView, schedule: str) -> Response:
    """Change a schedule."""
    found = schedule_of(request, view, schedule)
    schedules.update(request.service, request.caller, found.id, changes_of(request, found.time_zone, found.settings))
    return see_other(f"{project_url(view.name)}/watching?done=changed")


def _values(view: ScheduleShape) -> Iterator[tuple[str, str]]:
    """Yield names and values of the form fields of a stored schedule."""
    day, _, time = view.at.rpartition(" ")
    yield from (("what", view.what.value), ("every", view.every), ("time", time), ("sitemap", view.settings.sitemap or ""))
    yield "rolling", str(view.settings.rolling or "")
    if day:
        yield {WEEK: "weekday"}.get(view.every, "day"), day
