"""Requests to the incoming webhooks of chat services. Texts of audited sites cannot mention people or add markup."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from findable import urls
from findable.notify.event_words import EventWords
from findable.vocabulary import Code
from findable.wording import later

DISCORD_CHARS = 2000
SLACK_CHARS = 3000
"""Maximum length of the text of a section (Block Kit, "section block")."""
_MARKDOWN = re.compile(r"([\\`*_~|<>\[\]()#@])")


class WebhookKind(Code):
    """Format of the messages that a webhook receives."""

    STANDARD = "standard", later("Signed webhook (Standard Webhooks)")
    """Signed JSON by Standard Webhooks."""
    SLACK = "slack", "Slack"
    DISCORD = "discord", "Discord"
    TEAMS = "teams", "Microsoft Teams"
    NTFY = "ntfy", "ntfy"


class ChatRequest(Struct, frozen=True):
    """POST request with a JSON body to a chat service."""

    url: str
    body: bytes


def chat_request(kind: WebhookKind, url: str, words: EventWords, link: str, link_name: str) -> ChatRequest:
    """Return the request that shows an event in a chat, with a link to its page.

    Raises KeyError for `WebhookKind.STANDARD`.
    """
    if kind is WebhookKind.NTFY:
        return _ntfy(url, words, link)
    return ChatRequest(url, msgspec.json.encode(_BODIES[kind](words, link, link_name)))


def _slack(words: EventWords, link: str, link_name: str) -> dict[str, Any]:
    """Return a message for an incoming webhook of Slack; ``&``, ``<`` and ``>`` are its control characters."""
    last = f"<{_slack_escaped(link)}|{_slack_text(link_name)}>"
    text = f"*{_slack_text(words.headline)}*"
    for line in map(_slack_text, words.details):
        if len(text) + len(line) + len(last) + 2 <= SLACK_CHARS:
            text += f"\n{line}"
    section = {"type": "section", "text": {"type": "mrkdwn", "text": f"{text}\n{last}", "verbatim": True}}
    return {"text": _slack_text(words.headline), "blocks": [section], "unfurl_links": False, "unfurl_media": False}


def _slack_escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _slack_text(text: str) -> str:
    # Slack cannot escape these marks; after a zero-width space they format nothing
    return re.sub(r"([*_~`])", "\u200b\\1", _slack_escaped(text))


def _discord(words: EventWords, link: str, link_name: str) -> dict[str, Any]:
    """Return a message for a webhook of Discord that mentions nobody and embeds no link previews."""
    text = "\n".join([f"**{_escape(words.headline)}**", *(_escape(line) for line in words.details)])
    room = DISCORD_CHARS - len(link) - len(link_name) - 10
    suppress_embeds = 4
    content = f"{text[:room]}\n{_escape(link_name)}: <{link}>"
    return {"content": content, "allowed_mentions": {"parse": []}, "flags": suppress_embeds}


def _teams(words: EventWords, link: str, link_name: str) -> dict[str, Any]:
    """Return a message with an adaptive card for a workflow of Microsoft Teams."""
    headline = {"type": "TextBlock", "text": _escape(words.headline), "wrap": True, "weight": "Bolder"}
    details = [{"type": "TextBlock", "text": _escape(line), "wrap": True, "spacing": "Small"} for line in words.details]
    card = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": [headline, *details],
        "actions": [{"type": "Action.OpenUrl", "title": link_name, "url": link}],
    }
    attachment = {"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": None, "content": card}
    return {"type": "message", "attachments": [attachment]}


def _ntfy(url: str, words: EventWords, link: str) -> ChatRequest:
    """Return a request to publish a message on ntfy: the last segment of the URL path is the topic, the request goes to the root."""
    parsed = urls.parse(url)
    path = (parsed.path if parsed else "/").rstrip("/")
    folder, _, topic = path.rpartition("/")
    root = f"{parsed.origin if parsed else url}{folder}/"
    message = {"topic": topic, "title": words.headline, "message": "\n".join(words.details) or words.headline, "click": link}
    return ChatRequest(root, msgspec.json.encode(message))


def _escape(text: str) -> str:
    """Return text escaped for Markdown, with a separator after ``@`` that prevents mentions."""
    return _MARKDOWN.sub(r"\\\1", text)


_BODIES: Mapping[WebhookKind, Callable[[EventWords, str, str], dict[str, Any]]] = {
    WebhookKind.SLACK: _slack,
    WebhookKind.DISCORD: _discord,
    WebhookKind.TEAMS: _teams,
}
