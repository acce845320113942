"""`findable check`: judges a saved page without the network."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from findable.artifacts.saved import load
from findable.cli.formats import Format, print_documents
from findable.cli.requests import read_text
from findable.cli.terminal import Terminal
from findable.cli.text import report_lines
from findable.errors import SettingError
from findable.reports.acceptance import read_acceptances
from findable.reports.model import Analysis, analyse, report


def check(
    saved_page: Annotated[Path, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    all_: Annotated[bool, Parameter(name="--all", help="Print every finding, not only what to fix first.")] = False,
    format_: Annotated[Format, Parameter(name="--format", help="text for people, the others for programs.")] = "text",
    accept: Annotated[Path | None, Parameter(help="TOML file of accepted findings.")] = None,
) -> int:
    """Judge a saved page ('-' for standard input): the same page, the same report."""
    acceptances = read_acceptances(read_text(accept, "--accept"), str(accept)) if accept else ()
    analysis = analyse(load(read_saved(saved_page)), acceptances=acceptances)
    made = report(Analysis.load(analysis.dump()))
    if format_ == "text":
        print("\n".join(report_lines(made, Terminal.detect(), everything=all_)))
    else:
        print_documents([made], format_)
    return 1 if made["result"] == "bad" else 0


def read_saved(path: Path) -> bytes:
    """The bytes of a saved page. Raises SettingError where the file cannot be read."""
    if str(path) == "-":
        return sys.stdin.buffer.read()
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingError(str(path), f"cannot be read: {error.strerror}") from error
