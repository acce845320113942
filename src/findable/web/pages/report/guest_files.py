"""Files of a report for guests, without anything that the owner hid from the page."""

from msgspec import UNSET
from msgspec.structs import replace

from findable.reports.facts import Facts
from findable.reports.fixes import first_fixes
from findable.reports.report import Report
from findable.reports.reported_finding import AcceptanceTerms, ReportedFinding
from findable.reports.titles import SEARCH_ROWS
from findable.service.values.presentation import ClientView
from findable.vocabulary import Verdict


def without_names(report: Report) -> Report:
    """Return the report without the names of people who accepted findings."""
    findings = (replace(one, accepted=replace(one.accepted, by=UNSET)) if one.accepted else one for one in report.findings)
    return replace(report, findings=tuple(findings))


def report_for_guests(report: Report, client: ClientView) -> Report:
    """Return a report without sections hidden from guests.

    A finding that a visible section mentions stays, without its evidence. Score, counts and caps are always included, as on the page.
    """
    held, explained = report.effective_cap, report.explained
    named = {
        *(held.checks if held else ()),
        *(check for check, _ in SEARCH_ROWS if client.shows("search")),
        *(finding.id for finding in first_fixes(report) if client.shows("fixes")),
    }
    findings = []
    for finding in report.findings:
        is_whole = client.shows("counted" if finding.accepted or finding.verdict is Verdict.INAPPLICABLE else "findings")
        if is_whole or finding.id in named:
            findings.append(finding if is_whole and client.shows("findings") else _without_details(finding, client))
    if explained and not client.shows("fixes"):
        explained = replace(explained, next_rating=None, fixes=())
    if explained and not client.shows("findings"):
        explained = replace(explained, caps=(held,) if held else ())
    return replace(
        report,
        findings=tuple(findings),
        explained=explained,
        categories=report.categories if client.shows("findings") else (),
        not_asked=report.not_asked if client.shows("counted") else (),
        facts=report.facts if client.shows("facts") else _previews(report.facts, client),
    )


def _previews(facts: Facts, client: ClientView) -> Facts:
    """Return the title, and the facts of search and social previews if they are not hidden from guests."""
    if client.shows("outside"):
        return Facts(title=facts.title, description=facts.description, social=facts.social)
    return Facts(title=facts.title)


def _without_details(finding: ReportedFinding, client: ClientView) -> ReportedFinding:
    accepted = finding.accepted
    if accepted and not client.shows("counted"):
        accepted = AcceptanceTerms("", None)
    return replace(finding, evidence=(), evidence_count=0, fixes=(), accepted=accepted)
