"""Alerts and schedules of a project, and the alerts of all projects."""

from collections.abc import Mapping
from datetime import timedelta
from typing import ClassVar

from msgspec import structs
from starlette.responses import Response

from findable.clock import now
from findable.errors import NotFound, RequestError
from findable.monitor.schedule_rules import WEEK, WEEKDAYS
from findable.service.accounts.permissions import may
from findable.service.alerts import alerts
from findable.service.crawls.crawls import known_urls
from findable.service.delivery import email_preferences
from findable.service.projects import projects, schedules, watched_sites
from findable.service.projects.watched_sites import WatchOffer
from findable.service.values.alert_values import AlertChanges, AlertQuery, AlertView
from findable.service.values.caller import OWNER
from findable.service.values.project_values import ProjectQuery, ProjectSort, ProjectView
from findable.service.values.schedule_values import ScheduleCreate, ScheduledWork, ScheduleOptions, ScheduleProblem, ScheduleShape
from findable.web.pages.project.project_context import ProjectPageContext, project_form, project_page
from findable.web.pages.project.schedule_form import (
    DAYS,
    EVERY,
    FIELD_NAMES,
    ScheduleForm,
    changes_of,
    schedule_form,
    schedule_of,
)
from findable.web.pages.shared.lines import project_url
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.project_tabs import WATCHING
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_page
from findable.web.path_parts import id_of
from findable.wording import Translator, later

SHOWN = 100
SHOWN_ALERTS = 50
PAUSES = ("1", "7", "30")
"""Durations of a pause to choose from, in days."""


class WatchingPage(ProjectPageContext, frozen=True, kw_only=True):
    """Variables of watching.html."""

    place: ClassVar[str] = WATCHING
    confirmations: ClassVar[Mapping[str, str]] = {
        "acknowledged": later("The alert was acknowledged. You will be notified when it is over."),
        "paused": later("The alert sends no messages during that time."),
        "made": later("The schedule was saved."),
        "changed": later("The schedule was saved."),
        "deleted": later("The schedule was deleted."),
        "watched": later("The site is watched. You get its alerts by email if the service sends emails."),
        "stopped": later("The site is no longer watched."),
        "subscribed": later("You get the alerts of this project by email."),
        "unsubscribed": later("You no longer receive alerts of this project by email."),
    }
    open: tuple[AlertView, ...]
    closed: tuple[AlertView, ...]
    schedules: tuple[ScheduleShape, ...]
    words: Mapping[str, str]
    """Words for what a schedule runs, and for the reasons why it did not."""
    intervals: Mapping[int, str]
    """Interval and time of each schedule in words, by its id."""
    new: ScheduleForm
    """Form of a new schedule."""
    cost: WatchOffer
    """Costs and benefit of watching the site."""
    known: str
    """Sentence of an alarming verdict of the site; empty without one."""
    is_owner: bool
    mail: str
    """Email address for alerts; empty if the service sends no emails."""
    is_subscribed: bool


class AlertsPage(PersonPage, frozen=True):
    """Variables of alerts.html."""

    entry: ClassVar[str] = "projects"
    open: tuple[AlertView, ...]
    closed: tuple[AlertView, ...]
    known: tuple[ProjectView, ...]
    """Watched sites that were unreachable, deindexed or exposed when watching began."""


@project_page("/watching")
def get_watching(request: SignedInRequest, view: ProjectView) -> WatchingPage:
    """Show the alerts and schedules of a project."""
    say = request.say
    found = schedules.find(request.service, request.caller, project=str(view.id), limit=SHOWN)
    form = request.form_with()
    mine = email_preferences.preferences_of(request.service, request.caller)
    return WatchingPage(
        open=_alerts(request, str(view.id), is_open=True),
        closed=_alerts(request, str(view.id), is_open=False),
        schedules=tuple(found),
        words={one.value: say.text(one.words) for one in (*ScheduledWork, *ScheduleProblem)},
        intervals={one.id: _rule_words(one, say) for one in found},
        new=schedule_form(
            form,
            view.id,
            form.values.get("time_zone") or _zone(request),
            say,
            known_urls=known_urls(request.service, request.caller, str(view.id)),
            suggests_zone=request.caller.time_zone is None and "time_zone" not in form.values,
        ),
        cost=watched_sites.cost_of(request.service, request.caller, [view]),
        known=view.verdict.sentence(say) if view.verdict and view.verdict.is_alarming else "",
        is_owner=may(request.caller, OWNER, view.id),
        mail=mine.email if mine.sending else "",
        is_subscribed=view.name in mine.projects,
    )


@project_form("/schedules", get_watching, errors=(RequestError,), renamed=FIELD_NAMES)
def post_schedule(request: SignedInRequest, view: ProjectView) -> Response:
    """Create a schedule of a project."""
    sent = changes_of(request, request.text("time_zone") or _zone(request), ScheduleOptions())
    schedules.create(request.service, request.caller, ScheduleCreate(**structs.asdict(sent), project=str(view.id)))
    return see_other(f"{project_url(view.name)}/watching?done=made")


@project_form("/schedules/{schedule}/delete")
def post_delete_schedule(request: SignedInRequest, view: ProjectView, schedule: str) -> Response:
    """Delete a schedule of the project."""
    schedules.delete(request.service, request.caller, schedule_of(request, view, schedule).id)
    return see_other(f"{project_url(view.name)}/watching?done=deleted")


@project_form("/watching", get_watching)
def post_watching(request: SignedInRequest, view: ProjectView) -> Response:
    """Watch a site, stop watching it, or decline the offer to watch it."""
    wanted = request.text("watched")
    (watched_sites.watch if wanted == "1" else watched_sites.stop_watching)(request.service, request.caller, [view.name])
    done = "" if wanted == "later" else f"/watching?done={'watched' if wanted == '1' else 'stopped'}"
    return see_other(f"{project_url(view.name)}{done}")


@project_form("/alerts/{alert}")
def post_alert(request: SignedInRequest, view: ProjectView, alert: str) -> Response:
    """Acknowledge an alert of a project, or pause its messages."""
    alert_id = id_of(alert)
    if alerts.get(request.service, request.caller, alert_id).project_id != view.id:
        raise NotFound
    days = request.text("pause_days")
    until = now() + timedelta(days=int(days)) if days in PAUSES else None
    alerts.update(request.service, request.caller, alert_id, AlertChanges(paused_until=until) if until else AlertChanges(acknowledged=1))
    return see_other(f"{project_url(view.name)}/watching?done={'paused' if until else 'acknowledged'}")


@project_form("/subscription")
def post_subscription(request: SignedInRequest, view: ProjectView) -> Response:
    """Subscribe the person to email alerts of the project, or unsubscribe them."""
    wanted = request.text("wanted") != "0"
    email_preferences.subscribe(request.service, request.caller, view.name, is_subscribed=wanted)
    return see_other(f"{project_url(view.name)}/watching?done={'subscribed' if wanted else 'unsubscribed'}")


@person_page("/alerts")
def get_alerts(request: SignedInRequest) -> AlertsPage:
    """Show the alerts of all projects."""
    opened = _alerts(request, "", is_open=True)
    query = ProjectQuery(sort_by=ProjectSort.SCORE, descending=False, is_watched=True, per_page=SHOWN_ALERTS)
    watched = projects.find(request.service, request.caller, query).items
    known = (site for site in watched if site.verdict and site.verdict.is_alarming)
    told = {alert.project for alert in opened}
    return AlertsPage(opened, _alerts(request, "", is_open=False), tuple(site for site in known if site.name not in told))


def _alerts(request: SignedInRequest, project: str, *, is_open: bool) -> tuple[AlertView, ...]:
    return tuple(alerts.find(request.service, request.caller, AlertQuery(project, is_open, limit=SHOWN_ALERTS)))


def _zone(request: SignedInRequest) -> str:
    return request.caller.time_zone or "UTC"


def _rule_words(view: ScheduleShape, say: Translator) -> str:
    day, _, time = view.at.rpartition(" ")
    every = say.text(EVERY[view.every]) if view.every in EVERY else view.every
    when = say.text(DAYS[WEEKDAYS.index(day)]) if view.every == WEEK else f"{day}." if day else ""
    return ", ".join(text for text in (every, when, f"{time} ({view.time_zone})") if text)
