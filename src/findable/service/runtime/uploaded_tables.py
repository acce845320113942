"""Tables that were uploaded as a file or as text."""

from collections.abc import Callable
from typing import TypeVar

from findable.errors import ValidationFailed
from findable.formats.table_text import TableError, decode_table
from findable.wording import Message, later

T = TypeVar("T")


def read_upload(data: bytes | str | None, field: str, required: str, max_bytes: int, read: Callable[[str], T]) -> T:
    """Return what is read of a table. Raises ValidationFailed for the field if the table is missing, too large or wrong.

    Args:
        data: bytes of a file, or text.
        field: name of the field.
        required: sentence for a missing table.
        max_bytes: maximum size.
        read: reads the text of the table; raises TableError.
    """
    if not data:
        raise ValidationFailed({field: [required]})
    if len(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data) > max_bytes:
        raise ValidationFailed({field: [Message(later("The table is larger than %(most)s MB."), most=max_bytes // 1_000_000)]})
    try:
        return read(data if isinstance(data, str) else decode_table(data))
    except TableError as error:
        raise ValidationFailed({field: [error.args[0]]}) from error
