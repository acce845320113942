"""Pairs for readers have no scores, and answers are compared with the scores."""

import csv
from pathlib import Path

import pytest

from research import pairs
from research.harm import pages


def test_a_sheet_tells_no_scores_and_answers_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    none = tmp_path / "none"
    none.mkdir()
    pairs.main(["draw", str(none), str(tmp_path / "out"), "--pairs", "20", "--seed", "3"])
    sheet = tmp_path / "out" / "reader"
    rows = list(csv.DictReader((sheet / "pairs.csv").read_text(encoding="utf-8").splitlines()))
    told = "".join(path.read_text(encoding="utf-8") for path in sheet.rglob("*.txt"))

    assert len(rows) == 20
    assert "score" not in told
    assert "https://" not in told
    for reader in ("one.csv", "two.csv"):
        answers = "pair,better\n" + "".join(f"{row['pair']},A\n" for row in rows)
        (tmp_path / reader).write_text(answers, encoding="utf-8")
    pairs.main(["compare", str(none), str(tmp_path / "out"), str(tmp_path / "one.csv"), str(tmp_path / "two.csv")])

    assert "20 pairs, readers agree on 20" in capsys.readouterr().out


def test_one_seed_draws_the_same_pairs_of_every_stratum() -> None:
    found = {"a": 99, "b": 97, "c": 90, "d": 79, "made-up/e": 49}
    drawn = pairs.draw(found, 8, 1)

    assert drawn == pairs.draw(found, 8, 1)
    assert len({frozenset(pair) for pair in drawn}) == 8
    assert all(found[a] != found[b] for a, b in drawn)


def test_disagreement_is_listed_with_both_scores() -> None:
    lines = pairs.compare({"a": 90, "b": 80}, {"1": ("a", "b"), "2": ("b", "a")}, [{"1": "A", "2": "A"}, {"1": "A", "2": "A"}])

    assert lines[1] == "the score agrees in 1 of 2: 50.0%"
    assert lines[2] == "pair 2: readers A; A 80 b, B 90 a"


def test_made_up_pages_are_there() -> None:
    assert len(dict(pages(None))) >= 20
