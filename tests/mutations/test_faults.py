"""One fault in a sound page changes the report by exactly the declared finding and its dependents; rewrites change nothing."""

import random

import pytest

from findable.checks.engine import runnable_checks
from findable.reports.analysis import analyse
from findable.vocabulary import FETCHED, Importance, Stage
from tests.mutations import faults
from tests.mutations.fault import Fault
from tests.mutations.judging import harmed, judged, surprises, unharmed, verdicts
from tests.mutations.twins import SHIFTING, TWINS, Keywords, Rewrite, entities
from tests.mutations.world import FOLDER, NAMES, captured, site
from tests.tiers import FULL

FAULTS = list(faults.FAULTS.values())
GOOD = 95
REWRITTEN_PAGES = 2
"""So many faulty pages of each fault are rewritten, drawn by the fault's name. `make test` judges these alone, `make test-full` all ten."""


@pytest.mark.parametrize("name", NAMES)
def test_a_sound_page_is_good_and_no_check_finds_anything(name: str) -> None:
    page = site(name)
    report = analyse(captured(page.html, page.keywords))

    found = {check: result.finding for check, result in unharmed(name).items()}
    assert found.pop("raw-vs-rendered").verdict == "unknown"  # without a browser

    assert {check: item.message for check, item in found.items() if item.verdict in ("warned", "failed", "unknown")} == {}
    assert report.score is not None
    assert report.score >= GOOD
    assert 6_000 <= (FOLDER / f"{name}.html").stat().st_size <= 20_000


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name.replace(" ", "-"))
def test_a_fault_is_found_and_nothing_else(fault: Fault) -> None:
    chance = random.Random(fault.name)
    rewritten = chance.sample(fault.pages, min(REWRITTEN_PAGES, len(fault.pages)))

    for name in fault.pages if FULL else rewritten:
        draft = harmed(fault, name)
        after = judged(draft.body, draft.keywords)
        assert surprises(fault, unharmed(name), after) == {}, name
        if name in rewritten:
            html: str = draft.html
            keywords: Keywords = draft.keywords
            for twin in chance.sample(TWINS, len(TWINS)):
                html, keywords = twin(html, keywords, chance)
            draft.html = html
            assert verdicts(judged(draft.body, keywords)) == verdicts(after), name


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.__name__)
def test_a_rewrite_changes_nothing(twin: Rewrite, name: str) -> None:
    page = site(name)
    html, keywords = twin(page.html, page.keywords, random.Random(f"{twin.__name__} {name}"))
    assert (html, keywords) != (page.html, page.keywords) or twin is entities  # a page may have no such letters

    after = judged(html, keywords)

    assert verdicts(after) == verdicts(unharmed(name))
    if twin in SHIFTING:
        assert {result.key for result in after.values()} == {result.key for result in unharmed(name).values()}


def test_there_are_faults_enough_and_every_stable_check_has_one() -> None:
    everywhere = [fault for fault in FAULTS if fault.pages == NAMES]
    found = {name for fault in FAULTS for name in (*fault.finds, *fault.notes)}
    failed = {name for fault in FAULTS for name, verdict in fault.finds.items() if verdict == "failed"}
    asked = runnable_checks(FETCHED)
    owed = {check.id: check for check in asked if check.stage is not Stage.PREVIEW}
    previews = {check.id for check in asked} - set(owed)
    high = {check.id for check in owed.values() if check.importance is Importance.HIGH}

    assert len(everywhere) >= 60
    assert found - previews == set(owed)
    assert found & previews == {"sd-values"}
    # These fail only where a browser was used, and on a page with fewer words than these pages have around their main content.
    assert high - failed == {"raw-vs-rendered", "content-length"}
