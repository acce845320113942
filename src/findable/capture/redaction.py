"""Mask the credentials of requests in a capture, because a page may echo the request that it received.

Each secret is searched for verbatim and as pages encode it: percent-encoded, as character references, escaped for scripts. As many
asterisks replace it, so that lengths do not change. Values that a reader could guess are not masked, because that would damage
ordinary words: see `is_secret`.
"""

import re
from collections.abc import Sequence
from typing import TypeVar

from findable.capture.capture import Capture
from findable.capture.nested_texts import change_texts
from findable.lazy_pattern import lazy_pattern
from findable.urls import host_of

SHORTEST_CHARS = 4
SHORTEST_NUMBER_CHARS = 6
LONG_CHARS = 8
"""Length from which a value is also masked inside words; shorter ones are masked only as whole words."""
_NAMED = {"&": "amp", '"': "quot", "'": "apos", "<": "lt", ">": "gt"}
_WORD = lazy_pattern(r"[^\W\d_]+(?:[-_][^\W\d_]+)*")
Node = TypeVar("Node")


def is_secret(value: str, host: str) -> bool:
    """Return whether a value must be masked on pages of the host.

    Values shorter than four characters, short numbers (a year), short words and parts of the host name are not: they occur
    in pages for other reasons, and masking them would make the report wrong.
    """
    if len(value) < SHORTEST_CHARS or (value.isdigit() and len(value) < SHORTEST_NUMBER_CHARS) or value.lower() in host.lower():
        return False
    return len(value) >= LONG_CHARS or not _WORD.fullmatch(value)


class SecretPattern:
    """A secret in every encoding that pages use.

    Args:
        value: the secret.
    """

    def __init__(self, value: str) -> None:
        self.value = value
        written = "".join(map(_character_pattern, value))
        self._pattern = re.compile(written if len(value) >= LONG_CHARS else rf"(?<![^\W_]){written}(?![^\W_])")
        self._anchor = max(re.findall("[0-9A-Za-z]*", value), key=len)
        """Longest run of letters and digits, which no encoding changes. Texts without it need no search."""

    def mask(self, text: str) -> str:
        """Return the text with the secret masked."""
        return self._pattern.sub(_asterisks, text) if self._anchor in text else text


def mask_secrets(capture: Capture, secrets: Sequence[str]) -> Capture:
    """Return the capture with the secrets masked (`fetch.identity.Identity.secrets`)."""
    return mask_secrets_in_value(capture, secrets, capture.page.response.requested_url)


def mask_secrets_in_value(value: Node, secrets: Sequence[str], page_url: str) -> Node:
    """Return a value captured for a page with the secrets masked."""
    host = host_of(page_url)
    sought = [SecretPattern(secret) for secret in secrets if is_secret(secret, host)]

    def mask_text(text: str) -> str:
        for one in sought:
            text = one.mask(text)
        return text

    return change_texts(value, mask_text, lambda body: _mask_bytes(body, sought)) if sought else value


def _character_pattern(character: str) -> str:
    """Return the pattern of one character: verbatim, percent-encoded, as a character reference, or escaped in a script."""
    if character.isascii() and character.isalnum():
        return character
    code = ord(character)
    percent = "".join(f"%{byte:02x}" for byte in character.encode("utf-8", "replace"))
    ways = [rf"\\?{re.escape(character)}", rf"(?i:{percent}|&\#0*{code};|&\#x0*{code:x};|\\u{code:04x}|\\x{code:02x})"]
    if character in _NAMED:
        ways.append(f"&{_NAMED[character]};")
    if character == " ":
        ways.append(r"\+")
    return f"(?:{'|'.join(ways)})"


def _mask_bytes(body: bytes, patterns: Sequence[SecretPattern]) -> bytes:
    """Mask secrets in bytes of UTF-8, ASCII-compatible charsets and UTF-16, read as one character per byte."""
    text = before = body.decode("latin-1")
    for one in patterns:
        text = one.mask(text)
        if not one.value.isascii():
            text = SecretPattern(one.value.encode("utf-8", "replace").decode("latin-1")).mask(text)
        for charset in ("utf-16-le", "utf-16-be"):
            wide = one.value.encode(charset, "replace").decode("latin-1")
            text = text.replace(wide, "*".encode(charset).decode("latin-1") * (len(wide) // 2))
    return body if text == before else text.encode("latin-1")


def _asterisks(match: re.Match[str]) -> str:
    return "*" * len(match[0])
