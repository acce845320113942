"""Bars of the categories of a report: their colour follows the points that findings cost."""

from msgspec import structs

from findable.reports.category_lines import NEUTRAL
from findable.reports.report import CategoryScore
from findable.vocabulary import Category
from findable.web.pages.report.category_meters import category_meters
from findable.wording import ENGLISH
from tests.service import samples


def test_a_bad_category_that_costs_no_points_is_not_red() -> None:
    scores = [("csp", Category.SECURITY, 0), ("image-alt", Category.IMAGES, 40), ("noindex", Category.INDEXABILITY, 40)]
    made = samples.report(49, {check: "failed" for check, _, _ in scores}, cap=49)
    lost = {"csp": 0.0, "image-alt": 3.0, "noindex": 0.0}  # the gate costs no points, and limits the score
    report = structs.replace(
        made,
        categories=tuple(CategoryScore(category, category.value, score, 1.0, 1, {"failed": 1}) for _, category, score in scores),
        findings=tuple(structs.replace(one, lost=lost[one.id]) for one in made.findings),
    )
    assert [one.rating for one in category_meters(report, (), "", ENGLISH)] == [NEUTRAL, "bad", "bad"]


def test_a_small_loss_is_not_red_and_a_large_one_is_coloured_even_with_few_checks() -> None:
    scores = [("sd-present", Category.STRUCTURED_DATA, 50), ("viewport", Category.MOBILE, 28)]
    made = samples.report(79, {check: "failed" for check, _, _ in scores})
    lost = {"sd-present": 1.5, "viewport": 6.0}
    report = structs.replace(
        made,
        categories=tuple(
            CategoryScore(category, category.value, score, 1.0, 1, {"failed": 1, "unknown": 9 * (check == "viewport")})
            for check, category, score in scores
        ),
        findings=tuple(structs.replace(one, lost=lost[one.id]) for one in made.findings),
    )
    assert [one.rating for one in category_meters(report, (), "", ENGLISH)][:2] == ["decent", "bad"]


def test_a_full_score_is_green_only_if_most_checks_were_measured() -> None:
    counts = {Category.ACCESSIBILITY: (2, 1), Category.CONTENT: (9, 3), Category.AI: (2, 0), Category.MOBILE: (3, 4)}
    report = structs.replace(
        samples.report(100, {}),
        categories=tuple(
            CategoryScore(category, category.value, 100, 1.0, done, {"passed": done, "unknown": left})
            for category, (done, left) in counts.items()
        ),
    )
    shown = [one.rating for one in category_meters(report, (), "", ENGLISH)]
    assert shown[: len(counts)] == [NEUTRAL, "good", "good", NEUTRAL]
