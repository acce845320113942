"""Terms: what counts as one, where it stands, and in which languages."""

import time

import pytest

from findable.artifacts.page.keywords import Keywords
from findable.artifacts.page.word_stems import same_stem
from findable.artifacts.registry import Absent
from findable.vocabulary import Verdict
from tests.checks.harness import artifacts, page

TEXT = (
    "The brass lantern is made in Wales. A brass lantern burns for ten hours, and the brass lantern never rusts. "
    "Yahoo's lantern is another thing: buy it in 2024, 2024 or 2024. "
) * 3


def keywords(text: str, lang: str = "en", head: str = "<title>Brass lanterns</title>") -> Keywords:
    found = artifacts(page(f"<main><h1>Lantern</h1><p>{text}</p></main>", head=head, lang=lang)).get_or_none(Keywords)
    assert found is not None
    return found


def test_single_words_pairs_and_triples() -> None:
    found = keywords(TEXT)

    assert (found.single[0].text, found.single[0].count) == ("lantern", 13)
    assert (found.pairs[0].text, found.pairs[0].count) == ("brass lantern", 9)
    assert "the" not in {term.text for term in found.single}
    assert "2024" not in {term.text for term in found.single}
    assert "yahoo" in {term.text for term in found.single}


def test_no_term_crosses_the_end_of_a_sentence() -> None:
    found = keywords("We sell widgets. Lanterns are old. " * 5)

    assert "widgets lanterns" not in {term.text for term in found.pairs}


def test_places_are_compared_by_stem() -> None:
    lantern = keywords(TEXT).single[0]

    assert (lantern.in_title, lantern.in_heading, lantern.in_description, lantern.in_url, lantern.in_alt) == (
        True,
        True,
        False,
        False,
        False,
    )


def test_french_articles_are_no_part_of_a_word() -> None:
    found = keywords("L’huile d’olive est bonne. L'huile d'olive vient de Provence. Avec l’huile d’olive on cuisine bien. " * 5, "fr")

    assert {"huile", "olive"} <= {term.text for term in found.single}


def test_chinese_and_japanese_terms_have_no_spaces() -> None:
    assert "部件" in "".join(term.text for term in keywords("我们的手工小部件质量很好。小部件的价格也便宜。" * 10, "zh").single)
    assert "部品" in {term.text for term in keywords("青い部品を作ります。部品の質がよいです。" * 10, "ja").single}


def test_an_unknown_language_has_none() -> None:
    found = artifacts(page("<p>" + "Vi säljer blå cyklar i Stockholm. " * 40 + "</p>", lang="sv")).get(Keywords)

    assert isinstance(found, Absent)
    assert found.verdict is Verdict.INAPPLICABLE


@pytest.mark.parametrize(
    ("one", "other", "same"), [("shoe", "shoes", True), ("cat", "cats", False), ("rad", "rad", True), ("gene", "generations", False)]
)
def test_stems(one: str, other: str, same: bool) -> None:
    assert same_stem(one, other) is same
    assert same_stem(other, one) is same


@pytest.mark.parametrize("text", ["word " * 200_000, "部" * 500_000, "a-b " * 200_000, "x " * 200_000, "'" * 500_000])
def test_s30_counting_is_bounded(text: str) -> None:
    found = artifacts(page(f"<main><p>{text}</p></main>", lang="zh" if "部" in text else "en"))
    start = time.process_time()
    found.get(Keywords)

    assert time.process_time() - start < 6
