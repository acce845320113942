"""`findable check`: check a saved page without the network."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from findable.capture.capture import Capture
from findable.capture.saved import load
from findable.cli.config import read_accepted
from findable.cli.formats import Format, Language, Output, check_output
from findable.cli.given_files import read_bytes
from findable.cli.report_documents import print_documents
from findable.cli.report_text import report_lines
from findable.cli.source_files import SourceFiles
from findable.cli.terminal import Terminal, ignore_closed_pipe, printed
from findable.errors import SavedPageError, SettingError
from findable.reports.analysis import analyse
from findable.vocabulary import Rating


def check(
    saved_page: Annotated[Path, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    all_: Annotated[bool, Parameter(name="--all")] = False,
    format_: Annotated[Format, Parameter(name="--format")] = "text",
    output: Output = None,
    accept: Path | None = None,
    language: Language = "en",
) -> int:
    """Check a saved page ('-' for standard input): the same page always gives the same report.

    Args:
        saved_page: Output of `findable gather`; '-': standard input.
        all_: Print all findings, not only the first fixes.
        format_: text and pdf for people, the others for programs.
        accept: TOML file of accepted findings.
        language: Language of text, Markdown and PDF; other formats are English.
    """
    check_output(format_, output)
    acceptances = read_accepted(accept)
    report = analyse(load_saved(saved_page), acceptances=acceptances)
    terminal = Terminal.detect(language=language)
    with ignore_closed_pipe():
        if format_ == "text":
            print(printed(report_lines(report, terminal, verbose=all_)), end="")
        else:
            print_documents(report, format_, SourceFiles([]), terminal.say, output)
    return 1 if report.result is Rating.BAD else 0


def load_saved(path: Path) -> Capture:
    """Load a saved page from a file ('-': standard input). Raises SettingError if it is unreadable or not a saved page."""
    data = read_bytes(path)
    try:
        return load(data)
    except SavedPageError as error:
        name = "standard input" if str(path) == "-" else str(path)
        raise SettingError(name, f"{error}; `findable gather URL > page.json` creates one") from error
