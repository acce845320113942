"""Rules of the checks that only a browser can answer, on values that it would give."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from findable.artifacts.browser.browser_requests import BrowserRequests
from findable.artifacts.browser.vitals import Vitals
from findable.artifacts.html.document import Document
from findable.artifacts.page.images import Images
from findable.artifacts.registry import Absent
from findable.artifacts.responses.assets import Assets
from findable.checks.engine import Finding, all_checks, runnable_checks
from findable.checks.images.image_loading import image_loading
from findable.checks.images.image_responsive import image_responsive
from findable.checks.performance.cls import cls
from findable.checks.performance.fcp import fcp
from findable.checks.performance.lcp import lcp
from findable.checks.performance.tbt import tbt
from findable.vocabulary import FETCHED
from tests.checks.harness import artifacts, page

QUICK = Vitals(lab_lcp_ms=1000.0, lab_lcp_selector="img", lab_cls=0.0, lab_tbt_ms=0.0, lab_fcp_ms=500.0)


@pytest.mark.parametrize(
    ("check", "field", "values"),
    [
        (lcp, "lab_lcp_ms", {2500.0: "passed", 2501.0: "warned", 4001.0: "failed"}),
        (cls, "lab_cls", {0.1: "passed", 0.11: "warned", 0.26: "failed"}),
        (tbt, "lab_tbt_ms", {200.0: "passed", 201.0: "warned", 601.0: "failed"}),
        (fcp, "lab_fcp_ms", {1800.0: "passed", 1801.0: "warned", 3001.0: "failed"}),
    ],
)
def test_lab_values_are_judged_by_their_limits(check: Callable[[Vitals], Finding], field: str, values: dict[float, str]) -> None:
    for value, expected in values.items():
        changed: dict[str, Any] = {field: value}
        assert check(replace(QUICK, **changed)).verdict.value == expected


@pytest.mark.parametrize(
    ("waste", "expected"), [((), "passed"), ((12_287,), "passed"), ((12_288,), "warned"), ((300_000, 300_000), "failed")]
)
def test_waste_of_pictures(waste: tuple[int, ...], expected: str) -> None:
    images = tuple((f"https://www.example.com/{index}.jpg", size) for index, size in enumerate(waste))

    assert image_responsive(BrowserRequests((), images)).verdict.value == expected


def test_a_lazy_picture_that_is_the_largest_paint_fails() -> None:
    seen = artifacts(page('<img src="hero.jpg" loading="lazy" width="800" height="600">'))
    document, images, assets = seen.get(Document), seen.get(Images), seen.get(Assets)
    assert not isinstance(document, Absent)
    assert not isinstance(images, Absent)
    assert not isinstance(assets, Absent)
    largest = replace(QUICK, lab_lcp_selector=images.imgs[0].element.selector)

    assert image_loading(document, images, assets, largest, None).verdict.value == "failed"
    assert image_loading(document, images, assets, QUICK, None).verdict.value == "passed"


def test_lab_checks_are_not_asked_without_a_browser() -> None:
    static = {check.id for check in runnable_checks(FETCHED)}

    assert {"lcp", "cls", "tbt", "fcp", "image-responsive"} & static == set()
    assert {"lcp", "cls", "tbt", "fcp", "image-responsive"} <= set(all_checks())
