"""Pages of webhooks: everyone sees the list; owners create, change, test and delete webhooks."""

from typing import ClassVar

from msgspec import UNSET, Struct
from starlette.responses import Response

from findable.capture.response import Failure
from findable.capture.status_classes import is_error
from findable.errors import Conflict, RateLimited, RequestError, ValidationFailed
from findable.notify.chat_messages import KIND_NAMES, WebhookKind
from findable.notify.event_words import EVENT_NAMES
from findable.notify.outgoing_event import EventType
from findable.service.delivery import deliveries, webhook_settings
from findable.service.delivery.deliveries import DeliveryView
from findable.service.delivery.webhook_settings import NewWebhook, WebhookChanges, WebhookView
from findable.service.values.caller import OWNER
from findable.web.pages.account.account import done_of
from findable.web.pages.shared.form_fields import Choice, FormView, problem_of, refused
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response, see_other
from findable.web.pages.shared.viewer import SignedInRequest, bar_of, person_form, person_page
from findable.web.path_parts import id_of
from findable.wording import LANGUAGES, Translator, later

DONE = {
    "saved": later("The webhook was changed."),
    "test": later("A test message is queued. Load the page again to see what the receiver returned."),
    "again": later("The message is queued again."),
    "deleted": later("The webhook was deleted."),
    "disabled": later("The webhook is disabled: nothing is sent."),
    "enabled": later("The webhook is enabled."),
}
REASONS = {
    "owner": later("Disabled by an owner."),
    "gone": later("Disabled, because the receiver returned 410 (Gone)."),
    "failing": later("Disabled, because no message arrived for three days."),
}
_STATES = {
    "queued": later("queued"),
    "sending": later("being sent"),
    "done": later("arrived"),
    "failed": later("failed"),
}
_ERRORS = {
    "disabled": later("the webhook was disabled"),
    "unreadable": later("its URL cannot be decrypted"),
    Failure.REFUSED.value: later("the URL is not on the public internet"),
    Failure.DNS.value: later("the host name did not resolve"),
    Failure.CONNECT.value: later("no connection"),
    Failure.TLS.value: later("no secure connection"),
    Failure.TIMEOUT.value: later("no response within 15 seconds"),
    Failure.PROTOCOL.value: later("the response could not be read"),
}
_PER_PAGE = 25


class WebhookLine(Struct, frozen=True):
    """Webhook in text form."""

    view: WebhookView
    kind: str
    state: str
    """Sentence about a problem; empty without one."""


class DeliveryLine(Struct, frozen=True):
    """Delivery in text form."""

    view: DeliveryView
    event: str
    state: str
    result: str
    """Status of the response, or the reason why there is none."""
    created: str
    next_try: str


class WebhooksPage(PageContext, frozen=True):
    """Variables of webhooks.html."""

    template: ClassVar[str] = "webhooks.html"
    bar: Bar
    tab: str
    confirmation: str
    is_owner: bool
    lines: tuple[WebhookLine, ...]
    form: FormView
    kinds: tuple[Choice, ...]
    events: tuple[Choice, ...]
    languages: tuple[Choice, ...]


class WebhookPage(PageContext, frozen=True):
    """Variables of webhook.html."""

    template: ClassVar[str] = "webhook.html"
    bar: Bar
    tab: str
    confirmation: str
    is_owner: bool
    line: WebhookLine
    secret: str
    """New secret, shown once; otherwise empty."""
    form: FormView
    events: tuple[Choice, ...]
    deliveries: tuple[DeliveryLine, ...]
    older: int | None
    """Number for the URL of older deliveries; None if there are none."""


@person_page("/account/webhooks")
def get_webhooks(request: SignedInRequest) -> Response:
    """Show the webhooks, with a form for owners."""
    return _webhooks(request)


def _webhooks(request: SignedInRequest, form: FormView | None = None, status: int = 200) -> Response:
    say = request.say
    chosen = form.values if form is not None else {"kind": "standard", "language": say.code}
    selected_events = {kind.value for kind in EventType} if form is None else {name.removeprefix("event.") for name in chosen}
    shown = WebhooksPage(
        bar=bar_of(request.caller, "account"),
        tab="webhooks",
        confirmation=done_of(request, DONE) if form is None else "",
        is_owner=request.caller.role == OWNER,
        lines=tuple(_line(view, say) for view in webhook_settings.find(request.service, request.caller)),
        form=form or FormView(chosen),
        kinds=tuple(Choice(kind.value, say.text(words), chosen.get("kind") == kind.value) for kind, words in KIND_NAMES.items()),
        events=_event_choices(selected_events, say),
        languages=tuple(Choice(code, language.name, chosen.get("language") == code) for code, language in LANGUAGES.items()),
    )
    return page_response(shown, say, status=status)


def _event_choices(selected_events: set[str], say: Translator) -> tuple[Choice, ...]:
    return tuple(
        Choice(kind.value, say.text(words), kind.value in selected_events)
        for kind, words in EVENT_NAMES.items()
        if kind is not EventType.WEBHOOK_TEST
    )


def _line(view: WebhookView, say: Translator) -> WebhookLine:
    state = say.text(REASONS.get(view.disabled_why or "", "")) if view.disabled_at else ""
    if not state and view.failing_since:
        state = say(later("The last message did not arrive. It is sent again."))
    return WebhookLine(view, say.text(KIND_NAMES[view.kind]), state)


@person_form("/account/webhooks")
def post_webhook(request: SignedInRequest) -> Response:
    """Create a webhook and show its secret."""
    kind = next((kind for kind in WebhookKind if kind == request.text("kind")), WebhookKind.STANDARD)
    language = request.text("language") if kind is not WebhookKind.STANDARD else ""
    try:
        new = NewWebhook(request.text("url"), kind, request.text("name"), _chosen_events(request), request.text("project"), language)
        made = webhook_settings.create(request.service, request.caller, new)
    except ValidationFailed as error:
        return _webhooks(request, refused(request.fields, error, request.say), error.status)
    return _webhook(request, made, status=201)


def _chosen_events(request: SignedInRequest) -> tuple[EventType, ...]:
    """Return the chosen types. Raises ValidationFailed if none is chosen."""
    chosen = tuple(kind for kind in EventType if request.text(f"event.{kind.value}"))
    if not chosen:
        raise ValidationFailed({"events": [later("Choose at least one event.")]})
    return chosen


@person_page("/account/webhooks/{webhook}")
def get_webhook(request: SignedInRequest, webhook: str) -> Response:
    """Show a webhook with its deliveries."""
    return _webhook(request, webhook_settings.get(request.service, request.caller, id_of(webhook)))


def _webhook(request: SignedInRequest, view: WebhookView, form: FormView | None = None, status: int = 200) -> Response:
    say = request.say
    before = request.query.get("before", "")
    found = deliveries.find(request.service, request.caller, view.id, before=id_of(before) if before else None, limit=_PER_PAGE + 1)
    lines = tuple(_delivery(request, one) for one in found[:_PER_PAGE])
    selected_events = {kind.value for kind in view.events} if form is None else {name.removeprefix("event.") for name in form.values}
    shown = WebhookPage(
        bar=bar_of(request.caller, "account"),
        tab="webhooks",
        confirmation=done_of(request, DONE) if form is None and not is_error(status) else "",
        is_owner=request.caller.role == OWNER,
        line=_line(view, say),
        secret=view.secret or "",
        form=form or FormView({"name": view.name, "project": view.project or ""}),
        events=_event_choices(selected_events, say),
        deliveries=lines,
        older=lines[-1].view.id if len(found) > _PER_PAGE else None,
    )
    return page_response(shown, say, status=status)


def _delivery(request: SignedInRequest, view: DeliveryView) -> DeliveryLine:
    say, zone = request.say, request.zone
    result = say(later("status %(status)s"), status=view.status) if view.status else ""
    if view.error:
        result = say.text(_ERRORS.get(view.error, later("an error of this program")))
    return DeliveryLine(
        view,
        say.text(EVENT_NAMES[view.type]),
        say.text(_STATES[view.state]),
        result,
        say.moment(view.created_at, zone),
        say.moment(view.next_try_at, zone) if view.next_try_at and view.failures else "",
    )


@person_form("/account/webhooks/{webhook}")
def post_change(request: SignedInRequest, webhook: str) -> Response:
    """Change name, events and project, and the URL if a new one was typed."""
    number = id_of(webhook)
    try:
        changes = WebhookChanges(request.text("url") or UNSET, request.text("name"), _chosen_events(request), request.text("project"))
        webhook_settings.update(request.service, request.caller, number, changes)
    except ValidationFailed as error:
        return _webhook(
            request,
            webhook_settings.get(request.service, request.caller, number),
            refused(request.fields, error, request.say),
            error.status,
        )
    return see_other(f"/account/webhooks/{number}?done=saved")


@person_form("/account/webhooks/{webhook}/secret")
def post_secret(request: SignedInRequest, webhook: str) -> Response:
    """Create a new secret and show it."""
    return _webhook(
        request, webhook_settings.update(request.service, request.caller, id_of(webhook), WebhookChanges(new_secret=True)), status=201
    )


@person_form("/account/webhooks/{webhook}/state")
def post_state(request: SignedInRequest, webhook: str) -> Response:
    """Disable or enable the webhook."""
    disabled = request.text("disabled") == "1"
    view = webhook_settings.update(request.service, request.caller, id_of(webhook), WebhookChanges(disabled=disabled))
    return see_other(f"/account/webhooks/{view.id}?done={'disabled' if disabled else 'enabled'}")


@person_form("/account/webhooks/{webhook}/test")
def post_test(request: SignedInRequest, webhook: str) -> Response:
    """Send a test message."""
    number = id_of(webhook)
    try:
        deliveries.send_test(request.service, request.caller, number)
    except (Conflict, RateLimited) as error:
        return _with_problem(request, number, error)
    return see_other(f"/account/webhooks/{number}?done=test")


@person_form("/account/webhooks/{webhook}/deliveries/{delivery}/again")
def post_again(request: SignedInRequest, webhook: str, delivery: str) -> Response:
    """Send a message again."""
    number = id_of(webhook)
    try:
        deliveries.send_again(request.service, request.caller, number, id_of(delivery))
    except (Conflict, RateLimited) as error:
        return _with_problem(request, number, error)
    return see_other(f"/account/webhooks/{number}?done=again")


def _with_problem(request: SignedInRequest, number: int, error: RequestError) -> Response:
    view = webhook_settings.get(request.service, request.caller, number)
    values = {"name": view.name, "project": view.project or "", **{f"event.{kind.value}": "1" for kind in view.events}}
    return _webhook(request, view, FormView(values, problem=problem_of(error, request.say)), error.status)


@person_form("/account/webhooks/{webhook}/delete")
def post_delete_webhook(request: SignedInRequest, webhook: str) -> Response:
    """Delete the webhook."""
    webhook_settings.delete(request.service, request.caller, id_of(webhook))
    return see_other("/account/webhooks?done=deleted")
