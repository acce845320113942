"""The formats of `findable audit` and `findable check`."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Literal

Format = Literal["text", "json", "csv", "markdown", "sarif", "junit"]


def print_documents(reports: Sequence[Mapping[str, Any]], format_: Format) -> None:
    """Prints reports in every format but text. JSON of one report is an object, of several an array."""
    sys.stdout.flush()
    sys.stdout.buffer.write(_document(reports, format_))
    sys.stdout.buffer.flush()


def _document(reports: Sequence[Mapping[str, Any]], format_: Format) -> bytes:
    if format_ == "csv":
        from findable.export.csv import to_csv

        return to_csv(reports)
    if format_ == "markdown":
        from findable.export.markdown import to_markdown

        return to_markdown(reports).encode("utf-8", "replace")
    if format_ == "sarif":
        from findable.export.sarif import to_sarif

        return to_sarif(reports) + b"\n"
    if format_ == "junit":
        from findable.export.junit import to_junit

        return to_junit(reports)
    document = reports[0] if len(reports) == 1 else list(reports)
    return json.dumps(document, ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n"
