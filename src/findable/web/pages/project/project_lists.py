"""Queries, URLs and pagination of lists of projects and reports."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from findable.service.values.paging import Page
from findable.service.values.report_values import ReportQuery, ReportSort
from findable.vocabulary import Verdict
from findable.web.api.report_routes import ReportListQuery
from findable.web.api.validation import read
from findable.web.query_strings import Query
from findable.wording import Translator

LISTED = 25
WORST_FIRST: Mapping[str, str] = {"sort_by": ReportSort.RESULT.value, "sort": "asc"}
"""Default order of the pages of a project."""


def without_parameters(query: Query, *names: str) -> Query:
    """Return the query without ``names`` and the API parameters that pages do not accept (``page``, ``per_page``, ``search_by``)."""
    return {name: value for name, value in query.items() if name not in ("page", "per_page", "search_by", *names)}


def report_query(query: Query) -> ReportQuery:
    """Parse the query of a list of reports; worst first by default.

    A verdict without a check is ignored; a check without a verdict selects its problems.

    Raises ValidationFailed.
    """
    parameters = without_parameters(query, "project")
    if "sort_by" not in parameters:
        parameters = {**WORST_FIRST, **parameters}
    if "check" not in parameters:
        parameters.pop("verdict", None)
    wanted = read(ReportListQuery, parameters).to_query()
    return replace(wanted, verdict=(wanted.verdict or Verdict.FAILED) if wanted.check else None)


def total_words(page: Page[Any], say: Translator, words: str) -> str:
    """Return the total ``words``, preceded by ``more than`` if it is an estimate."""
    return say("more than %(words)s", words=words) if page.total_is_estimate else words
