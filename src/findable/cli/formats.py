"""Output formats of the commands that print reports, and the files or streams that they write."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Annotated, Literal

from cyclopts import Parameter
from msgspec import Struct

from findable.cli.terminal import print_bytes
from findable.control_characters import without_commands
from findable.errors import SettingError
from findable.export.ci_subject import CiFormat, Locate

Language = Literal["en", "de"]
"""Languages of reports: the keys of `wording.LANGUAGES`."""
Format = Literal["text", "json", "csv", "markdown", "sarif", "junit", "gitlab", "html", "github", "comment", "fixes", "pdf"]
_CI_CLASSES = {
    "sarif": "findable.export.sarif:Sarif",
    "junit": "findable.export.junit:JUnit",
    "gitlab": "findable.export.gitlab:GitLab",
    "html": "findable.export.html_report:HtmlReport",
    "github": "findable.export.github_annotations:GitHubAnnotations",
    "comment": "findable.export.ci_comment:CiComment",
    "fixes": "findable.export.fix_bundle:FixesMarkdown",
}
"""Module and class of each format for CI systems."""
MARKUP_FORMATS = ("junit", "html")
LINE_FORMATS = ("csv", "markdown", "comment", "fixes", *MARKUP_FORMATS)
"""Formats whose lines may begin with a text of the page. JSON escapes line breaks; annotations are workflow commands themselves."""
CI_FORMATS = tuple(_CI_CLASSES)
"""Formats that both `findable audit` and `findable crawl` write."""
Output = Annotated[Path | None, Parameter(name=("--output", "-o"), help="Write to this file instead of printing; not for text.")]
Export = Annotated[tuple[str, ...], Parameter(help="Also write another format, e.g. sarif=findable.sarif. May be repeated.")]
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
"""Variable with the file that GitHub Actions shows as the summary of a job."""
_MEMORY_BYTES = 1_000_000
_COPY_BYTES = 1 << 16


class Target(Struct, frozen=True):
    """Output of a command: its format and file (None: standard output), and the option that requested it."""

    format_: str
    path: Path | None
    option: str = "--output"
    is_folder: bool = False
    """Whether a file for each table is written to the folder ``path``."""


def check_output(format_: str, output: Path | None, pages_count: int = 1) -> None:
    """Raise SettingError if the output cannot be written in the format, before any page is fetched."""
    check_writable(Target(format_, output))
    if format_ != "pdf":
        return
    from findable.export.pdf import PdfMissing, is_available

    if not is_available():
        raise SettingError("--format", str(PdfMissing()))
    if pages_count > 1:
        raise SettingError("--format", f"a PDF contains the report of one page, not of {pages_count}")
    if output is None and sys.stdout.isatty():
        raise SettingError("--format", "a PDF needs --output FILE")


def check_writable(target: Target) -> None:
    """Raise SettingError that names the option if the file of a target cannot be written."""
    path = target.path
    if path is None:
        return
    if target.format_ == "text" and target.option == "--output":
        raise SettingError(target.option, "requires a --format other than text")
    if path.is_dir() and not target.is_folder:
        raise SettingError(target.option, f"{path} is a directory, not a file")
    if not path.resolve().parent.is_dir():
        raise SettingError(target.option, f"{path.parent} is not a directory")


def export_targets(
    options: Sequence[str], formats: Iterable[str], folders: Sequence[str] = (), option_name: str = "--export"
) -> list[Target]:
    """Return the targets of ``--export FORMAT=FILE`` options. Raises SettingError if one is invalid or not writable.

    ``folders``: formats that may be written to a folder: an existing one, or a path without ending.
    """
    known = [name for name in formats if name != "text"]
    found = []
    for option in options:
        name, equals, path = option.partition("=")
        if not equals or not path or name not in known:
            raise SettingError(option_name, f"{option} is not FORMAT=FILE with one of {', '.join(known)}")
        found.append(Target(name, Path(path), option_name, name in folders and (Path(path).is_dir() or not Path(path).suffix)))
        check_writable(found[-1])
    return found


def ci_format(name: str, locate: Locate) -> CiFormat:
    """Return the writer of a format of CI_FORMATS. Only its module is imported."""
    module, class_name = _CI_CLASSES[name].split(":")
    made: CiFormat = getattr(import_module(module), class_name)(locate)
    return made


class Outlet:
    """Buffer of a document that is written to its target when complete, so that a failed run leaves no partial file."""

    def __init__(self, target: Target, *, is_appended: bool = False) -> None:
        self._target = target
        self._is_appended = is_appended
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(_MEMORY_BYTES)  # noqa: SIM115 - `close` closes it

    def write(self, data: bytes) -> None:
        """Add a part of the document; in a format of LINE_FORMATS, no line can be read as a workflow command of a CI log."""
        if self._target.format_ in LINE_FORMATS:
            is_markup = self._target.format_ in MARKUP_FORMATS
            data = without_commands(data.decode(), is_markup=is_markup).encode()
        self._file.write(data)

    def close(self) -> None:
        """Write the document to its target. Raises SettingError that names the option if the file cannot be written."""
        self._file.seek(0)
        with self._file:
            if self._target.path is None:
                while part := self._file.read(_COPY_BYTES):
                    print_bytes(part)
                return
            try:
                with self._target.path.open("ab" if self._is_appended else "wb") as stream:
                    shutil.copyfileobj(self._file, stream)
            except OSError as error:
                raise SettingError(self._target.option, f"{self._target.path} cannot be written: {error.strerror}") from error


def step_summary(format_: str) -> Target | None:
    """Return the target for the job summary of GitHub Actions; None if the variable is unset or the format is not `github`."""
    path = os.environ.get(STEP_SUMMARY)
    return Target("comment", Path(path), STEP_SUMMARY) if format_ == "github" and path else None
