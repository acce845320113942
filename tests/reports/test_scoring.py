"""The formula of the score: costs of checks, how they add up, limits, shares and coverage."""

from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from findable.checks.engine import all_checks
from findable.reports.analysis import analyse
from findable.reports.projection import Projection, score_parts
from findable.reports.scoring import (
    CATEGORY_COSTS,
    DECENT_FROM,
    GOOD_FROM,
    LOWEST,
    SMALL_TOP,
    TENTHS,
    WHOLE,
    Costs,
    Group,
    Row,
    Score,
    category_row_of,
    cost_of,
    limit_of,
    next_threshold,
    rating_of,
    row_of,
)
from findable.vocabulary import Fault, Importance, PageKind, Rating, Verdict
from tests.checks.harness import capture, page

P, W, F = Verdict.PASSED, Verdict.WARNED, Verdict.FAILED
CHECKS = all_checks()
PASSING = tuple(row_of(CHECKS[name], P) for name in ("title-present", "viewport", "meta-description", "h1-present", "image-alt"))


@dataclass(frozen=True)
class Fall:
    """A fault of a page, with the least and the most that four raters charge for it alone, in points."""

    check: str
    verdict: Verdict
    fault: str
    low: float
    high: float


FALLS = (
    Fall("title-present", F, "", 25, 30),
    Fall("title-quality", W, Fault.GENERIC_TITLE, 12, 20),
    Fall("title-quality", W, Fault.BRAND_TITLE, 10, 14),
    Fall("title-quality", W, Fault.BRIEF_TITLE, 4, 13),
    Fall("title-quality", W, Fault.STUFFED_TITLE, 3, 6),
    Fall("title-length", W, Fault.FAR_TOO_LONG, 3, 5),
    Fall("raw-vs-rendered", F, "", 40, 55),
    Fall("meta-description", W, "", 8, 12),
    Fall("meta-description", W, Fault.REPEATED_TITLE, 4, 13),
    Fall("meta-description-length", W, "", 1, 5),
    Fall("content-length", W, Fault.SHORT_TEXT, 6, 22),
    Fall("h1-present", W, "", 6, 12),
    Fall("h1-present", W, Fault.WRONG_HEADING, 4, 8),
    Fall("canonical-valid", W, Fault.CANONICAL_MISSING, 3, 9),
    Fall("canonical-valid", W, Fault.CANONICAL_MISSING_VARIANT, 6, 10),
    Fall("canonical-valid", W, Fault.WORSE_CANONICAL, 7, 8),
    Fall("viewport", F, "", 14, 17),
    Fall("html-lang", W, "", 2, 6),
    Fall("language-match", W, "", 4, 5),
    Fall("og-basic", W, "", 3, 4),
    Fall("head-valid", F, Fault.CANONICAL_IN_BODY, 8, 25),
    Fall("nofollow-page", W, "", 6, 9),
    Fall("sd-present", W, "", 5, 10),
    Fall("sd-present", W, Fault.NEEDED_DATA_MISSING, 12, 15),
    Fall("html-deprecated", W, "", 1, 2),
)


def row(name: str, cost: int = 0, verdict: Verdict = F, *, group: Group | None = None, limit: int = 100, share: int = WHOLE) -> Row:
    known = group or (Group.SERIOUS if cost >= 40 else Group.SMALL)
    return Row(name, verdict, cost, limit, known, max(cost, 1), share)


def score_of(*rows: Row) -> int:
    return Costs(rows).score


@pytest.mark.parametrize("one", FALLS, ids=lambda one: f"{one.check}-{one.fault or one.verdict.value}")
def test_a_fault_alone_costs_what_raters_charge(one: Fall) -> None:
    found = row_of(CHECKS[one.check], one.verdict, one.fault)

    assert one.low <= found.cost / TENTHS <= one.high
    assert score_of(*PASSING, found) == 100 - -(-found.cost // TENTHS)


@pytest.mark.parametrize(
    "name", ["bot-wall", "canonical-self", "noindex", "robots-txt-allows", "soft-404", "tls-certificate", "http-status"], ids=str
)
def test_a_page_that_cannot_be_found_has_at_most_15(name: str) -> None:
    failed = row_of(CHECKS[name], F)
    score = Score((*PASSING, failed))

    assert failed.limit <= 15 < LOWEST
    assert score.score == failed.limit
    assert score.effective_cap is not None
    assert score.effective_cap.checks == (name,)
    assert limit_of(CHECKS[name], W) == limit_of(CHECKS[name], P) == 100


def test_a_page_that_only_refreshes_limits_and_a_temporary_redirect_does_not() -> None:
    check = CHECKS["redirect-kind"]
    assert score_of(row_of(check, W, Fault.REFRESH)) == 15
    assert score_of(row_of(check, W)) == 99


def test_a_cookie_loop_limits_and_a_long_redirect_chain_does_not() -> None:
    check = CHECKS["redirect-chain"]
    assert score_of(row_of(check, F, Fault.COOKIE_LOOP)) == 15
    assert score_of(row_of(check, F)) == 96


def test_what_passes_or_is_not_known_costs_nothing() -> None:
    others = (Verdict.PASSED, Verdict.UNKNOWN, Verdict.INAPPLICABLE, Verdict.INFO)
    assert score_of(*(row_of(check, verdict) for check in CHECKS.values() for verdict in others)) == 100


def test_more_checks_that_pass_do_not_dilute_a_fault() -> None:
    fault = row_of(CHECKS["meta-description"], W)
    assert score_of(fault) == score_of(fault, *(row_of(check, P) for check in CHECKS.values())) == 89


def test_checks_outside_the_score_count_in_their_category() -> None:
    names = ("csp", "hsts", "clickjacking", "favicon", "lcp", "twitter-card")
    assert score_of(*(row_of(CHECKS[name], F) for name in names)) == 100
    assert score_of(category_row_of(CHECKS["csp"], W)) == 100 - CATEGORY_COSTS[Importance.LOW][W] // TENTHS


def test_a_preview_check_costs_nothing() -> None:
    preview = structs.replace(CHECKS["viewport"], importance=Importance.INFO)
    assert (cost_of(preview, F), limit_of(preview, F)) == (0, 100)


def test_a_check_without_declared_costs_costs_what_its_importance_says() -> None:
    plain = structs.replace(CHECKS["viewport"], costs=None)
    assert [cost_of(plain, verdict) for verdict in (F, W, P)] == [80, 40, 0]


def test_the_share_of_the_elements_scales_the_cost() -> None:
    check = CHECKS["image-alt"]
    assert [row_of(check, F, "", percent).cost for percent in (100, 50, 1)] == [50, 25, 0]


KIND_PAGES = {
    PageKind.UNKNOWN: ("/blue", ""),
    PageKind.LISTING: (
        "/blue",
        '<script type="application/ld+json">{"@context":"https://schema.org","@type":"CollectionPage","name":"Blue"}</script>',
    ),
    PageKind.FORM: ("/contact", ""),
    PageKind.PHOTO: ("/photos/blue", ""),
    PageKind.DOCUMENTATION: ("/blue", '<meta name="generator" content="Sphinx 7.2">'),
}
FORM = "<form><input name=a><input name=b><textarea name=c></textarea></form>"
COST_BY_KIND = [
    ("content-length", PageKind.UNKNOWN, 200),
    ("content-length", PageKind.LISTING, 80),
    ("content-length", PageKind.FORM, 40),
    ("content-length", PageKind.PHOTO, 40),
    ("h1-present", PageKind.UNKNOWN, 90),
    ("h1-present", PageKind.FORM, 36),
    ("sd-present", PageKind.UNKNOWN, 80),
    ("sd-present", PageKind.DOCUMENTATION, 32),
    ("sd-present", PageKind.FORM, 8),
]


@pytest.mark.parametrize(("check", "kind", "cost"), COST_BY_KIND)
def test_a_fault_costs_less_on_kinds_of_pages_that_it_harms_less(check: str, kind: PageKind, cost: int) -> None:
    path, head = KIND_PAGES[kind]
    html = page(
        f"<main><img src=/a.jpg alt=a><p>{'Blue widgets of all sizes. ' * 3}</p>{FORM if kind is PageKind.FORM else ''}</main>", head
    )
    report = analyse(capture(html, url=f"https://www.example.com{path}"))
    found = report.finding(check)

    assert found is not None
    assert (report.kind, found.verdict, found.fault) == (kind, W, "")
    assert row_of(CHECKS[check], found.verdict, found.fault, found.share_percent).cost == cost
    assert found.lost == cost / TENTHS


def test_a_correctly_canonicalised_variant_has_the_score_of_the_page() -> None:
    url = "https://www.example.com/blue"
    html = page("<main><h1>Blue</h1></main>", f'<title>Blue widgets</title><link rel="canonical" href="{url}">')
    scores = {
        more: analyse(capture(html, url=url + more)).score
        for more in ("", ";jsessionid=FD52A3B1C4D5E6F7", "?utm_source=mail", "?PHPSESSID=5f3c1a9b")
    }

    assert set(scores.values()) == {scores[""]}


def test_no_kind_of_page_raises_a_cost() -> None:
    for check in CHECKS.values():
        assert all(0 < percent < 100 for percent in check.kind_percents.values()), check.id


def test_all_cosmetics_together_cost_no_more_than_their_limit() -> None:
    small = [row(f"small-{number}", 30) for number in range(100)]
    assert score_of(*small[:2]) == 94
    assert 100 - SMALL_TOP // TENTHS <= score_of(*small) < 90


def test_serious_faults_add_up() -> None:
    assert score_of(row("a", 100), row("b", 60), row("c", 45)) == 79


def test_no_description_viewport_and_heading_is_bad_with_a_neglected_rest() -> None:
    faults = [("meta-description", W), ("viewport", F), ("h1-present", W), ("canonical-valid", W), ("og-basic", W), ("sd-present", W)]
    found = score_of(*(row_of(CHECKS[name], verdict, Fault.CANONICAL_MISSING if "canonical" in name else "") for name, verdict in faults))
    assert 45 <= found <= DECENT_FROM


def test_a_page_that_can_be_found_stays_above_one_that_cannot() -> None:
    worst = score_of(*(row(f"fault-{number}", 300) for number in range(50)))
    assert worst == LOWEST > score_of(row("noindex", 850, limit=15))


@pytest.mark.parametrize(
    ("score", "rating"),
    [
        (100, Rating.GOOD),
        (GOOD_FROM, Rating.GOOD),
        (GOOD_FROM - 1, Rating.DECENT),
        (DECENT_FROM, Rating.DECENT),
        (DECENT_FROM - 1, Rating.BAD),
    ],
)
def test_rating(score: int, rating: Rating) -> None:
    assert rating_of(score) is rating
    assert next_threshold(score) == {Rating.GOOD: None, Rating.DECENT: GOOD_FROM, Rating.BAD: DECENT_FROM}[rating]


def test_nothing_judged_is_no_rating() -> None:
    score = Score((row("a", verdict=Verdict.UNKNOWN), row("b", verdict=Verdict.INAPPLICABLE)))

    assert (score.score, score.rating, score.coverage) == (None, None, 0)
    assert Score(()).score is None


def test_unknown_lowers_coverage_by_the_weight_of_the_check() -> None:
    score = Score((Row("a", P, weight=60), Row("b", Verdict.UNKNOWN, weight=40), Row("c", Verdict.INAPPLICABLE, weight=900)))

    assert (score.coverage, score.provisional, score.score) == (0.6, True, 100)


def test_less_than_half_measured_is_no_rating_unless_the_page_cannot_be_found() -> None:
    unknown = Row("b", Verdict.UNKNOWN, weight=60)

    assert Score((Row("a", P, weight=59), unknown)).score is None
    assert Score((Row("a", P, weight=60), unknown)).score == 100
    assert Score((Row("noindex", F, 850, 15, weight=10), unknown)).rating is Rating.BAD


def test_a_fault_everywhere_costs_more_than_its_share_elsewhere() -> None:
    def lost(share: int) -> int:
        return Costs([row("a", 200, share=share)]).total

    assert lost(WHOLE) == 200 * WHOLE
    assert 4 * lost(WHOLE // 4) < 2 * lost(WHOLE // 2) < lost(WHOLE)
    assert lost(WHOLE // 100) > 0


def test_causes_of_one_check_cost_no_more_than_the_check_on_all_pages() -> None:
    parts = [row("a", 200, share=WHOLE * part // 10) for part in (7, 3, 5)]
    assert Costs(parts[:2]).total == Costs(parts).total == Costs([row("a", 200)]).total


def test_a_limit_of_nearly_all_pages_is_that_of_the_site() -> None:
    def limited(percent: int) -> int:
        return score_of(row("soft-404", 850, limit=15, share=WHOLE * percent // 100))

    assert limited(100) == limited(90) == 15
    assert 15 <= limited(89) <= limited(50) <= limited(1) < 100


FAULTY = st.builds(
    Row,
    st.sampled_from([f"check-{number}" for number in range(12)]),
    st.sampled_from(Verdict),
    st.integers(0, 600),
    st.sampled_from([100] * 8 + [0, 15]),
    st.sampled_from(Group),
    st.integers(0, 200),
    st.one_of(st.just(WHOLE), st.integers(0, WHOLE)),
)


@st.composite
def keyed_rows(draw: st.DrawFn) -> list[Row]:
    """Rows of a site; several may be of one check."""
    return [structs.replace(one, key=f"{one.id}:{number}") for number, one in enumerate(draw(st.lists(FAULTY, max_size=25)))]


@settings(max_examples=100, deadline=None)
@given(keyed_rows(), st.randoms())
def test_gains_add_up_to_what_is_missing_from_100_and_none_is_negative(rows: list[Row], random: Random) -> None:
    projection = Projection(rows)
    score = Costs(rows).score
    for order in (projection.in_order(str), random.sample(sorted(projection.rows), len(projection.rows))):
        found = projection.gains(order)

        assert all(gain >= 0 and alone >= 0 for gain, alone in found.values())
        assert score + sum(gain for gain, _ in found.values()) == 100
        parts = score_parts((projection.rows[name].id, name, gain) for name, (gain, _) in found.items())
        assert (parts[-1].left if parts else 100) == score
        assert all(alone == projection.after((name,)) - score for name, (_, alone) in found.items())


@settings(max_examples=100, deadline=None)
@given(keyed_rows(), st.randoms())
def test_the_score_depends_on_no_order_and_falls_with_each_fault(rows: list[Row], random: Random) -> None:
    score = Costs(rows).score

    assert 0 <= score <= 100
    assert Costs(random.sample(rows, len(rows))).score == score
    worse = structs.replace(row("another", 100), share=WHOLE // 3)
    assert Costs([*rows, worse]).score <= score
