"""A report as a tagged PDF (A4, PDF/UA-1), typeset by typst in a separate process."""

import base64
import json
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from typing import Any

from findable import sandbox
from findable.errors import FindableError
from findable.export.pdf_content import template_data
from findable.export.pdf_sheet import Sheet
from findable.reports.report import Report

LIMITS = sandbox.Limits(time_s=30.0, memory_bytes=2 * 1024**3, output_bytes=20 * 1024**2)
"""Limits of the process; memory is address space. A long report uses about 150 MB."""
TYPESETTER = "findable.export.typesetting:typeset"


class PdfMissing(FindableError):
    """Error if the typesetter is not installed; the message contains the name of the extra."""

    def __init__(self) -> None:
        super().__init__("PDF needs the extra 'pdf': pip install '.[pdf]' in a clone of Findable")


class PdfFailed(FindableError):
    """Error if the typesetter crashed on a report or exceeded a limit; the message is for the log."""


@cache
def is_available() -> bool:
    """Return whether the extra with the typesetter is installed."""
    return find_spec("typst") is not None


def to_pdf(report: Report, sheet: Sheet | None = None) -> bytes:
    """Return the PDF of a page report, identical for the same report, sheet and fonts (blocking: about half a second).

    Args:
        report: report of the page.
        sheet: options, branding and the owner's texts; None for the defaults.

    Raises PdfMissing and PdfFailed.
    """
    sheet = sheet or Sheet()
    return typeset(template_data(report, sheet), sheet)


def typeset(content: Mapping[str, Any], sheet: Sheet) -> bytes:
    """Return the PDF of the content of a page, site or project report (blocking). Raises PdfMissing and PdfFailed."""
    if not is_available():
        raise PdfMissing
    shots = sheet.screenshots
    request = {
        "sheet": content,
        "logo": base64.b64encode(sheet.branding.logo).decode(),
        "filmstrip": base64.b64encode(sheet.filmstrip).decode(),
        "screenshots": [base64.b64encode(data).decode() for data in (shots.desktop, shots.phone)] if shots else [],
    }
    try:
        return sandbox.run(TYPESETTER, json.dumps(request, ensure_ascii=False).encode("utf-8", "replace"), LIMITS)
    except (sandbox.Crashed, sandbox.Rejected) as error:
        raise PdfFailed(f"the PDF could not be created: {str(error).strip().splitlines()[-1]}") from error
