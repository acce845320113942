"""Lines of text by a format string of Apache (``LogFormat``), nginx (``log_format``) or a load balancer of AWS."""

import re
from datetime import UTC, datetime, tzinfo

from findable.formats.access_logs.log_line import LogLine, read_request, text_of, unescaped
from findable.formats.access_logs.log_times import read_day, read_time
from findable.lazy_pattern import lazy_pattern
from findable.values import read_data

_APACHE = {"h": "client", "a": "client", "v": "host", "V": "host", "t": "time", "r": "request", "m": "method", "U": "path", "q": "query"}
_APACHE |= {"s": "status", "p": "port"}
_HEADERS = {"user-agent": "agent", "x-forwarded-for": "forwarded", "host": "host", "x-forwarded-proto": "scheme"}
_NGINX = read_data(__package__, "nginx_variables", dict[str, str])
_READ = ("client", "time", "status", "request")
"""Fields of nearly all formats, which are read without a loop."""
_SCHEMES = {b"80": "http", b"443": "https"}
_QUOTED = r'[^"\\]*+(?:\\.[^"\\]*+)*'
_UNQUOTED = {"time": r"\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}|[^\s\]|;]+", "forwarded": r"\S+(?:, \S+)*"}
"""Patterns of fields without quotes that may contain spaces."""
_SEPARATORS = ("|", ";", ",")
_DIRECTIVE = lazy_pattern(r"%[<>]?(?:!?\d{3}(?:,\d{3})*)?(?:\{([^}]*)\})?(\^\w\w|[a-zA-Z])|\$\{?(\w+)\}?|%%| ?…")
_QUOTED_PART = lazy_pattern(r"'((?:[^'\\]|\\.)*)'")


def plain_format(given: str) -> str:
    """Return a format string without the directive of the server's configuration around it, if it was copied with it."""
    words = given.strip().rstrip(";").strip()
    if words.startswith("log_format "):
        return "".join(found[1] for found in _QUOTED_PART.finditer(words)) or words.partition(" ")[2].partition(" ")[2]
    if words.lower().startswith("logformat "):
        words = words.partition(" ")[2].strip()
        end = words.rfind('"')
        return words[1:end].replace('\\"', '"') if words.startswith('"') and end > 0 else words
    return words.replace('\\"', '"')


class PatternReader:
    """Reader of lines of a format string.

    Args:
        name: format, as ``--format`` names it.
        format_string: see `named_formats`. Directives without a meaning here match a word or a quoted text.
        zone: zone of times without an offset.

    Raises ValueError if the format string has no request or path, no status or no time.
    """

    def __init__(self, name: str, format_string: str, zone: tzinfo = UTC) -> None:
        self.name = name
        self._zone = zone
        roles: list[str] = []
        pattern, until_time, until_last, at = "", "", "", 0
        for found in _DIRECTIVE.finditer(format_string):
            pattern += re.escape(format_string[at : found.start()])
            at = found.end()
            if found[0].endswith("…"):
                pattern += "(?: .*)?"
                continue
            if found[0] == "%%":
                pattern += "%"
                continue
            role = _role(found)
            is_quoted = format_string[found.start() - 1 : found.start()] == '"'
            word = rf"[^\s{re.escape(format_string[at])}]" if format_string[at : at + 1] in _SEPARATORS else r"\S"
            value = _QUOTED if is_quoted else _UNQUOTED.get(role, f"{word}*" if role == "query" else f"{word}+")
            is_known = role not in ("", *roles)
            if is_known:
                roles.append(role)
            group = f"({value})" if is_known else f"(?:{value})"
            pattern += rf"\[{group}\]" if found[2] == "t" and not found[1] else group
            until_time = pattern if is_known and role == "time" else until_time
            until_last = pattern if is_known and role != "agent" else until_last
        pattern += re.escape(format_string[at:])
        if not {"status", "time"} <= set(roles) or not {"request", "path"} & set(roles):
            raise ValueError("the format needs a request (%r, $request), a status (%>s, $status) and a time (%t, $time_local)")
        self._pattern = re.compile(pattern.encode(), re.DOTALL)
        self._needed = re.compile(until_last.encode(), re.DOTALL)
        self._until_time = re.compile(until_time.encode(), re.DOTALL)
        places = {role: at for at, role in enumerate(roles, 1)}
        self._agent_at = places.get("agent", 0)
        self._first_at = tuple(places.get(role, 0) for role in _READ)
        self._more_at = [(role, at) for role, at in places.items() if role not in ("agent", *_READ)]
        self._client_has_port = "$balancer" in format_string
        self.has_agents = "agent" in roles
        self._place_of_agent(format_string)

    def _place_of_agent(self, format_string: str) -> None:
        """Find out how many quotes stand before and after the user agent, so that `agent` can cut it out of a line."""
        found = next((found for found in _DIRECTIVE.finditer(format_string) if _role(found) == "agent"), None)
        self._is_cut = found is not None and format_string[found.start() - 1 : found.start()] == '"'
        before = format_string[: found.start()].count('"') if found else 0
        self._is_from_left = "…" in format_string
        self._splits = before + 1 if self._is_from_left else format_string.count('"') - before + 1
        self._index = before if self._is_from_left else 1
        self._is_last = self._is_cut and not self._is_from_left and format_string.endswith('"') and self._splits == 2  # noqa: PLR2004 - its quotes

    def keys(self, lines: list[bytes]) -> list[bytes | None]:
        """Return what each line has where its user agent should be."""
        if not self._is_cut:
            return [self.agent(line) for line in lines]
        if self._is_from_left:
            splits, index = self._splits, self._index
            return [parts[index] if len(parts := line.split(b'"', splits)) > splits else None for line in lines]
        if self._is_last:
            return [line.rpartition(b' "')[2] for line in lines]
        splits = self._splits
        return [parts[1] if len(parts := line.rsplit(b'"', splits)) > splits else None for line in lines]

    def key_of(self, written: bytes) -> bytes:
        """Return the key of a line with this user agent. That of the last field contains the quote at its end, which a cut line lacks."""
        return written + b'"' if self._is_last else written

    def agent(self, line: bytes) -> bytes | None:
        """Return the user agent as written, or None if the line is unreadable."""
        found = self._pattern.fullmatch(line)
        if found is None:
            return None
        return found[self._agent_at] if self.has_agents else b"-"

    def plain_agent(self, written: bytes) -> bytes:
        """Return a user agent from `agent` without the escapes of the log."""
        return unescaped(written)

    def fits(self, line: bytes) -> bool:
        """Return whether a line has the format."""
        return self._pattern.fullmatch(line) is not None

    def read(self, line: bytes) -> LogLine | None:
        """Return the line but for its user agent; None if it is unreadable."""
        found = self._needed.match(line)
        if found is None:
            return None
        client, time, status, request = found.group(*self._first_at)
        if not (status.isdigit() or status == b"-"):
            return None
        made = LogLine()
        made.status = int(status) if status != b"-" else 0
        made.day = read_day(time, self._zone)
        if self._first_at[0]:
            made.client = text_of(client.rpartition(b":")[0] if self._client_has_port else client)
        if self._first_at[-1]:
            made.method, made.target = read_request(request)
        if self._more_at:
            self._read_more(made, {role: found[at] for role, at in self._more_at})
        return made

    def _read_more(self, made: LogLine, fields: dict[str, bytes]) -> None:
        made.forwarded, made.host = text_of(fields.get("forwarded", b"-")), text_of(fields.get("host", b"-"))
        made.scheme = text_of(fields.get("scheme", b"-")) or _SCHEMES.get(fields.get("port", b""), "")
        path, query, arguments = fields.get("path", b"-"), fields.get("query", b"-"), fields.get("arguments", b"-")
        if path != b"-" and not self._first_at[-1]:
            query = query if query != b"-" else b"?" + arguments if arguments != b"-" else b""
            made.method, made.target = text_of(fields.get("method", b"GET")), unescaped(path + query)

    def time(self, line: bytes) -> datetime | None:
        """Return the time of a line; None if there is none."""
        found = self._until_time.match(line)
        return read_time(found[found.re.groups].decode("ascii", "replace"), self._zone) if found else None


def _role(found: re.Match[str]) -> str:
    """Return what a directive of a format string stands for; empty if it has no meaning here."""
    argument, letter, variable = found[1], found[2], found[3]
    if variable:
        return _NGINX.get(variable, "")
    if letter == "i":
        return _HEADERS.get((argument or "").lower(), "")
    return _APACHE.get(letter or "", "")
