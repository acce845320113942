"""Pages about emails and feeds: a person's preferences, and a test email for owners."""

from collections.abc import Mapping
from typing import ClassVar

from starlette.responses import Response

from findable.service.accounts import saved_views
from findable.service.delivery import email_preferences, feeds
from findable.service.delivery.email_preferences import EmailTestOutcome, MailsShape
from findable.service.delivery.feeds import Feed
from findable.web.pages.shared.form_fields import Choice, FormView
from findable.web.pages.shared.page_templates import see_other
from findable.web.pages.shared.viewer import PersonPage, SignedInRequest, person_form, person_page
from findable.web.path_parts import id_of
from findable.wording import later

DIGEST_NAMES = {
    "weekly": later("Every week"),
    "daily": later("Every day"),
    "none": later("Never"),
}


class EmailPreferencesPage(PersonPage, frozen=True, kw_only=True):
    """Variables of email_preferences.html."""

    confirmations: ClassVar[Mapping[str, str]] = {
        "digest": later("Your choice was saved."),
        "subscribed": later("You get the alerts of this project by email."),
        "feed": later("The feed was deleted. Its URL no longer works."),
        "unsubscribed": later("You no longer get the alerts of this project by email."),
    }
    choices: MailsShape
    digests: tuple[Choice, ...]
    test: EmailTestOutcome | None
    """Outcome of a test mail; None if none was sent."""
    feeds: tuple[Feed, ...]
    views: tuple[Choice, ...]
    """Saved views to choose from for a feed."""
    feed_form: FormView
    feed_url: str
    """URL of a new feed, shown once; otherwise empty."""


@person_page("/account/mails")
def get_email_preferences(request: SignedInRequest) -> EmailPreferencesPage:
    """Show the email preferences of the person."""
    return _email_preferences_page(request)


def _email_preferences_page(
    request: SignedInRequest, test: EmailTestOutcome | None = None, feed_url: str = "", status: int = 200
) -> EmailPreferencesPage:
    choices = email_preferences.preferences_of(request.service, request.caller)
    feed_form = request.form_with(name="feed")
    return EmailPreferencesPage(
        choices=choices,
        digests=tuple(Choice(value, request.say.text(words), choices.digest == value) for value, words in DIGEST_NAMES.items()),
        test=test,
        feeds=feeds.find(request.service, request.caller),
        views=tuple(
            Choice(str(view.id), view.name, feed_form.values.get("view") == str(view.id))
            for view in saved_views.find(request.service, request.caller)
        ),
        feed_form=feed_form,
        feed_url=feed_url,
        status=status,
    )


@person_form("/account/mails/digest", get_email_preferences)
def post_digest(request: SignedInRequest) -> Response:
    """Save how often the person gets the email digest."""
    email_preferences.choose_digest(request.service, request.caller, request.text("digest"))
    return see_other("/account/mails?done=digest")


@person_form("/account/mails/alerts", get_email_preferences)
def post_alerts(request: SignedInRequest) -> Response:
    """Subscribe the person to email alerts of a project, or unsubscribe them."""
    wanted = request.text("wanted") != "0"
    email_preferences.subscribe(request.service, request.caller, request.text("project"), is_subscribed=wanted)
    return see_other(f"/account/mails?done={'subscribed' if wanted else 'unsubscribed'}")


@person_form("/account/mails/test", get_email_preferences)
def post_test_mail(request: SignedInRequest) -> EmailPreferencesPage:
    """Send a test email and show the response of the mail server."""
    test = email_preferences.send_test(request.service, request.caller)
    return _email_preferences_page(request, test, status=200 if test.is_sent else NOT_SENT)


@person_form("/account/feeds", get_email_preferences, "feed", renamed={"project": "of_project"})
def post_feed(request: SignedInRequest) -> EmailPreferencesPage:
    """Create a feed and show its secret URL once."""
    name, project = request.text("name"), request.text("of_project")
    made = feeds.create(request.service, request.caller, name, project, saved_views.chosen_view_id(request.text("view")))
    return _email_preferences_page(request, feed_url=made.url or "", status=201)


@person_form("/account/feeds/{feed}/delete")
def post_delete_feed(request: SignedInRequest, feed: str) -> Response:
    """Delete a feed of the person; its URL stops working."""
    feeds.delete(request.service, request.caller, id_of(feed))
    return see_other("/account/mails?done=feed")


NOT_SENT = 502
"""Status of the page after the mail server rejected a test email."""
