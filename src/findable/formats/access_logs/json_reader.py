"""Logs with one JSON object in each line: nginx, Caddy, Traefik, Fastly, Cloudflare Logpush, and others by a mapping."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any

import msgspec

from findable.formats.access_logs.log_line import LogLine, split_request, unescaped
from findable.formats.access_logs.log_times import read_day, read_time
from findable.values import read_data

FIELDS = read_data(__package__, "json_fields", dict[str, tuple[str, ...]])
"""Names of the fields, preferred ones first; November 2026.

Sources: nginx (variables of log_format), Caddy "log" (``client_ip`` is the client behind trusted proxies, ``remote_ip`` the proxy), Traefik
"Access logs", Cloudflare "HTTP requests" of Logpush, Google Cloud load balancers, and the fields that Fastly suggests.
"""
_NAME = re.compile(r"[^.\[\]]+")


def _value(row: Any, path: Sequence[str]) -> Any:
    """Return a member of a JSON object by its path; the first element of a list stands for the list. None if there is none."""
    for name in path:
        row = row.get(name) if isinstance(row, dict) else None
    while isinstance(row, list):
        row = row[0] if row else None
    return row


def _text(value: Any) -> str:
    return "" if value is None or value == "-" or isinstance(value, dict) else str(value)


class JsonReader:
    """Reader of JSON lines.

    Args:
        sample: lines that show which fields the log has.
        fields: names of fields that differ from `FIELDS`, like ``{"target": "my_url"}``.
        zone: zone of times without an offset.

    Raises ValueError if the lines have no URL, no status or no time.
    """

    name = "json"

    def __init__(self, sample: Iterable[bytes], fields: Mapping[str, str] | None = None, zone: tzinfo = UTC) -> None:
        self._zone = zone
        self._decoder = msgspec.json.Decoder()
        rows = [row for line in sample if isinstance(row := self._decoded(line), dict)]
        self._paths: dict[str, tuple[str, ...]] = {}
        for role, names in FIELDS.items():
            for name in [fields[role]] if fields and role in fields else names:
                path = (name,) if any(name in row for row in rows) else tuple(_NAME.findall(name))
                if any(_text(_value(row, path)) for row in rows):
                    self._paths[role] = path
                    break
        if not {"status", "time"} <= self._paths.keys() or not {"target", "request"} & self._paths.keys():
            raise ValueError("the JSON has no field for the URL, the status or the time that is known; name them with --field url=NAME")
        self.has_agents = "agent" in self._paths
        self._before_agent = self._text_before_agent(sample)

    def _text_before_agent(self, sample: Iterable[bytes]) -> bytes:
        """Return the text that stands before the user agent in all lines of the sample; empty if there is none."""
        agents = {line: found for line in sample if (found := self.agent(line)) not in (None, b"-")}
        name = self._paths.get("agent", ("",))[-1]
        for text in (f'"{name}":"', f'"{name}": "', f'"{name}":["', f'"{name}": ["'):
            before = text.encode()
            cut = {line: line.partition(before)[2].partition(b'"')[0] for line in agents}
            if agents and all(cut[line] == agent or cut[line].endswith(b"\\") for line, agent in agents.items()):
                return before
        return b""

    def keys(self, lines: list[bytes]) -> list[bytes | None]:
        """Return what each line has where its user agent should be; None for lines that end too early."""
        before = self._before_agent
        if not before:
            return [self.agent(line) for line in lines]
        return [line.partition(before)[2].partition(b'"')[0] if line.endswith(b"}") else None for line in lines]

    def key_of(self, written: bytes) -> bytes:
        """Return the key of a line with this user agent."""
        return written

    def _decoded(self, line: bytes) -> Any:
        try:
            return self._decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            pass
        # Escapes of nginx without escape=json, and bytes of Latin-1 in a URL
        try:
            return self._decoder.decode(line.decode("utf-8", "backslashreplace").replace("\\x", "\\\\x"))
        except (msgspec.DecodeError, RecursionError):
            return None

    def agent(self, line: bytes) -> bytes | None:
        """Return the user agent, or None if the line is unreadable."""
        read = self.read(line)
        return read.agent if read else None

    def plain_agent(self, written: bytes) -> bytes:
        """Return the user agent unchanged, because JSON has no other escapes."""
        return written

    def time(self, line: bytes) -> datetime | None:
        """Return the time of a line; None if there is none."""
        row = self._decoded(line)
        return read_time(_text(_value(row, self._paths["time"])), self._zone) if isinstance(row, dict) else None

    def read(self, line: bytes) -> LogLine | None:
        """Return the whole line; None if it is unreadable."""
        row = self._decoded(line)
        if not isinstance(row, dict):
            return None
        get = row.get
        values = {
            role: value if type(value := get(path[0])) is str and len(path) == 1 and value != "-" else _text(_value(row, path))
            for role, path in self._paths.items()
        }
        status = values["status"].partition(".")[0]
        agent = values.get("agent", "").encode("utf-8", "surrogatepass") or b"-"
        made = LogLine(agent=agent, status=int(status) if _is_status(status) else 0)
        made.day = read_day(values["time"].encode(), self._zone)
        made.client, made.forwarded = values.get("client", ""), values.get("forwarded", "")
        made.host, made.scheme = values.get("host", ""), values.get("scheme", "")
        made.method, made.target = values.get("method", "GET"), _sent(values.get("target", ""))
        if not made.target and (request := values.get("request")):
            made.method, made.target = split_request(_sent(request))
        return made


def _is_status(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 3  # noqa: PLR2004 - digits of a status


def _sent(text: str) -> bytes:
    written = text.encode("utf-8", "surrogatepass")
    return unescaped(written) if b"\\x" in written else written
