"""Rows of the tables of findings: of the site, and the list of fixes."""

from collections.abc import Iterator

from findable.crawl.tables import FindingRow, FixRow
from findable.reports.reported_finding import ReportedFinding
from findable.reports.site_report import SiteFinding
from findable.wording import ENGLISH, Translator

REMOVED = "(remove it)"
"""Proposed value of a fix that only removes something."""


def finding_row(item: SiteFinding, say: Translator = ENGLISH) -> FindingRow:
    """Return the row of a finding of a site."""
    return FindingRow(
        key=item.key,
        check_id=item.id,
        verdict=item.verdict.value,
        importance=item.check.importance.value,
        summary=item.summary(say),
        kind=item.cause.kind.value,
        cause=item.cause_name(say),
        pages_count=item.pages_count,
        share=item.share,
        selector=item.cause.selector,
        examples=tuple(one.url for one in item.evidence if one.url),
        how_to_fix=" ".join(item.as_reported.how_to_fix(say).split()).replace("``", ""),
    )


def fix_rows(finding: ReportedFinding, url: str, pages_count: int = 1) -> Iterator[FixRow]:
    """Yield a row for each piece of code that fixes a finding; without code, one with the first evidence."""
    evidence = finding.evidence[0].text if finding.evidence else ""
    values = [(fix.instead_of, fix.code or REMOVED) for fix in finding.fixes] or [(evidence, "")]
    for old, proposed in values:
        yield FixRow(
            url=url,
            fault=finding.summary(),
            old_value=old or None,
            proposed_value=proposed or None,
            done=False,
            check_id=finding.id,
            verdict=finding.verdict.value,
            importance=finding.importance,
            pages_count=pages_count,
        )
