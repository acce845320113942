"""A report as JSON."""

import msgspec

from findable.export.report_json import command_report
from findable.reports.analysis import analyse
from findable.reports.reported_finding import AGAINST
from findable.vocabulary import Verdict
from tests.checks.harness import capture, page


def test_a_finding_in_json_has_its_code_and_the_command_that_verifies_it() -> None:
    html = page("<main><h1>Bread</h1><p>Text</p></main>", head='<title>Bread</title><link rel="canonical" href="/bread">')
    report = msgspec.to_builtins(command_report(analyse(capture(html, url="https://www.example.com/bread"))))
    results = {finding["id"]: finding for finding in report["results"]}
    (code,) = results["canonical-valid"]["fix"]

    assert (code["place"], code["before"]) == ("element", '<link rel="canonical" href="/bread">')
    assert code["after"] == '<link rel="canonical" href="https://www.example.com/bread">'
    assert html.split("\n")[code["line"] - 1][code["column"] - 1 :].startswith(code["before"])
    assert results["canonical-valid"]["verify"] == f"findable recheck report.json {results['canonical-valid']['key']}"
    assert "verify" not in results["title-present"]
    assert all(
        ("verify" in finding) == (Verdict(finding["verdict"]) in AGAINST) for finding in report["results"] if finding["verdict"] != "info"
    )
