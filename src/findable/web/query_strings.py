"""Reads query strings by the same rules as bodies: the last of equal names wins, an empty value is absent."""

from urllib.parse import unquote_to_bytes

from findable.errors import BadRequest

MAX_PARAMETERS = 64

Query = dict[str, str | list[str]]
"""Names to values. ``name[]=…`` arrives as a list under its bare name, so that it is refused where one value is meant."""


def parse_query(raw: bytes) -> Query:
    """The parameters of a query string. Raises BadRequest where it is not UTF-8, holds a NUL or more than MAX_PARAMETERS."""
    parts = [part for part in raw.split(b"&") if part]
    if len(parts) > MAX_PARAMETERS:
        raise BadRequest(f"The address may have at most {MAX_PARAMETERS} parameters.")
    found: Query = {}
    for part in parts:
        name, _, value = part.partition(b"=")
        name_text, value_text = _decoded(name), _decoded(value)
        bare, bracket, _ = name_text.partition("[")
        if bracket and bare:
            found[bare] = [value_text]
        else:
            found[name_text] = value_text
    return {name: value for name, value in found.items() if value != ""}


def _decoded(part: bytes) -> str:
    try:
        text = unquote_to_bytes(part.replace(b"+", b" ")).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadRequest("The address is not UTF-8.") from error
    if "\0" in text:
        raise BadRequest("A NUL stands in the address.")
    return text
