"""Documents of an audit in every format, written report by report, so that memory does not grow with the number of pages."""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import UNSET, Struct, structs

from findable.cli.formats import CI_FORMATS, Outlet, Target, ci_format, step_summary
from findable.cli.terminal import json_bytes
from findable.export.ci_subject import CiSubject, Locate, page_subject
from findable.export.report_json import command_report, without_texts
from findable.reports.report import Report
from findable.reports.reported_finding import AGAINST
from findable.wording import ENGLISH, Translator


class JsonForm(Struct, frozen=True):
    """Form of JSON: whether it has the texts of checks, and whether one report is an array too."""

    has_texts: bool = True
    is_array: bool = False


ALL_OF_JSON = JsonForm()


class Document(Struct, frozen=True):
    """Document in one format that is built report by report."""

    add: Callable[[Report, CiSubject], bytes]
    """Function that returns the bytes to append for a report."""
    end: Callable[[], bytes] = bytes
    """Function that returns the bytes after the last report."""


class _Json:
    """JSON: an object for one report, an array for several or if ``form`` says so."""

    def __init__(self, pages_count: int, form: "JsonForm", locate: Locate) -> None:
        self._form = form
        self._locate = locate
        self._is_array = form.is_array or pages_count != 1
        self._begin = b"[\n" if self._is_array else b""

    def add(self, report: Report, subject: CiSubject) -> bytes:
        from findable.export.fix_bundle import UNKNOWN_SOURCE, patch_of, source_of

        shown = command_report(report)
        placed = {
            problem.finding.key: {"file": source, "patch": patch_of(problem, self._locate) or UNSET}
            for problem in subject.problems
            if (source := source_of(problem, self._locate)) != UNKNOWN_SOURCE
        }
        shown = structs.replace(
            shown, results=tuple(structs.replace(one, **placed[one.key]) if one.key in placed else one for one in shown.results)
        )
        if not self._form.has_texts:
            shown = structs.replace(shown, results=without_texts(shown.results))
        written = self._begin + json_bytes(shown)
        self._begin = b",\n"
        return written

    def end(self) -> bytes:
        return b"]\n" if self._is_array else b""


def document_of(format_: str, pages_count: int, locate: Locate, say: Translator, form: JsonForm) -> Document:
    """Return an empty document in a format other than text."""
    if format_ in CI_FORMATS:
        made = ci_format(format_, locate)
        return Document(lambda _report, subject: made.add(subject), made.end)
    if format_ == "json":
        found = _Json(pages_count, form, locate)
        return Document(found.add, found.end)
    if format_ == "csv":
        from findable.export.report_csv import to_csv

        heads = iter([True])
        return Document(lambda report, _subject: to_csv(report, has_head=next(heads, False)))
    if format_ == "markdown":
        from findable.export.markdown import to_markdown

        return Document(lambda report, _subject: to_markdown(report, say).encode("utf-8", "replace"))
    from findable.export.pdf import to_pdf
    from findable.export.pdf_sheet import Sheet

    return Document(lambda report, _subject: to_pdf(report, Sheet(say=say)))


class ReportDocuments:
    """All documents that one run of a command writes.

    Args:
        targets: formats and files.
        pages_count: number of reports that will be added.
        locate: function that returns the source file of a place.
        say: translator for Markdown and PDF.
        only_problems: write only failed and warned findings to JSON and CSV.
        form: form of JSON.
    """

    def __init__(
        self,
        targets: Sequence[Target],
        pages_count: int,
        locate: Locate,
        say: Translator = ENGLISH,
        *,
        only_problems: bool = False,
        form: JsonForm = ALL_OF_JSON,
    ) -> None:
        summaries = [summary for target in targets if (summary := step_summary(target.format_))]
        self._only_problems = only_problems
        self._written = [
            (document_of(target.format_, pages_count, locate, say, form), Outlet(target, is_appended=target in summaries))
            for target in (*targets, *summaries)
            if target.format_ != "text"
        ]

    def add(self, report: Report, duration_s: float) -> None:
        """Add a report to each document."""
        if not self._written:
            return
        subject = page_subject(report, duration_s)
        shown = problems_only(report) if self._only_problems else report
        for document, outlet in self._written:
            outlet.write(document.add(shown, subject))

    def close(self) -> None:
        """Write all documents to their targets; standard output comes last, because its reader may have closed the pipe."""
        for document, outlet in self._written[::-1]:
            outlet.write(document.end())
            outlet.close()


def problems_only(report: Report) -> Report:
    """Return the report without its passed, unknown and inapplicable findings."""
    return structs.replace(report, findings=tuple(finding for finding in report.findings if finding.verdict in AGAINST))


def print_documents(report: Report, format_: str, locate: Locate, say: Translator, output: Path | None) -> None:
    """Print one report in a format other than text, or write it to a file."""
    documents = ReportDocuments([Target(format_, output)], 1, locate, say)
    documents.add(report, 0)
    documents.close()
