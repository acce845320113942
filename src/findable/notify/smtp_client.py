"""Send an email through the operator's mail server, only with TLS or STARTTLS."""

import smtplib
import ssl
from contextlib import suppress
from email import message_from_bytes
from email.errors import MessageError
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from email.utils import parseaddr
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote

from findable.settings import SMTP_URL
from findable.values import Discreet

TIMEOUT_S = 15.0
MAX_WORDS_CHARS = 500
_PORTS = {"smtps": 465, "smtp": 587}
_PERMANENT = 500


class MailServer(Discreet, frozen=True):
    """Address and login of the mail server that sends the emails of this service."""

    hidden: ClassVar[frozenset[str]] = frozenset({"password"})
    host: str
    port: int
    is_tls: bool
    """Whether the connection begins with TLS; else STARTTLS is required."""
    user: str = ""
    password: str = ""
    ca_files: tuple[Path, ...] = ()
    """Files with trusted certificate authorities."""

    @classmethod
    def from_url(cls, url: str, ca_files: tuple[Path, ...] = ()) -> "MailServer":
        """Return the server of a URL: smtps begins with TLS, smtp requires STARTTLS. Raises ValueError for an invalid URL."""
        found = SMTP_URL.fullmatch(url)
        if found is None:
            raise ValueError("must be a URL like smtps://user:password@host")
        scheme, user, password, host, port = found.groups()
        return cls(host.strip("[]"), int(port or _PORTS[scheme]), scheme == "smtps", unquote(user or ""), unquote(password or ""), ca_files)


class MailRefused(Exception):
    """Error for an email that could not be sent; ``words`` is the response of the mail server, or the connection error.

    ``code`` is the SMTP code if the server rejected the message itself; None if the connection, TLS or login failed.
    """

    def __init__(self, words: str, *, code: int | None = None) -> None:
        self.words = words[:MAX_WORDS_CHARS]
        self.code = code
        super().__init__(self.words)

    @property
    def is_permanent(self) -> bool:
        """Whether the server rejected the message permanently (SMTP code from 500)."""
        return self.code is not None and self.code >= _PERMANENT


def send(server: MailServer, message: EmailMessage, *, timeout_s: float = TIMEOUT_S) -> str:
    """Send a message to its recipient and return the final response of the mail server (blocking). Raises MailRefused."""
    try:
        client = _connect(server, timeout_s)
        try:
            if server.user:
                client.login(server.user, server.password)
            return _send_message(client, message)
        finally:
            _disconnect(client)
    except smtplib.SMTPResponseException as error:
        raise MailRefused(_words(error.smtp_code, error.smtp_error)) from error
    except (smtplib.SMTPException, OSError, ValueError) as error:  # a response that is not SMTP causes a ValueError
        raise MailRefused(f"{type(error).__name__}: {error}") from error


def _connect(server: MailServer, timeout_s: float) -> smtplib.SMTP:
    """Return an encrypted connection. If STARTTLS fails, the connection is closed, so that nothing is sent unencrypted."""
    context = ssl.create_default_context()
    for path in server.ca_files:
        context.load_verify_locations(path)
    if server.is_tls:
        return smtplib.SMTP_SSL(server.host, server.port, timeout=timeout_s, context=context)
    client = smtplib.SMTP(server.host, server.port, timeout=timeout_s)
    try:
        client.starttls(context=context)
    except BaseException:
        with suppress(OSError, smtplib.SMTPException):
            client.close()
        raise
    return client


def _disconnect(client: smtplib.SMTP) -> None:
    """End the connection and ignore errors, because the server has already accepted or rejected the message."""
    with suppress(OSError, smtplib.SMTPException, ValueError):
        client.quit()
    client.close()


def _send_message(client: smtplib.SMTP, message: EmailMessage) -> str:
    _, sender = parseaddr(str(message["From"]))
    _, receiver = parseaddr(str(message["To"]))
    client.ehlo_or_helo_if_needed()
    options = []
    if not (sender + receiver).isascii():
        if not client.has_extn("smtputf8"):
            raise MailRefused("the mail server accepts only ASCII email addresses", code=_PERMANENT)
        options = ["SMTPUTF8", "BODY=8BITMIME"]
    data = _bytes_of(message, is_ascii=not options)
    for code, words in (client.mail(sender, options), client.rcpt(receiver)):
        if code >= 300:  # noqa: PLR2004 - SMTP replies that do not accept
            raise MailRefused(_words(code, words), code=code)
    code, words = client.data(data)
    if code >= 300:  # noqa: PLR2004 - SMTP replies that do not accept
        raise MailRefused(_words(code, words), code=code)
    return _words(code, words)


def _bytes_of(message: EmailMessage, *, is_ascii: bool) -> bytes:
    """Return the message as it is sent. Raises MailRefused if its headers are not exactly those that were set."""
    try:
        data = message.as_bytes(policy=SMTP if is_ascii else SMTPUTF8)
    except MessageError as error:
        raise MailRefused(f"{type(error).__name__}: {error}", code=_PERMANENT) from error
    parsed = message_from_bytes(data)
    if parsed.keys() != message.keys() or parsed.preamble:
        raise MailRefused("a value of the message would add or end headers; it was not sent", code=_PERMANENT)
    return data


def _words(code: int, words: bytes | str) -> str:
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
    return f"{code} {''.join(mark if mark.isprintable() else ' ' for mark in text)}"
