"""Parser of query strings and urlencoded bodies. Of equal names, the last counts; an empty value counts as absent."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from findable.errors import BadRequest

MAX_PARAMETERS = 64

Query = dict[str, str | list[str]]
"""Values by name. ``name[]=…`` arrives as a list under the name without brackets, so that it is rejected if one value is expected."""


def parse_query(raw: bytes) -> Query:
    """Return the parameters of a query string.

    Raises BadRequest if it is not UTF-8, contains a NUL, or has more than MAX_PARAMETERS parameters.
    """
    if not raw:
        return {}
    if sum(map(bool, raw.split(b"&"))) > MAX_PARAMETERS:
        raise BadRequest(f"The URL may have at most {MAX_PARAMETERS} parameters.")
    try:
        pairs = urlencoded_pairs(raw)
    except UnicodeDecodeError as error:
        raise BadRequest("The URL is not UTF-8.") from error
    found: Query = {}
    for name, value in pairs:
        if "\0" in name or "\0" in value:
            raise BadRequest("The URL contains a NUL character.")
        bare, bracket, _ = name.partition("[")
        found[bare if bracket and bare else name] = [value] if bracket and bare else value
    return {name: value for name, value in found.items() if value != ""}


def urlencoded_pairs(raw: bytes) -> list[tuple[str, str]]:
    """Return the names and values of an urlencoded text in order; both may be empty. Raises UnicodeDecodeError."""
    return parse_qsl(raw.decode(), keep_blank_values=True, errors="strict")


def url_with(path: str, query: Mapping[str, str | int], anchor: str = "") -> str:
    """Return ``path`` with the non-empty parameters of ``query`` and the fragment ``anchor``."""
    sent = urlencode({name: value for name, value in query.items() if value})
    return path + (f"?{sent}" if sent else "") + (f"#{anchor}" if anchor else "")


def text_of(fields: Mapping[str, Any], name: str) -> str:
    """Return a field of a query or form; empty if it was not sent or is not a text."""
    value = fields.get(name, "")
    return value if isinstance(value, str) else ""


def whole_number(text: str, digits: int = 9) -> int | None:
    """Parse a number; None if it has other characters or too many digits, which a database or Python could not read."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
