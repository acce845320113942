"""Signals of alert rules for the verdict of a site."""

import pytest

from findable.monitor.alert_rules import AlertRule
from findable.monitor.site_alert_conditions import signals_of_verdict
from findable.reports.search_verdict import SearchVerdict, VerdictCause, VerdictCode


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (VerdictCode.DEINDEXED, [(AlertRule.SITE_UNREACHABLE, "good"), (AlertRule.SITE_DEINDEXED, "bad")]),
        (VerdictCode.INDEXABLE, [(AlertRule.SITE_UNREACHABLE, "good"), (AlertRule.SITE_DEINDEXED, "good")]),
        (VerdictCode.EXPOSED, [(AlertRule.SITE_UNREACHABLE, "good"), (AlertRule.EXPOSED, "bad")]),
        (VerdictCode.NOT_FOR_SEARCH, [(AlertRule.EXPOSED, "good")]),
        (VerdictCode.UNREACHABLE, [(AlertRule.SITE_UNREACHABLE, "bad")]),
        (VerdictCode.NARROWER, []),
        (VerdictCode.BLOCKED_FOR_US, []),
    ],
)
def test_a_verdict_opens_and_closes_its_alert(code: VerdictCode, expected: list[tuple[AlertRule, str]]) -> None:
    found = list(signals_of_verdict(SearchVerdict(code, VerdictCause.NOINDEX, values={"problem": "timeout"})))
    assert [(one.rule, one.signal.value) for one in found] == expected


def test_only_a_site_that_cannot_be_reached_is_crawled_again() -> None:
    assert not AlertRule.SITE_DEINDEXED.terms.policy.confirm_after_s
    assert AlertRule.SITE_UNREACHABLE.terms.policy.confirm_after_s == (900,)
    assert not AlertRule.EXPOSED.terms.policy.confirm_after_s
