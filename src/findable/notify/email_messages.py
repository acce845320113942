"""Emails built from blocks, each as plain text and as HTML without remote images."""

import re
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from html import escape

from msgspec import Struct

from findable.notify.event_words import one_line
from findable.wording import Translator, later

ACCENT = "#1a5442"
"""Colour of links and buttons without a brand."""
_TEXT_WIDTH = 76
_UNFOLDED = 64
"""Maximum length of name and address of a sender on one line."""
_SPECIALS = re.compile(r'[()<>\[\]:;@\\,."]')
_LOGO = "logo@findable"
"""Content-ID of the logo."""
_STYLE = (
    "font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:16px;line-height:1.5;max-width:36rem;margin:0 auto;padding:16px"
)


class Heading(Struct, frozen=True, tag="heading"):
    """Heading of a section of an email."""

    text: str


class Paragraph(Struct, frozen=True, tag="paragraph"):
    """Paragraph of an email, as plain text without markup."""

    text: str


class Entry(Struct, frozen=True):
    """Entry of a list in an email, possibly with a link."""

    text: str
    url: str = ""
    """Page of this service; empty for none. URLs of audited sites remain plain text, so that emails do not link to them."""


class Entries(Struct, frozen=True, tag="entries"):
    """List in an email."""

    items: tuple[Entry, ...]


class Action(Struct, frozen=True, tag="action"):
    """Call to action of an email: a link, shown as a button in HTML."""

    text: str
    url: str


Block = Heading | Paragraph | Entries | Action


class Letter(Struct, frozen=True):
    """Email in the language of its recipient."""

    to: str
    language: str
    subject: str
    blocks: tuple[Block, ...]
    why: str = ""
    """Closing sentence with the reason why the recipient gets it."""
    unsubscribe_url: str = ""
    """URL to unsubscribe from such emails, also with one click (RFC 8058); empty for emails that the recipient has just requested."""
    sender_name: str = ""
    """Brand of an agency, for which the service sends the email; empty for the service itself."""
    accent: str = ACCENT
    reply_to: str = ""
    """Address for replies; empty for the sender."""
    logo: bytes = b""
    """Brand's logo as PNG, which the email contains; empty for none."""


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


def html_of(letter: Letter, say: Translator) -> str:
    """Return the HTML part of an email, without scripts and external resources."""
    end = [escape(one_line(letter.why))] if letter.why else []
    if letter.unsubscribe_url:
        end.append(f'<a href="{escape(letter.unsubscribe_url)}" style="color:inherit">{escape(say(later("Unsubscribe")))}</a>')
    foot = f'<p style="margin-top:2rem;font-size:13px;opacity:.75">{"<br>".join(end)}</p>' if end else ""
    body = _head(letter) + "".join(_html(block, letter.accent) for block in letter.blocks)
    return (
        f'<!doctype html><html lang="{escape(letter.language)}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(one_line(letter.subject))}</title></head>'
        f'<body><div style="{_STYLE}">{body}{foot}</div></body></html>\n'
    )


def _head(letter: Letter) -> str:
    """Return the brand above the text: the logo, else the name; empty without a brand."""
    name = escape(one_line(letter.sender_name))
    shown = f'<img src="cid:{_LOGO}" alt="{name}" style="max-height:48px;max-width:240px">' if letter.logo else f"<strong>{name}</strong>"
    style = f"margin:0 0 1.25rem;padding:0 0 .75rem;border-bottom:3px solid {escape(letter.accent)}"
    return f'<p style="{style}">{shown}</p>' if letter.sender_name or letter.logo else ""


def _html(block: Block, accent: str) -> str:
    if isinstance(block, Heading):
        return f'<h2 style="font-size:18px;margin:1.5rem 0 .25rem">{escape(one_line(block.text))}</h2>'
    if isinstance(block, Entries):
        return f'<ul style="margin:.25rem 0;padding-left:1.25rem">{"".join(f"<li>{_link(item, accent)}</li>" for item in block.items)}</ul>'
    if isinstance(block, Action):
        style = f"display:inline-block;padding:.5rem 1rem;border-radius:8px;background:{escape(accent)};color:#fff;text-decoration:none"
        return f'<p style="margin:1.25rem 0"><a href="{escape(block.url)}" style="{style}">{escape(one_line(block.text))}</a></p>'
    return f'<p style="margin:.75rem 0">{escape(one_line(block.text))}</p>'


def _link(item: Entry, accent: str) -> str:
    text = escape(one_line(item.text))
    return f'<a href="{escape(item.url)}" style="color:{escape(accent)}">{text}</a>' if item.url else text
