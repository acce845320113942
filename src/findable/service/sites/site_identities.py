"""Identity that a project sends to its own site: stored encrypted, write-only (decision 0008).

The key is derived from the secret of the service; the project id is authenticated, so that the bytes are useless elsewhere.
"""

import re
from collections.abc import Sequence
from typing import ClassVar

import msgspec
from msgspec import UNSET, Struct

from findable.errors import PageErrorCode, PageUnavailable, require_valid
from findable.fetch.identity import NEVER_SET, Identity
from findable.service.runtime.sealed_values import Unreadable, seal, unseal
from findable.service.runtime.service import Service
from findable.service.values.project_values import IdentityChanges, IdentityView
from findable.urls import parse
from findable.values import Discreet
from findable.wording import Message, later

PURPOSE = "identity of a project"
MAX_LINES = 20
"""Maximum number of headers, and of cookies."""
MAX_NAME_CHARS = 100
MAX_VALUE_CHARS = 4096
MAX_USER_CHARS = 255
MAX_PASSWORD_CHARS = 1024
MAX_AGENT_CHARS = 300
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_TOO_LONG = later("At most %(most)s characters are allowed.")
_ELSEWHERE = {
    "cookie": later("Enter cookies as cookies, not as the header Cookie."),
    "user-agent": later("Enter the user agent in its own field."),
}


class LineMessages(Struct, frozen=True):
    """Error messages for an invalid header or cookie."""

    name: str
    line_break: str
    value: str
    twice: str


_HEADERS = LineMessages(
    later("A header needs a name of letters, digits and hyphens, like X-Preview."),
    later("The value of the header %(name)s contains a line break."),
    later("The value of the header %(name)s must be 1 to %(most)s characters of ASCII."),
    later("The header %(name)s occurs twice."),
)
_COOKIES = LineMessages(
    later("A cookie needs a name of letters, digits and hyphens."),
    later("The value of the cookie %(name)s contains a line break."),
    later("The value of the cookie %(name)s must be 1 to %(most)s characters of ASCII."),
    later("The cookie %(name)s occurs twice."),
)

Lines = tuple[tuple[str, str], ...]


class SiteWork(Discreet, frozen=True, kw_only=True):
    """Work of a project that sends requests to a site."""

    hidden: ClassVar[frozenset[str]] = frozenset({"identity"})
    account_id: int
    project_id: int
    identity: bytes | None = None
    """Encrypted identity for the project's own site (`open_identity`); None without one."""


class SiteJob(SiteWork, frozen=True, kw_only=True):
    """Claimed job that sends requests to a site, with the right to write its result."""

    id: int
    attempt: int
    """Fencing token: the result counts only while the job is still at this attempt."""
    scheme_guessed: bool
    """Whether no scheme was typed: the URL begins with https, and http is tried if https is unreachable."""


class DecryptedIdentity(Discreet, frozen=True):
    """Credentials, headers, cookies and user agent of a project, decrypted."""

    hidden: ClassVar[frozenset[str]] = frozenset({"basic", "headers", "cookies", "user_agent"})
    basic: tuple[str, str] | None = None
    headers: Lines = ()
    cookies: Lines = ()
    user_agent: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is sent."""
        return self == DecryptedIdentity()


def change(service: Service, project_id: int, sealed_value: bytes | None, changes: IdentityChanges) -> bytes | None:
    """Return the encrypted identity after the changes; None if it is empty.

    An unreadable identity counts as empty. Raises ValidationFailed.
    """
    try:
        before = _decrypt(service, project_id, sealed_value)
    except Unreadable:
        before = DecryptedIdentity()
    made = DecryptedIdentity(
        before.basic if changes.basic is UNSET else changes.basic,
        before.headers if changes.headers is UNSET else _trim(changes.headers),
        before.cookies if changes.cookies is UNSET else _trim(changes.cookies),
        before.user_agent if changes.user_agent is UNSET else changes.user_agent.strip(" \t"),
    )
    errors = problems(made)
    require_valid(errors)
    return None if made.is_empty else seal(service.secret, PURPOSE, _bound_to(project_id), msgspec.json.encode(made))


def view(service: Service, project_id: int, sealed_value: bytes | None) -> IdentityView | None:
    """Return which parts are set; None if the identity is empty."""
    if sealed_value is None:
        return None
    try:
        parts = _decrypt(service, project_id, sealed_value)
    except Unreadable:
        return IdentityView(basic=False, headers=(), cookies=0, user_agent=False, readable=False)
    names = tuple(name for name, _ in parts.headers)
    return IdentityView(parts.basic is not None, names, len(parts.cookies), bool(parts.user_agent))


def open_identity(service: Service, project_id: int, sealed_value: bytes | None, url: str) -> Identity:
    """Return the identity for a report of the URL, for its origin only. Raises PageUnavailable if it is unreadable."""
    page = parse(url)
    if sealed_value is None or page is None:
        return Identity()
    try:
        parts = _decrypt(service, project_id, sealed_value)
    except Unreadable:
        raise PageUnavailable(PageErrorCode.IDENTITY_UNREADABLE) from None
    return Identity(page.origin, parts.user_agent or None, parts.headers, parts.basic, parts.cookies)


# --- encryption ---------------------------------------------------------------------------------------------------------


def _bound_to(project_id: int) -> bytes:
    return b"findable project %d" % project_id


def _decrypt(service: Service, project_id: int, sealed_value: bytes | None) -> DecryptedIdentity:
    """Decrypt the identity. Raises Unreadable."""
    if sealed_value is None:
        return DecryptedIdentity()
    return msgspec.json.decode(unseal(service.secret, PURPOSE, _bound_to(project_id), sealed_value), type=DecryptedIdentity)


# --- validation -------------------------------------------------------------------------------------------------------


def _trim(lines: Sequence[tuple[str, str]]) -> Lines:
    """Remove surrounding blanks; line breaks remain and are rejected later."""
    return tuple((name.strip(" \t"), value.strip(" \t")) for name, value in lines)


def problems(parts: DecryptedIdentity) -> dict[str, list[str]]:
    """Return errors by field, without quoting values."""
    found = {
        "identity.user": _user_problems(parts),
        "identity.password": _password_problems(parts),
        "identity.headers": _header_problems(parts),
        "identity.cookies": _cookie_problems(parts.cookies),
        "identity.user_agent": _agent_problems(parts.user_agent),
    }
    return {name: sentences for name, sentences in found.items() if sentences}


def _user_problems(parts: DecryptedIdentity) -> list[str]:
    if parts.basic is None:
        return []
    user = parts.basic[0]
    if not user:
        return [later("The user is missing.")]
    if ":" in user or not user.isprintable():
        return [later("The user name must not contain a colon or control characters.")]
    return [Message(_TOO_LONG, most=MAX_USER_CHARS)] if len(user) > MAX_USER_CHARS else []


def _password_problems(parts: DecryptedIdentity) -> list[str]:
    if parts.basic is None:
        return []
    password = parts.basic[1]
    if not password.isprintable():
        return [later("The password must not contain control characters.")]
    return [Message(_TOO_LONG, most=MAX_PASSWORD_CHARS)] if len(password) > MAX_PASSWORD_CHARS else []


def _header_problems(parts: DecryptedIdentity) -> list[str]:
    problems = _line_problems(parts.headers, _HEADERS)
    for name, _ in parts.headers:
        lower = name.lower()
        if lower in NEVER_SET:
            problems.append(Message(later("The header %(name)s is set by each request itself."), name=name))
        elif lower in _ELSEWHERE:
            problems.append(_ELSEWHERE[lower])
        elif lower == "authorization" and parts.basic is not None:
            problems.append(later("The header Authorization cannot be sent together with a user and password."))
    return problems


def _cookie_problems(cookies: Lines) -> list[str]:
    problems = _line_problems(cookies, _COOKIES)
    semicolon = later("The value of the cookie %(name)s contains a semicolon: write one cookie per line.")
    return problems + [Message(semicolon, name=name) for name, value in cookies if ";" in value and _NAME.fullmatch(name)]


def _line_problems(lines: Lines, messages: LineMessages) -> list[str]:
    if len(lines) > MAX_LINES:
        return [Message(later("At most %(most)s entries are allowed."), most=MAX_LINES)]
    problems: list[str] = []
    values: set[str] = set()
    for name, value in lines:
        key = name.lower() if messages is _HEADERS else name
        if not _NAME.fullmatch(name) or len(name) > MAX_NAME_CHARS:
            problems.append(messages.name)
        elif "\r" in value or "\n" in value:
            problems.append(Message(messages.line_break, name=name))
        elif not value or len(value) > MAX_VALUE_CHARS or not _is_plain(value):
            problems.append(Message(messages.value, name=name, most=MAX_VALUE_CHARS))
        elif key in values:
            problems.append(Message(messages.twice, name=name))
        values.add(key)
    return list(dict.fromkeys(problems))


def _agent_problems(agent: str) -> list[str]:
    if "\r" in agent or "\n" in agent:
        return [later("The user agent contains a line break.")]
    sound = len(agent) <= MAX_AGENT_CHARS and _is_plain(agent)
    return [] if sound else [Message(later("The user agent must be at most %(most)s characters of ASCII."), most=MAX_AGENT_CHARS)]


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()
