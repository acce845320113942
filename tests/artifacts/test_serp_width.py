"""Widths and cuts of titles. The expected numbers were measured with FreeType over the same fonts, kerning off."""

import time

import pytest

from findable.artifacts.page.serp_width import ResultLines, line, truncated_at
from findable.artifacts.page.text_width import width_px
from tests.checks.harness import artifacts, page

TITLES = [
    # title, width at 20 px, what is shown where it is cut (None: all of it)
    ("Blue widgets – Example", 213, None),
    (
        "Blue widgets, made to measure and delivered to your door – Example Widgets Ltd",
        729,
        "Blue widgets, made to measure and delivered to your door –",
    ),
    ("WWWWWWWWWW WWWWWWWWWW WWWWWWWWWW WWWWWWWWWW", 772, "WWWWWWWWWW WWWWWWWWWW WWWWWWWWWW"),
    (
        "illicit little fillings in still life: a hundred tiny illustrations of thin italic letters and their idle limits",
        807,
        "illicit little fillings in still life: a hundred tiny illustrations of thin italic",
    ),
    (
        "Übergrößenträger für Straßenbahnschienen: Wartung, Prüfung und Reparatur im Überblick – Beispiel GmbH",
        962,
        "Übergrößenträger für Straßenbahnschienen: Wartung, Prüfung",
    ),
    (
        "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenhersteller im Vergleich",
        756,
        "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenh",
    ),
    (
        "Crème brûlée à l’ancienne : la recette facile et inratable de nos grands-mères – Cuisine",
        773,
        "Crème brûlée à l’ancienne : la recette facile et inratable de nos",
    ),
    (
        "Cómo cuidar un jardín pequeño en verano: riego, poda y sombra paso a paso | Ejemplo",
        777,
        "Cómo cuidar un jardín pequeño en verano: riego, poda y sombra",
    ),
    ("Ricette semplici per la cena di tutti i giorni", 368, None),
    (
        "Blauwe fietsen kopen in Amsterdam: de tien beste winkels van dit jaar op een rij | Voorbeeld",
        815,
        "Blauwe fietsen kopen in Amsterdam: de tien beste winkels van",
    ),
    ("青いウィジェットの選び方", 240, None),
    (
        "青いウィジェットの選び方と正しい使い方を専門家がわかりやすく解説します｜例の店",
        780,
        "青いウィジェットの選び方と正しい使い方を専門家がわかりや",
    ),
    (
        "蓝色小部件选购指南：如何选择适合您家庭的尺寸、材质和颜色以及日常保养方法 - 示例",
        778,
        "蓝色小部件选购指南：如何选择适合您家庭的尺寸、材质和颜色",
    ),
    ("파란 위젯 고르는 법", 164, None),
    (
        "Как выбрать синий виджет: размеры, материалы и уход за изделием — Пример",
        748,
        "Как выбрать синий виджет: размеры, материалы и уход за",
    ),
    ("Πώς να επιλέξετε ένα μπλε γραφικό στοιχείο", 392, None),
    ("A " * 59 + "A", 1128, "A " * 29 + "A"),
    ("x" * 200, 2000, "x" * 57),
    (
        "Fish & Chips: 10 % off, 24/7 – order online at Example’s Kitchen today!!",
        634,
        "Fish & Chips: 10 % off, 24/7 – order online at Example’s Kitchen",
    ),
    ("Best running shoes 2026: 12 pairs tested | Example", 458, None),
]


@pytest.mark.parametrize(("title", "width", "shown"), TITLES, ids=[title[:20] for title, *_ in TITLES])
def test_width_and_truncation_of_titles(title: str, width: int, shown: str | None) -> None:
    measured = line(title, 600, 20)

    assert measured.width_px is not None
    assert abs(measured.width_px - width) <= 1
    assert (None if measured.truncated_at is None else title[: measured.truncated_at].rstrip()) == shown
    assert measured.preview == (title if shown is None else f"{shown} ...")


def test_a_chinese_title_is_cut_between_characters_never_in_a_foreign_word() -> None:
    chinese = "DeepMind新电脑已可利用记忆自学 人工智能迈上新台阶_科技_腾讯网"
    mixed = "人工智能迈上新台阶人工智能迈上新台阶人工智能迈上 DeepMind Technologies"

    assert chinese[: truncated_at(chinese, 600, 20) or 0] == chinese[:-3]
    assert mixed[: truncated_at(mixed, 600, 20) or 0] == "人工智能迈上新台阶人工智能迈上新台阶人工智能迈上 DeepMind"


def test_a_script_that_the_fonts_lack_is_not_measured() -> None:
    assert width_px("كيف تختار الأداة الزرقاء المناسبة لمنزلك", 20) is None
    assert truncated_at("كيف تختار الأداة الزرقاء" * 20, 600, 20) is None
    assert width_px("Widgets – أ, made to measure", 20) is not None


def test_marks_and_joiners_have_no_width_and_emoji_have_an_em() -> None:
    assert width_px("e\u0301", 20) == width_px("e", 20)
    assert width_px("a\u200db", 20) == width_px("ab", 20)
    assert width_px("🎉", 20) == 20


def test_a_description_is_measured_at_fourteen_pixels() -> None:
    found = artifacts(page(head=f'<title>Widgets</title><meta name="description" content="{"word " * 60}">')).get_or_none(ResultLines)

    assert found is not None
    assert found.title.characters_count == 7
    assert found.description.truncated_at
    assert found.description.width_px
    assert found.description.width_px > 920


def test_nothing_is_nothing_wide() -> None:
    assert line("", 600, 20).width_px == 0


def test_a_long_title_is_measured_in_bounded_time() -> None:
    start = time.process_time()
    line("x" * 10_000_000, 600, 20)

    assert time.process_time() - start < 1
