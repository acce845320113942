"""A real mail server on loopback (aiosmtpd) that keeps what it takes."""

import asyncio
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

from tests.counted_connections import CountedConnection, close_server, end_connections
from tests.sites.server import CERTIFICATES

USER, PASSWORD = "findable", "p@ss:word/%"


class Inbox:
    """Handler of the server. ``refusals`` maps a receiver to the reply that refuses it, once for each text."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.raw: list[bytes] = []
        self.refusals: dict[str, list[str]] = {}
        self.was_encrypted: list[bool] = []
        self.quit_reply = "221 Bye"
        self.hold_s = 0.0
        """Time from taking a mail to the reply."""
        self.url = ""

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        refusals = self.refusals.get(address, [])
        if refusals:
            return refusals.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.was_encrypted.append(session.ssl is not None or server.transport.get_extra_info("ssl_object") is not None)
        self.raw.append(envelope.content)
        message = message_from_bytes(envelope.content, policy=default)
        assert isinstance(message, EmailMessage)
        self.mails.append(message)
        await asyncio.sleep(self.hold_s)
        return "250 2.0.0 Ok: queued as ABC123"

    async def handle_QUIT(self, server: Any, session: Any, envelope: Any) -> str:
        return self.quit_reply

    def to(self, address: str) -> list[EmailMessage]:
        return [mail for mail in self.mails if address in str(mail["To"])]


def _right(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
    is_right = isinstance(data, LoginPassword) and (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=is_right, handled=is_right)


class CountedSMTP(CountedConnection, SMTP):
    """A connection that aiosmtpd would leave open if its TLS is still being closed."""


class CountingController(Controller):
    """A controller that knows its connections."""

    def __init__(self, *args: Any, **more: Any) -> None:
        self.transports: set[Any] = set()
        super().__init__(*args, **more)

    def factory(self) -> SMTP:
        made = CountedSMTP(self.handler, **self.SMTP_kwargs)
        made.transports = self.transports
        return made


@contextmanager
def mail_server(kind: str = "smtps", certificate: str = "good") -> Iterator[Inbox]:
    """Run until the end of the block. ``kind``: smtps, starttls, or plain (without any encryption)."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATES / f"{certificate}.pem", CERTIFICATES / f"{certificate}.key")
    inbox = Inbox()
    more: dict[str, Any] = {"authenticator": _right}
    if kind == "smtps":
        more |= {"ssl_context": context, "auth_require_tls": False}
    elif kind == "starttls":
        more |= {"tls_context": context, "require_starttls": True}
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    controller = CountingController(inbox, hostname="127.0.0.1", port=port, server_hostname="mail.test", **more)
    controller.start()
    try:
        user = "findable:p%40ss%3Aword%2F%25"
        inbox.url = f"{'smtps' if kind == 'smtps' else 'smtp'}://{user}@127.0.0.1:{port}"
        yield inbox
    finally:
        assert isinstance(controller.server, asyncio.Server)
        for ending in (close_server(controller.server), end_connections(controller.transports)):
            asyncio.run_coroutine_threadsafe(ending, controller.loop).result(60)
        controller.stop()
