"""Emails as blocks, in the language of their recipients."""

from msgspec import Struct

ACCENT = "#1a5442"
"""Colour of links and buttons without a brand."""


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
