"""Logs that name their columns: W3C extended (IIS) and the standard logs of Amazon CloudFront."""

from datetime import UTC, datetime
from urllib.parse import unquote_to_bytes

from findable.formats.access_logs.log_line import COMMENT, LogLine, text_of
from findable.formats.access_logs.log_times import read_day, read_time
from findable.values import read_data

COLUMNS = read_data(__package__, "column_names", dict[str, tuple[str, ...]])
"""Names of columns in lower case, preferred ones first: the host of CloudFront is ``x-host-header``, ``cs(Host)`` its distribution.

Sources: W3C, "Extended Log File Format"; Microsoft, "W3C Logging" (times are in UTC); AWS, "Standard logging (access logs) reference".
"""
_FIELDS = b"#Fields:"


class ColumnReader:
    """Reader of lines in columns. A new ``#Fields:`` line in the middle of the file changes the columns."""

    name = "w3c"
    has_agents = True

    def __init__(self) -> None:
        self._at: dict[str, int] = {}
        self._agent_at = self._count = -1
        self._separator: bytes | None = None
        self._is_cloudfront = False

    def keys(self, lines: list[bytes]) -> list[bytes | None]:
        """Return the user agent of each line. Only the first line may be a directive."""
        first = self.agent(lines[0])
        separator, count, at = self._separator, self._count, self._agent_at
        if at < 0:
            return [first, *map(self.agent, lines[1:])]
        return [first, *(parts[at] if len(parts := line.split(separator)) == count else None for line in lines[1:])]

    def key_of(self, written: bytes) -> bytes:
        """Return the key of a line with this user agent."""
        return written

    def agent(self, line: bytes) -> bytes | None:
        """Return the user agent as written, `COMMENT` for a directive, or None if the line is unreadable."""
        if line[:1] == b"#":
            if line.startswith(_FIELDS):
                self._set_columns(line)
            return COMMENT
        columns = line.split(self._separator)
        if len(columns) != self._count:
            return None
        return columns[self._agent_at] if self._agent_at >= 0 else b"-"

    def _set_columns(self, line: bytes) -> None:
        names = line[len(_FIELDS) :].decode("utf-8", "replace").lower().split()
        found = {role: [names.index(name) for name in wanted if name in names] for role, wanted in COLUMNS.items()}
        self._at = {role: places[0] for role, places in found.items() if places}
        self._is_cloudfront = "x-edge-location" in names
        self._separator = b"\t" if self._is_cloudfront else None
        is_enough = {"date", "time", "path", "status"} <= self._at.keys()
        self._count = len(names) if is_enough else -1
        self._agent_at = self._at.get("agent", -1)

    def plain_agent(self, written: bytes) -> bytes:
        """Return a user agent from `agent` without the escapes of the log: CloudFront encodes twice, IIS writes ``+`` for spaces."""
        return unquote_to_bytes(unquote_to_bytes(written)) if self._is_cloudfront else written.replace(b"+", b" ")

    def time(self, line: bytes) -> datetime | None:
        """Return the time of a line; None if there is none."""
        columns = line.split(self._separator) if line[:1] != b"#" else []
        if len(columns) != self._count:
            return None
        return read_time(f"{text_of(columns[self._at['date']])}T{text_of(columns[self._at['time']])}", UTC)

    def read(self, line: bytes) -> LogLine | None:
        """Return the whole line; None for directives and unreadable lines."""
        columns = line.split(self._separator) if line[:1] != b"#" else []
        if len(columns) != self._count:
            return None
        fields = {role: columns[at] for role, at in self._at.items()}
        status = fields["status"]
        made = LogLine(agent=fields.get("agent", b"-"), status=int(status) if status.isdigit() else 0)
        made.day = read_day(fields["date"] + b"T00:00:00Z")
        made.client, made.method = text_of(fields.get("client", b"-")), text_of(fields.get("method", b"GET"))
        made.host, made.scheme = text_of(fields.get("host", b"-")), text_of(fields.get("scheme", b"-"))
        made.forwarded = text_of(fields.get("forwarded", b"-")).replace("+", " ").replace("%20", " ")
        path, query = fields["path"], fields.get("query", b"-")
        made.target = b"" if path == b"-" else path if query == b"-" else path + b"?" + query
        return made
