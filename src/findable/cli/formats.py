"""Output formats of `findable audit` and `findable check`."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

from cyclopts import Parameter

from findable.cli.terminal import json_bytes, print_bytes
from findable.errors import SettingError
from findable.export.report_json import command_report
from findable.reports.report import Report
from findable.wording import ENGLISH, Wording

Language = Literal["en", "de"]
"""Languages of reports: the keys of `wording.LANGUAGES`."""
Format = Literal["text", "json", "csv", "markdown", "sarif", "junit", "pdf"]


Output = Annotated[Path | None, Parameter(name=("--output", "-o"), help="Write to this file instead of printing; not for text.")]


def check_output(format_: Format, output: Path | None, pages_count: int = 1) -> None:
    """Check in advance whether the output can be written. Raises SettingError for the option."""
    check_writable(format_, output)
    if format_ != "pdf":
        return
    from findable.export.pdf import PdfMissing, is_available

    if not is_available():
        raise SettingError("--format", str(PdfMissing()))
    if pages_count > 1:
        raise SettingError("--format", f"a PDF has the report of one page, {pages_count} were given")
    if output is None and sys.stdout.isatty():
        raise SettingError("--format", "a PDF needs --output FILE")


def check_writable(format_: str, output: Path | None) -> None:
    """Check in advance whether the file can be written. Raises SettingError for the option."""
    if output is not None and format_ == "text":
        raise SettingError("--output", "takes another --format than text")
    if output is not None and output.is_dir():
        raise SettingError("--output", f"{output} is a directory; name a file")
    if output is not None and not output.resolve().parent.is_dir():
        raise SettingError("--output", f"{output.parent} is not a directory")


@contextmanager
def write_to(output: Path) -> Iterator[BinaryIO]:
    """Open the file for writing. Raises SettingError for the option."""
    try:
        with output.open("wb") as stream:
            yield stream
    except OSError as error:
        raise SettingError("--output", f"{output} cannot be written: {error.strerror}") from error


def print_documents(reports: Sequence[Report], format_: Format, say: Wording = ENGLISH, output: Path | None = None) -> None:
    """Print reports in every format but text, or write them to a file. JSON of one report is an object, of several an array."""
    document = _document(reports, format_, say)
    if output is not None:
        with write_to(output) as stream:
            stream.write(document)
        return
    print_bytes(document)


def _document(reports: Sequence[Report], format_: Format, say: Wording) -> bytes:
    if format_ == "csv":
        from findable.export.csv import to_csv

        return to_csv(reports)
    if format_ == "markdown":
        from findable.export.markdown import to_markdown

        return to_markdown(reports, say).encode("utf-8", "replace")
    if format_ == "sarif":
        from findable.export.sarif import to_sarif

        return to_sarif(reports) + b"\n"
    if format_ == "junit":
        from findable.export.junit import to_junit

        return to_junit(reports)
    if format_ == "pdf":
        from findable.export.pdf import Sheet, to_pdf

        return to_pdf(reports[0], Sheet(say=say))
    made = [command_report(report) for report in reports]
    return json_bytes(made[0] if len(made) == 1 else made)
