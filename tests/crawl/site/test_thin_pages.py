"""Pages with few unique words."""

from findable.capture.site_templates import CrawledThin, ThinFolder, ThinPage
from findable.crawl.own_text import FEW_WORDS
from findable.crawl.packed_verdicts import pack_in_order
from findable.crawl.site.markup import EMPTY_FROM
from findable.crawl.site.thin_pages import SOFT_404, ThinPages
from findable.crawl.varints import pack
from findable.vocabulary import Verdict

CHECKS = ("title-length", SOFT_404)
SITE = "https://shop.example"
SHARED = 77
"""Passage of the template."""


def text(words: int, *passages: int) -> bytes:
    return pack([words, *passages])


def thin(*texts: bytes | None, frame_key: int = 0, verdict: Verdict = Verdict.PASSED) -> CrawledThin:
    verdicts = pack_in_order({"title-length": Verdict.PASSED, SOFT_404: verdict}, CHECKS)
    pages = ThinPages(CHECKS)
    for number, data in enumerate(texts):
        pages.add(number, f"{SITE}/tags/{number}", data, frame_key, verdicts)
    return pages.judged((f"{SITE}/tags/{number}", texts[number] or b"", frame_key) for number in pages.short)


def test_pages_with_enough_or_uncounted_words_are_not_thin() -> None:
    assert thin(text(FEW_WORDS), b"", None) == CrawledThin(3, known_count=2)


def test_pages_reported_as_empty_or_as_errors_are_not_thin() -> None:
    assert thin(*[text(5)] * EMPTY_FROM, frame_key=9).thin_count == 0
    assert thin(*[text(5)] * (EMPTY_FROM - 1), frame_key=9).thin_count == EMPTY_FROM - 1
    assert thin(text(5), verdict=Verdict.FAILED).thin_count == 0


def test_words_of_the_template_are_not_unique() -> None:
    few = text(FEW_WORDS + 10, SHARED, 20)
    found = thin(few, *[text(FEW_WORDS + 40, SHARED, 20)] * 2)

    assert found.folders == (ThinFolder("/tags/", 1, (ThinPage(f"{SITE}/tags/0", FEW_WORDS - 10),), 3),)


def test_variants_of_a_product_share_text_that_counts_as_unique() -> None:
    assert thin(*[text(FEW_WORDS + 10, SHARED, 40)] * 3).thin_count == 0
