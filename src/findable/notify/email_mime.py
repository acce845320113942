"""Emails as MIME messages, each with plain text and with HTML without scripts and external resources."""

import re
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from functools import cache

from jinja2 import Environment, PackageLoader

from findable.notify.email_blocks import Action, Block, Entries, Heading, Letter
from findable.notify.event_words import one_line
from findable.wording import Translator, later

_TEXT_WIDTH = 76
_UNFOLDED = 64
"""Maximum length of name and address of a sender on one line."""
_SPECIALS = re.compile(r'[()<>\[\]:;@\\,."]')
_LOGO = "logo@findable"
"""Content-ID of the logo."""


def message_of(letter: Letter, sender: str, message_id: str, at: datetime, say: Translator) -> EmailMessage:
    """Return an email as a MIME message with text and HTML.

    Names, URLs and titles in headers are plain text: line breaks become spaces, and encoded words remain encoded.

    Args:
        letter: the email.
        sender: the setting ``MAIL_FROM``: an address, or a name with an address in angle brackets.
        message_id: Message-ID without angle brackets, identical in every attempt.
        at: time when the email was queued.
        say: language of the recipient.
    """
    name, address = parseaddr(sender)
    message = EmailMessage(SMTP)
    message["From"] = Address(_sender_name(letter, name, address, say), addr_spec=address)  # the address for which SPF and DKIM hold
    if letter.reply_to:
        message["Reply-To"] = Address(addr_spec=letter.reply_to)
    message["To"] = Address(addr_spec=letter.to)
    message["Subject"] = _header_text(letter.subject)
    message["Date"] = format_datetime(at.astimezone(UTC))
    message["Message-ID"] = f"<{message_id}>"
    message["Auto-Submitted"] = "auto-generated"
    message["Content-Language"] = letter.language
    if letter.unsubscribe_url:
        message["List-Unsubscribe"] = f"<{letter.unsubscribe_url}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(text_of(letter, say), cte="quoted-printable")
    message.add_alternative(html_of(letter, say), subtype="html", cte="quoted-printable")
    if letter.logo:
        _, page = message.iter_parts()
        page.add_related(letter.logo, "image", "png", cid=f"<{_LOGO}>", filename="logo.png", disposition="inline")
    return message


def _sender_name(letter: Letter, name: str, address: str, say: Translator) -> str:
    """Return the name of the service, or that of the brand for which it sends the email.

    A long name contains no special characters: Python before 3.12.5 folds them without quotes.
    """
    if not letter.sender_name:
        return _header_text(name)
    via = say(later("%(brand)s via %(service)s"), brand=letter.sender_name, service=name or address.rpartition("@")[2])
    whole = _header_text(via)
    return whole if len(whole) + len(address) < _UNFOLDED else " ".join(_SPECIALS.sub(" ", whole).split())


def _header_text(text: str) -> str:
    """Return an untrusted text as one line that contains no encoded word (RFC 2047).

    Python before 3.11.10 and 3.12.5 decodes encoded words and writes the line breaks in them as they are (CVE-2024-6923).
    """
    return one_line(text).replace("=?", "=\N{ZERO WIDTH SPACE}?")


def text_of(letter: Letter, say: Translator) -> str:
    """Return the plain text part of an email."""
    parts = [_text(block) for block in letter.blocks]
    end = [one_line(letter.why)] if letter.why else []
    if letter.unsubscribe_url:
        end.append(f"{say(later('Unsubscribe'))}: {letter.unsubscribe_url}")
    if end:
        parts.append("-- \n" + "\n".join(end))
    return "\n\n".join(parts) + "\n"


def _text(block: Block) -> str:
    if isinstance(block, Heading):
        text = one_line(block.text)
        return f"{text}\n{'-' * min(len(text), _TEXT_WIDTH)}"
    if isinstance(block, Entries):
        return "\n".join(f"* {one_line(item.text)}" + (f"\n  {item.url}" if item.url else "") for item in block.items)
    if isinstance(block, Action):
        return f"{one_line(block.text)}:\n{block.url}"
    return one_line(block.text)


@cache
def _environment() -> Environment:
    """Return the environment of the template of the HTML part."""
    made = Environment(loader=PackageLoader("findable.notify"), autoescape=True, trim_blocks=True)
    made.filters["one_line"] = one_line
    return made


def html_of(letter: Letter, say: Translator) -> str:
    """Return the HTML part of an email."""
    blocks = [(type(block).__struct_config__.tag, block) for block in letter.blocks]
    page = _environment().get_template("email.html")
    return page.render(letter=letter, blocks=blocks, logo=_LOGO, unsubscribe=say(later("Unsubscribe")))
