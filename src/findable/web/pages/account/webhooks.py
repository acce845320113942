"""Pages of webhooks: everyone sees the list; owners create, change, test and delete webhooks."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from msgspec import UNSET
from msgspec.structs import replace
from starlette.responses import Response

from findable.capture.response import Failure
from findable.errors import Conflict, RateLimited, ValidationFailed
from findable.notify.chat_messages import WebhookKind
from findable.notify.outgoing_event import EventType
from findable.service.delivery import deliveries, webhook_settings
from findable.service.delivery.deliveries import DeliveryShape
from findable.service.delivery.webhook_settings import WebhookCreate, WebhookShape, WebhookUpdate
from findable.web.pages.shared.form_fields import Choice, FormView
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_form, person_page
from findable.web.path_parts import id_of
from findable.wording import LANGUAGES, Translator, later

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


class WebhooksPage(PersonPage, frozen=True, kw_only=True):
    """Variables of webhooks.html."""

    confirmations: ClassVar[Mapping[str, str]] = {"deleted": later("The webhook was deleted.")}
    webhooks: tuple[WebhookShape, ...]
    kinds: tuple[Choice, ...]
    events: tuple[Choice, ...]
    languages: tuple[Choice, ...]


class WebhookPage(PersonPage, frozen=True, kw_only=True):
    """Variables of webhook.html."""

    confirmations: ClassVar[Mapping[str, str]] = {
        "saved": later("The webhook was changed."),
        "test": later("A test message is queued. Load the page again to see what the receiver returned."),
        "again": later("The message is queued again."),
        "disabled": later("The webhook is disabled: nothing is sent."),
        "enabled": later("The webhook is enabled."),
    }
    view: WebhookShape
    """Webhook; its secret, if it is new, is shown once."""
    events: tuple[Choice, ...]
    deliveries: tuple[DeliveryShape, ...]
    problems: Mapping[str, str]
    """Reasons why there is no response, in words."""
    older: int | None
    """Number for the URL of older deliveries; None if there are none."""


@person_page("/account/webhooks")
def get_webhooks(request: SignedInRequest) -> WebhooksPage:
    """Show the webhooks, with a form for owners."""
    say = request.say
    form = request.form_with({"kind": "standard", "language": say.code, **_event_fields(EventType)})
    return WebhooksPage(
        webhooks=tuple(webhook_settings.find(request.service, request.caller)),
        form=form,
        kinds=tuple(Choice(kind.value, say.text(kind.words), form.values.get("kind") == kind.value) for kind in WebhookKind),
        events=_event_choices(form, say),
        languages=tuple(Choice(code, language.name, form.values.get("language") == code) for code, language in LANGUAGES.items()),
    )


def _event_fields(kinds: Iterable[EventType]) -> dict[str, str]:
    return {f"event.{kind.value}": "1" for kind in kinds}


def _event_choices(form: FormView, say: Translator) -> tuple[Choice, ...]:
    return tuple(
        Choice(kind.value, say.text(kind.words), f"event.{kind.value}" in form.values)
        for kind in EventType
        if kind is not EventType.WEBHOOK_TEST
    )


@person_form("/account/webhooks", get_webhooks)
def post_webhook(request: SignedInRequest) -> WebhookPage:
    """Create a webhook and show its secret once."""
    kind = next((kind for kind in WebhookKind if kind == request.text("kind")), WebhookKind.STANDARD)
    language = request.text("language") if kind is not WebhookKind.STANDARD else ""
    new = WebhookCreate(request.text("url"), kind, request.text("name"), _chosen_events(request), request.text("project"), language)
    return _webhook(request, webhook_settings.create(request.service, request.caller, new), 201)


def _chosen_events(request: SignedInRequest) -> list[EventType]:
    """Return the event types selected in the form. Raises ValidationFailed if none is selected."""
    chosen = [kind for kind in EventType if request.text(f"event.{kind.value}")]
    if not chosen:
        raise ValidationFailed({"events": [later("Choose at least one event.")]})
    return chosen


@person_page("/account/webhooks/{webhook}")
def get_webhook(request: SignedInRequest, webhook: str) -> WebhookPage:
    """Show a webhook with its deliveries."""
    return _webhook(request, webhook_settings.get(request.service, request.caller, id_of(webhook)))


def _webhook(request: SignedInRequest, view: WebhookShape, status: int = 200) -> WebhookPage:
    say = request.say
    before = request.query.get("before", "")
    found = deliveries.find(request.service, request.caller, view.id, before=id_of(before) if before else None, limit=_PER_PAGE + 1)
    form = request.form_with({"name": view.name, "project": view.project or "", **_event_fields(view.events)})
    form = replace(form, problem=form.problem or request.form_with(name="button").problem)
    return WebhookPage(
        view=view,
        form=form,
        events=_event_choices(form, say),
        deliveries=tuple(found[:_PER_PAGE]),
        problems={error: say.text(words) for error, words in _ERRORS.items()},
        older=found[_PER_PAGE - 1].id if len(found) > _PER_PAGE else None,
        status=status,
    )


@person_form("/account/webhooks/{webhook}", get_webhook)
def post_change(request: SignedInRequest, webhook: str) -> Response:
    """Change name, events and project of a webhook, and its URL if a new one was typed."""
    number = id_of(webhook)
    changes = WebhookUpdate(request.text("url") or UNSET, request.text("name"), _chosen_events(request), request.text("project"))
    webhook_settings.update(request.service, request.caller, number, changes)
    return see_other(f"/account/webhooks/{number}?done=saved")


@person_form("/account/webhooks/{webhook}/secret")
def post_secret(request: SignedInRequest, webhook: str) -> WebhookPage:
    """Replace the secret of a webhook and show the new one once."""
    view = webhook_settings.update(request.service, request.caller, id_of(webhook), WebhookUpdate(new_secret=1))
    return _webhook(request, view, 201)


@person_form("/account/webhooks/{webhook}/state")
def post_state(request: SignedInRequest, webhook: str) -> Response:
    """Disable or enable a webhook."""
    disabled = request.text("disabled") == "1"
    view = webhook_settings.update(request.service, request.caller, id_of(webhook), WebhookUpdate(disabled=1 if disabled else 0))
    return see_other(f"/account/webhooks/{view.id}?done={'disabled' if disabled else 'enabled'}")


@person_form("/account/webhooks/{webhook}/test", get_webhook, "button", (Conflict, RateLimited))
def post_test(request: SignedInRequest, webhook: str) -> Response:
    """Send a test message to a webhook."""
    number = id_of(webhook)
    deliveries.send_test(request.service, request.caller, number)
    return see_other(f"/account/webhooks/{number}?done=test")


@person_form("/account/webhooks/{webhook}/deliveries/{delivery}/again", get_webhook, "button", (Conflict, RateLimited))
def post_resend(request: SignedInRequest, webhook: str, delivery: str) -> Response:
    """Queue the message of an earlier delivery again."""
    number = id_of(webhook)
    deliveries.send_again(request.service, request.caller, number, id_of(delivery))
    return see_other(f"/account/webhooks/{number}?done=again")


@person_form("/account/webhooks/{webhook}/delete")
def post_delete_webhook(request: SignedInRequest, webhook: str) -> Response:
    """Delete a webhook with its deliveries."""
    webhook_settings.delete(request.service, request.caller, id_of(webhook))
    return see_other("/account/webhooks?done=deleted")
