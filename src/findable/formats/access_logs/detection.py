"""Recognize the format of an access log from its first lines."""

from collections.abc import Mapping, Sequence
from datetime import UTC, tzinfo

from findable.formats.access_logs.column_reader import ColumnReader
from findable.formats.access_logs.json_reader import JsonReader
from findable.formats.access_logs.log_line import LineReader
from findable.formats.access_logs.named_formats import FORMATS
from findable.formats.access_logs.pattern_reader import PatternReader, plain_format

SAMPLE_LINES = 200
READABLE_SHARE = 0.9
"""Share of the sample that a format must read to be chosen (set by Findable)."""
NAMES = (*FORMATS, "json", "w3c")
"""Values of ``--format``."""


class UnknownLogFormat(ValueError):
    """Format that no reader recognizes; the message says what to do."""


def detect(
    sample: Sequence[bytes],
    *,
    name: str = "",
    format_string: str = "",
    fields: Mapping[str, str] | None = None,
    zone: tzinfo = UTC,
    continues: bool = False,
) -> LineReader:
    """Return the reader for a log.

    Args:
        sample: the first lines, at most `SAMPLE_LINES`.
        name: format that the caller names; empty to recognize it.
        format_string: format string of the server, instead of a name.
        fields: names of fields of JSON lines, see `JsonReader`.
        zone: zone of times without an offset.
        continues: whether earlier lines of the log were read in this format, so that new ones prove nothing against it.

    Raises UnknownLogFormat.
    """
    lines = [line for line in sample if line.strip()]
    try:
        if format_string or name in FORMATS:
            text = plain_format(format_string) if format_string else FORMATS[name]
            reader = PatternReader("format string" if format_string else name, text, zone)
            return reader if continues else _fitting(reader, lines)
        if name == "w3c" or (not name and any(line.startswith(b"#Fields:") for line in lines)):
            return ColumnReader()
        if name == "json" or (not name and lines and lines[0].lstrip()[:1] == b"{"):
            return JsonReader(lines, fields, zone)
    except ValueError as error:
        raise UnknownLogFormat(str(error)) from error
    if name:
        raise UnknownLogFormat(f"{name!r} is not one of {', '.join(NAMES)}")
    readers = [PatternReader(known, text, zone) for known, text in FORMATS.items()]
    shares = [sum(reader.fits(line) for line in lines) / max(1, len(lines)) for reader in readers]
    best = max(shares, default=0.0)
    if best < READABLE_SHARE:
        raise UnknownLogFormat(
            f"the format is not recognized: at most {best:.0%} of the first {len(lines)} lines fit one of {', '.join(NAMES)}. "
            "Name it with --format, or give the format string of your server with --log-format"
        )
    return readers[shares.index(best)]


def _fitting(reader: PatternReader, lines: Sequence[bytes]) -> PatternReader:
    """Return the reader. Raises ValueError if fewer than half of the lines fit its format."""
    count = sum(map(reader.fits, lines))
    if 2 * count < len(lines):
        raise ValueError(f"only {count} of the first {len(lines)} lines fit the format {reader.name}")
    return reader
