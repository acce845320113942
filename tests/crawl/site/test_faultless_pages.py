"""Pages without a fault of a check."""

import pytest

from findable.crawl.site.faultless_pages import is_without_fault
from findable.vocabulary import Verdict

CHECK, PARENT = "snippet-eligible", "noindex"


@pytest.mark.parametrize("verdict", [Verdict.PASSED, Verdict.INFO])
def test_a_page_that_passed_has_no_fault(verdict: Verdict) -> None:
    assert is_without_fault(CHECK, {CHECK: verdict}, is_indexable=False)


@pytest.mark.parametrize("verdict", [Verdict.FAILED, Verdict.WARNED, Verdict.UNKNOWN])
def test_a_page_with_a_fault_or_an_unknown_verdict_is_not_free_of_it(verdict: Verdict) -> None:
    assert not is_without_fault(CHECK, {CHECK: verdict}, is_indexable=True)
    assert not is_without_fault(CHECK, {}, is_indexable=True)


def test_a_page_without_subject_has_no_fault_if_nothing_else_prevented_the_check() -> None:
    inapplicable = {CHECK: Verdict.INAPPLICABLE}

    assert is_without_fault(CHECK, inapplicable, is_indexable=True)
    assert not is_without_fault(CHECK, inapplicable, is_indexable=False)
    assert not is_without_fault(CHECK, {**inapplicable, PARENT: Verdict.FAILED}, is_indexable=True)
