"""Findings in the formats of CI systems, hostile text included."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest
from msgspec import structs

from findable.checks.engine import Evidence, all_checks
from findable.cli.source_files import SourceFiles, SourceRule
from findable.errors import PageError, PageErrorCode
from findable.export.agent_text import FROM_THE_SITE
from findable.export.ci_comment import MARKER, CiComment
from findable.export.ci_subject import CiSubject, Place, document, page_subject
from findable.export.fix_bundle import FixesMarkdown
from findable.export.github_annotations import GitHubAnnotations
from findable.export.gitlab import GitLab
from findable.export.html_report import HtmlReport
from findable.export.junit import JUnit
from findable.export.sarif import DOCUMENTATION, MAX_RESULTS, Sarif, rule
from findable.reports.analysis import analyse
from findable.reports.report import unloaded_report
from findable.reports.reported_finding import ReportedFinding
from findable.vocabulary import Rating, Stage, Verdict
from tests.checks.harness import capture, page

HOSTILE = "=cmd|' /C calc'!A0 <script>alert(1)</script> ]]> `x` \x1b[31m \u202e **bold** %0A::error::x\n::error::y"
ROOT = Path(__file__).parents[2]
PAGE = "https://www.example.com/shop/blue-widgets"


@pytest.fixture(scope="module")
def made() -> CiSubject:
    body = '<h1>x</h1><img src="/a.png"><a href="javascript:x()">y</a> <a href="/gone">gone</a>'
    html = page(head=f"<title>{HOSTILE}</title><title>two</title>", body=body)
    return page_subject(analyse(capture(html, links={"https://www.example.com/gone": 404})), 1.5)


@pytest.fixture(scope="module")
def unseen() -> CiSubject:
    return page_subject(unloaded_report("https://www.example.com/", PageError(PageErrorCode.DNS_FAILED), "2026-11-01T00:00:00Z"))


def sarif_run(*subjects: CiSubject, **options: Any) -> Any:
    (run,) = json.loads(document(Sarif(**options), subjects))["runs"]
    return run


def test_sarif_places_are_the_page_and_its_lines_never_the_target_of_a_link(made: CiSubject) -> None:
    run = sarif_run(made)
    places = [place["physicalLocation"] for result in run["results"] for place in result["locations"]]
    broken = next(result for result in run["results"] if result["ruleId"] == "links-internal-broken")

    assert {place["artifactLocation"]["uri"] for place in places} <= {"www.example.com/shop/blue-widgets", "www.example.com/robots.txt"}
    assert all(place["region"]["startLine"] >= 1 for place in places), "code scanning shows nothing without a line"
    assert broken["locations"][0]["physicalLocation"]["region"]["snippet"]["text"].startswith('<a href="/gone">')
    assert broken["locations"][0]["properties"]["url"] == PAGE


def test_sarif_uris_are_relative_because_code_scanning_refuses_others(made: CiSubject, unseen: CiSubject) -> None:
    place = Place("http://localhost:3000/a b?x=1&y=2")
    problems = tuple(structs.replace(problem, places=(place,)) for problem in made.problems)
    run = sarif_run(structs.replace(made, url=place.url, problems=problems), unseen)
    found = {place["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"] for place in result["locations"]}

    assert found == {"localhost%3A3000/a%20b%3Fx=1&y=2"}
    assert urlsplit(found.pop())[:2] == ("", "")


def test_sarif_results_are_tracked_by_a_hash_that_lines_do_not_change(made: CiSubject) -> None:
    def hashes(*subjects: CiSubject) -> list[str]:
        return [result["partialFingerprints"]["primaryLocationLineHash"] for result in sarif_run(*subjects)["results"]]

    moved = [structs.replace(one, places=tuple(structs.replace(place, line=99) for place in one.places)) for one in made.problems]
    once, twice = hashes(made), hashes(made, made)

    assert all(re.fullmatch("[0-9a-f]{16}:1", found) for found in once)
    assert once == hashes(structs.replace(made, problems=tuple(moved)))
    assert len(set(twice)) == len(twice) == 2 * len(once)


def test_sarif_rules_have_what_code_scanning_reads_of_them(made: CiSubject) -> None:
    run = sarif_run(made, made)
    rules = run["tool"]["driver"]["rules"]

    assert len({item["id"] for item in rules}) == len(rules)
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    without_link = []
    for check in all_checks().values():
        made_rule = rule(ReportedFinding(id=check.id, verdict=Verdict.FAILED, message="x"))
        for name in ("shortDescription", "fullDescription"):
            assert 0 < len(made_rule[name]["text"]) <= 1024, check.id
        assert made_rule["help"]["text"], check.id
        page = ROOT / "docs" / "checks" / made_rule["helpUri"].removeprefix(f"{DOCUMENTATION}/")
        assert page.is_file() or check.stage is Stage.PREVIEW, check.id  # its page is written when it is ready
        assert len(made_rule["properties"]["tags"]) <= 10
        assert made_rule["properties"]["problem.severity"] in ("error", "warning", "recommendation")
        if "](https://" not in made_rule["help"]["markdown"] and check.stage is not Stage.PREVIEW:
            without_link.append(check.id)
    assert len(without_link) <= 5, without_link


def test_sarif_says_which_page_was_not_seen(made: CiSubject, unseen: CiSubject) -> None:
    seen, mixed = (sarif_run(*given)["invocations"] for given in ([made], [unseen, made]))

    assert seen == [{"executionSuccessful": True, "toolExecutionNotifications": []}]
    assert mixed[0]["executionSuccessful"] is False
    assert "[dns_failed]" in mixed[0]["toolExecutionNotifications"][0]["message"]["text"]
    assert sarif_run()["results"] == []


def test_sarif_leaves_out_what_code_scanning_would_refuse_and_says_so(made: CiSubject) -> None:
    written = Sarif()
    written._results_count = MAX_RESULTS - 1
    assert written.add(made).count(b'"ruleId"') == 1
    assert f"{len(made.problems) - 1} more results are left out" in written.end().decode()


def test_junit_counts_right_and_names_the_page_as_class(made: CiSubject, unseen: CiSubject) -> None:
    suite, error = ET.fromstring(document(JUnit(), [made, unseen]))

    assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure")) == made.failed_count
    assert int(suite.get("tests", "")) == len(suite.findall("testcase"))
    assert int(suite.get("skipped", "")) == len(suite.findall("testcase/skipped"))
    assert {case.get("classname") for case in suite.iter("testcase")} == {PAGE}
    assert sum(float(case.get("time", "")) for case in suite.iter("testcase")) == float(suite.get("time", "")) == 1.5
    assert (error.get("errors"), error.get("tests"), error.get("id")) == ("1", "1", "1")


def test_junit_is_valid_by_the_strict_schema(made: CiSubject, unseen: CiSubject) -> None:
    """The rules of windyroad/JUnit-Schema that a document of ours could break."""
    root = ET.fromstring(document(JUnit(), [made, unseen]))

    assert root.attrib == {}
    for number, suite in enumerate(root):
        assert {"name", "package", "timestamp", "hostname", "tests", "failures", "errors", "time"} <= set(suite.attrib)
        assert suite.get("id") == str(number)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp", "")), "a time zone is invalid"
        tags = [child.tag for child in suite]
        assert tags == ["properties", *["testcase"] * (len(tags) - 3), "system-out", "system-err"]
        for case in suite.iter("testcase"):
            assert set(case.attrib) == {"classname", "name", "time"}
            assert [child.tag for child in case] in ([], ["skipped"], ["error"], ["failure"])


def test_gitlab_has_one_entry_per_problem_with_a_fingerprint_of_its_own(made: CiSubject) -> None:
    entries = json.loads(document(GitLab(), [made, made]))

    assert len(entries) == 2 * len(made.problems)
    assert len({entry["fingerprint"] for entry in entries}) == len(entries)
    for entry in entries:
        assert entry["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert entry["location"]["lines"]["begin"] >= 1
        assert not entry["location"]["path"].startswith((".", "/", "http"))
    assert json.loads(document(GitLab(), [])) == []


def test_annotations_are_one_line_each_and_at_most_as_many_as_are_shown(made: CiSubject, unseen: CiSubject) -> None:
    lines = document(GitHubAnnotations(), [unseen, *[made] * 5]).decode().splitlines()

    assert all(re.match("::(error|warning|notice) ", line) for line in lines)
    assert len(lines) <= 21
    assert lines[-1].endswith("more findings are in the summary")
    assert lines[0].startswith("::error title=Findable%3A dns_failed::https://www.example.com/: ")
    assert "file=" not in "".join(lines), "a URL is no file of the repository"


def test_the_comment_stays_below_its_limit_and_names_the_worst_first(made: CiSubject, unseen: CiSubject) -> None:
    pages = [structs.replace(made, url=f"{PAGE}/{number}/{'x' * 200}") for number in range(500)]
    good = structs.replace(made, url="https://www.example.com/good", result=Rating.GOOD, problems=())
    text = document(CiComment(), [good, *pages]).decode()
    small = document(CiComment(), [good, made, unseen]).decode()

    assert len(text) < 65_000
    assert text.startswith(f"{MARKER}\n")
    assert small.index(PAGE) < small.index("https://www.example.com/good")
    assert "<script>" not in small


def test_fixes_have_place_fix_and_a_way_to_verify(made: CiSubject, unseen: CiSubject) -> None:
    text, nothing = (document(FixesMarkdown(), [one]).decode() for one in (made, unseen))
    broken = text.partition(". links-internal-broken (")[2].partition("\n## ")[0]
    outside = re.sub(rf"```text {re.escape(FROM_THE_SITE)}\n.*?\n```(?=\n|$)", "", text, flags=re.DOTALL)

    assert len(re.findall(r"^## \d+\. ", text, re.MULTILINE)) == len(made.problems)
    assert "\n## " not in nothing
    assert "https://www.example.com/gone" in broken
    assert "findable recheck report.json links-internal-broken\n" in broken
    assert "<script>" not in outside
    assert "```" not in outside
    assert "\x1b" not in text
    assert "\u202e" not in text
    named = structs.replace(made, url="https://www.example.com/a'; rm -rf ~; '")
    assert "'https://www.example.com/a%27; rm -rf ~; %27'" in document(FixesMarkdown(), [named]).decode()


def test_the_html_file_requests_nothing(made: CiSubject, unseen: CiSubject) -> None:
    class Tags(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.found: list[tuple[str, dict[str, str | None]]] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.found.append((tag, dict(attrs)))

    tags = Tags()
    text = document(HtmlReport(), [made, unseen]).decode()
    tags.feed(text)

    assert not {"script", "img", "link", "iframe", "object", "video", "base"} & {tag for tag, _ in tags.found}
    assert not [attributes for tag, attributes in tags.found if tag != "a" and {"src", "href", "style"} & set(attributes)]
    assert "url(" not in text.partition("</style>")[0]
    assert text.count("<details>") == len(made.problems)
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_place_is_found_in_the_file_that_the_page_is_made_of(tmp_path: Path) -> None:
    (tmp_path / "content/docs").mkdir(parents=True)
    (tmp_path / "content/docs/start.md").write_text('---\ntitle: Start\n---\n\n<a  href="/gone">gone</a>\n')
    (tmp_path / "content/index.html").write_text("<html>\n<head>\n</head>")
    (tmp_path / "secret").write_text("x")
    locate = SourceFiles([SourceRule("/docs/*", "content/docs/*"), SourceRule("/*", "content/*")], tmp_path)

    def found(url: str, line: int | None = None, snippet: str = "") -> tuple[str, int, bool]:
        position = locate(Place(url, line, None, snippet))
        return position.path, position.line, position.is_file

    assert found("https://a.example/docs/start", 40, '<a href="/gone">gone</a>') == ("content/docs/start.md", 5, True)
    assert found("https://a.example/docs/start", 40, "<p>made by the template</p>") == ("content/docs/start.md", 1, True)
    assert found("https://a.example/", 2, "<head> … </head>") == ("content/index.html", 2, True)
    assert found("https://a.example/other", 2, "<p>") == ("a.example/other", 2, False)
    for outside in ("https://a.example/docs/%2e%2e/%2e%2e/secret", "https://a.example/..%2f..%2fsecret", "https://a.example/" + "x" * 5000):
        assert not found(outside)[2]


def test_evidence_in_robots_txt_is_placed_there(made: CiSubject) -> None:
    finding = structs.replace(made.problems[0].finding, evidence=(Evidence("robots_txt", "Disallow: /", line=2),), evidence_count=1)
    report = structs.replace(analyse(capture(page())), findings=(finding,))
    (place,) = page_subject(report).problems[0].places

    assert (place.url, place.line) == ("https://www.example.com/robots.txt", 2)
