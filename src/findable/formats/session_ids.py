"""Session ids in URLs: recognized by the name of the parameter, never by the look of a value alone."""

import re
from functools import lru_cache

from findable.lazy_pattern import lazy_pattern
from findable.urls import parse, query_parameters

SESSION_NAMES = frozenset(
    {
        *("phpsessid", "jsessionid", "sessionid", "session_id", "session-id", "sessid", "sess_id", "oscsid", "xtcsid", "modsid", "zenid"),
        *("cftoken", "cfid", "asp.net_sessionid", "beid", "xoopssid", "shopsid", "php_session_id", "sessionkey"),
    }
)
"""Names that only session ids have, in lower case."""
AMBIGUOUS_NAMES = frozenset({"sid", "s", "session", "sess", "ssid", "usid", "osid"})
"""Names that session ids share with other ids; they count with a random value."""
_PREFIX = "aspsessionid"
_RANDOM = r"(?:[0-9a-f]{16,}|(?=[A-Za-z_-]*\d)(?=[0-9_-]*[A-Za-z])[A-Za-z0-9_-]{20,}={0,2})"
_TOKEN = lazy_pattern(_RANDOM, re.IGNORECASE)
_IN_PATH = lazy_pattern(rf";(jsessionid|id(?=={_RANDOM}(?:[/?#]|$)))=([^/?#]*)", re.IGNORECASE)
"""Session id after a semicolon in the path, as written by application servers; ``;id=5`` is a page."""


def is_random(value: str) -> bool:
    """Return whether a value looks random: at least 16 hexadecimal digits, or 20 letters and digits."""
    return _TOKEN.fullmatch(value) is not None


def is_session_parameter(name: str, value: str) -> bool:
    """Return whether a query parameter is a session id."""
    name = name.lower()
    return name in SESSION_NAMES or name.startswith(_PREFIX) or (name in AMBIGUOUS_NAMES and is_random(value))


def path_session(url: str) -> tuple[str, str] | None:
    """Return (name, value) of a session id in the path; None without one."""
    found = _IN_PATH.search(url) if ";" in url else None
    return (found.group(1).lower(), found.group(2)) if found else None


def without_path_session(url: str) -> str:
    """Return the URL, or its part before the query, without a session id in its path."""
    return _IN_PATH.sub("", url) if ";" in url else url


def session_name(url: str) -> str:
    """Return the name of the URL's session id as written in the query, else that of its path; empty without one."""
    if ";" not in url and "?" not in url:
        return ""  # most URLs have neither
    in_query = next((name for name, value in query_parameters(url) if is_session_parameter(name, value)), "")
    in_path = path_session(url)
    return in_query or (in_path[0] if in_path else "")


@lru_cache(maxsize=4096)
def without_session(url: str) -> str:
    """Return the URL without session ids in path and query."""
    if not session_name(url):
        return url
    parsed = parse(url)
    if parsed is None:
        return url
    names = {name for name, value in query_parameters(url) if is_session_parameter(name, value)}
    kept = "&".join(part for part in parsed.query.split("&") if part.partition("=")[0] not in names)
    fragment = f"#{parsed.fragment}" if parsed.fragment else ""
    return without_path_session(url.partition("#")[0].partition("?")[0]) + (f"?{kept}" if kept else "") + fragment
