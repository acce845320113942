"""Scores are compared with those of two raters."""

import json
from pathlib import Path

import pytest
from msgspec import structs

from findable.checks.engine import all_checks
from findable.reports.scoring import Costs, row_of
from findable.vocabulary import Verdict
from research import rating
from research.rating import Case, Rated, agreement

GOOD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Blue widgets, made to measure</title>'
    '<meta name="viewport" content="width=device-width"></head><body><main><h1>Blue widgets</h1><p>{text}</p></main></body></html>'
)
HEADER = "name,url,a_score,a_rating,a_faults,b_score,b_rating,b_faults\n"


def _case(name: str, a: int, b: int, words: tuple[str, str] = ("decent", "decent")) -> Case:
    return Case(name, f"https://{name}.example/", (Rated(a, words[0]), Rated(b, words[1])), ("", ""))


def test_only_pairs_on_which_both_raters_are_decided_count() -> None:
    cases = [_case("one", 90, 88), _case("two", 80, 80), _case("three", 60, 79), _case("four", 20, 10)]
    found = {"one": Rated(70, "decent"), "two": Rated(80, "decent"), "three": Rated(70, "decent"), "four": Rated(5, "bad")}

    part = agreement(cases, found)

    # One and two, two and three: a rater is less than 8 points apart. One and three are tied, one and two in the wrong order.
    assert part.decided_pairs == 5
    assert part.right == pytest.approx(3 / 5)
    assert part.wrong == pytest.approx(1 / 5)
    assert part.tied == pytest.approx(1 / 5)
    assert part.commonest == (70, 0.5)


def test_ratings_are_compared_with_either_rater() -> None:
    cases = [_case("one", 90, 70, ("good", "decent")), _case("two", 90, 90, ("good", "good")), _case("three", 30, 30, ("bad", "decent"))]
    found = {"one": Rated(75, "decent"), "two": Rated(20, "bad"), "three": Rated(90, "good")}

    part = agreement(cases, found)

    assert part.same_rating == pytest.approx(1 / 3)
    assert part.opposite == ("two", "three")
    assert part.bad_though_good == ("two",)
    assert part.good == pytest.approx(1 / 3)
    assert part.good_of_raters == (pytest.approx(2 / 3), pytest.approx(1 / 3))


def test_pages_without_a_score_are_named_and_not_compared() -> None:
    cases = [_case("one", 90, 90), _case("two", 10, 10, ("bad", "bad")), _case("three", 50, 50)]
    found = {"one": Rated(90, "good"), "two": Rated(None, ""), "three": Rated(50, "decent")}

    part = agreement(cases, found)

    assert part.unrated == ("two",)
    assert part.decided_pairs == 1
    assert part.right == 1


def test_a_third_of_pages_is_held_back_by_its_name_alone() -> None:
    cases = [_case(f"{number:03}", 50, 50) for number in range(90)]
    parts = {name: part for name, part, _ in rating.parts_of("pages", cases)}

    assert {case.name for case in parts["fitted pages"]}.isdisjoint(case.name for case in parts["held-back pages"])
    assert len(parts["fitted pages"]) + len(parts["held-back pages"]) == 90
    assert 20 <= len(parts["held-back pages"]) <= 40


def test_pages_far_from_the_raters_are_listed_with_their_costs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pages").mkdir()
    good = GOOD.format(text="We make blue widgets to measure. " * 40)
    (tmp_path / "pages" / "good.html").write_text(good, encoding="utf-8")
    (tmp_path / "pages" / "hidden.html").write_text(
        good.replace("<title>", '<meta name="robots" content="noindex"><title>'), encoding="utf-8"
    )
    sheet = tmp_path / "sheet.csv"
    rows = ("good,https://www.example.com/good,75,decent,,70,decent,", "hidden,https://www.example.com/hidden,95,good,,95,good,none seen")
    sheet.write_text(HEADER + "\n".join(rows) + "\n", encoding="utf-8")

    rating.main([str(tmp_path), "--sheet", str(sheet), "--worst", "5"])

    told = capsys.readouterr().out
    assert "all pages: 2" in told
    assert "good against bad: hidden" in told
    assert "none seen" in told
    assert "noindex" in told.partition("hidden -")[2]
    assert "\ngood " not in told


def test_a_site_is_crawled_at_its_own_origin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = tmp_path / "sites" / "widgets"
    (site / "files").mkdir(parents=True)
    page = GOOD.format(text="We make blue widgets to measure. " * 20 + '<a href="/old">Old</a> <a href="/missing">Missing</a>')
    (site / "files" / "0.html").write_text(page, encoding="utf-8")
    pages = {"/": {"status": 200, "type": "text/html", "file": "0.html"}, "/old": {"status": 301, "location": "/"}}
    meta = {"host": "https://widgets.example", "start": "/", "pages": pages}
    (site / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(f"{HEADER}widgets,https://widgets.example/,80,good,,70,decent,\n", encoding="utf-8")

    rating.main([str(tmp_path), "--sites", "--sheet", str(sheet), "--format", "json"])

    found = json.loads(capsys.readouterr().out)
    assert found["ratings"]["widgets"]["score"] is not None
    assert any("site-links-broken" in name for name, _ in found["ratings"]["widgets"]["costs"])
    assert found["parts"]["all sites"]["count"] == 1


def test_each_pair_of_sites_is_ordered_by_numbers_fitted_to_the_others() -> None:
    viewport, broken = (row_of(all_checks()[name], Verdict.FAILED) for name in ("viewport", "site-links-broken"))
    shares = {"clean": 0, "one": 1_000, "some": 4_000, "all": 10_000}
    rows = {name: tuple(structs.replace(row, share=share) for row in (viewport, broken)) for name, share in shares.items()}
    cases = [_case(name, value, value) for name, value in (("clean", 95), ("one", 85), ("some", 75), ("all", 60))]
    found = {name: Rated(rating.Numbers().score(rows[name]), "decent", rows=rows[name]) for name in shares}

    assert rating.refitted(cases, found) == {"right": 6}
    assert rating.Numbers(everywhere=160).score(rows["all"]) < rating.Numbers().score(rows["all"])
    assert rating.Numbers(linear=50).score(rows["some"]) > rating.Numbers().score(rows["some"])
    assert rating.Numbers(site_checks=75).score(rows["all"]) > rating.Numbers().score(rows["all"])
    assert {rating.Numbers().score(own) for own in rows.values()} == {Costs(own).score for own in rows.values()}


def test_sites_that_the_folder_lacks_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rating.main([str(tmp_path), "--sites"])

    assert "all sites: 0" in capsys.readouterr().out
