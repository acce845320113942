"""Code that removes or replaces robots rules."""

import pytest

from findable.artifacts.page.robots_directives import TEXT_CHARS, rules_of_header
from findable.checks.robots_rule_fix import rule_fixes
from tests.checks.harness import finding, page


@pytest.mark.parametrize(
    ("sent", "removed", "left"),
    [
        ("noindex", "noindex", "all"),
        ("index, noindex, nofollow, nofollow", "noindex", "index, nofollow"),
        ("googlebot: noindex", "noindex", "all"),
        ("googlebot: noindex, nofollow", "noindex", "googlebot: nofollow"),
        ("googlebot: noindex, otherbot: nofollow", "noindex", "otherbot: nofollow"),
        ("nosnippet, googlebot: noindex, *: noarchive", "noindex", "nosnippet, noarchive"),
        ("googlebot: noindex, nofollow, *: noarchive", "noindex", "googlebot: nofollow, *: noarchive"),
        ("unavailable_after: Mon, 01 Jan 2029 00:00:00 GMT, noindex", "noindex", "unavailable_after: Mon, 01 Jan 2029 00:00:00 GMT"),
        ("max-image-preview:none, none", "none", "max-image-preview:none, nofollow"),
        ("max-snippet:0, nosnippet", "max-snippet", "nosnippet"),
    ],
)
def test_header_without_a_rule_stays_valid(sent: str, removed: str, left: str) -> None:
    rules = [rule for rule in rules_of_header(sent) if rule.name == removed]
    fixes = [fix.code for fix in rule_fixes(rules, other_of_none="nofollow") if fix]
    assert fixes == [f"X-Robots-Tag: {left}"]


def test_rule_of_one_crawler_is_removed_and_that_of_another_stays() -> None:
    rules = [rule for rule in rules_of_header("bingbot: noindex, googlebot: noindex, nofollow") if rule.agent == "googlebot"]
    assert [fix.code for fix in rule_fixes(rules[:1]) if fix] == ["X-Robots-Tag: bingbot: noindex, googlebot: nofollow"]


def test_cut_header_has_no_fix() -> None:
    assert list(rule_fixes(list(rules_of_header(f"noindex, {'x' * TEXT_CHARS}"))[:1])) == [None]


@pytest.mark.parametrize(("check", "left"), [("noindex", "nofollow"), ("nofollow-page", "noindex")])
def test_none_leaves_what_the_finding_is_not_about(check: str, left: str) -> None:
    fixes = finding(check, page(head='<title>x</title><meta name="robots" content="none">')).fixes
    assert [fix.code for fix in fixes] == [f'<meta name="robots" content="{left}">']


def test_replacement_takes_the_place_of_a_rule() -> None:
    head = '<title>x</title><meta property="og:type" content="article"><meta name="robots" content="max-image-preview:none, index">'
    fixes = finding("max-image-preview", page(head=head)).fixes
    assert [fix.code for fix in fixes] == ['<meta name="robots" content="max-image-preview:large, index">']
