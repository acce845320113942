"""Outcomes of title-length: first what must not be flagged, then what must."""

import pytest

from findable.formats.title_parts import split_title
from tests.checks.harness import finding, page, verdict

CHINESE = "Widgets新电脑已可利用记忆自学 人工智能迈上新台阶新_科技_腾讯网"

OUTCOMES = [
    ("a plain title", page(), "passed"),
    ("a long one that fits", page(head=f"<title>{'illi ' * 20}</title>"), "passed"),
    ("five Japanese characters", page(head="<title>青い時計店</title>"), "passed"),
    ("white space does not count", page(head=f"<title>Blue{chr(10) * 500} widgets</title>"), "passed"),
    ("a script without known widths", page(head="<title>كيف تختار الأداة الزرقاء المناسبة</title>"), "inapplicable"),
    ("no title: the fault of title-present", page(head=""), "inapplicable"),
    ("only the site's name is cut off", page(head=f"<title>{'Widgets ' * 5}| Python 3.11.2 documentation at length</title>"), "passed"),
    ("only the site's name is cut off in Chinese", page(head=f"<title>{CHINESE}</title>"), "passed"),
    ("the end is no name", page(head=f"<title>Widgets – {'and everything about them ' * 3}</title>"), "warned"),
    ("cut off before the site's name", page(head=f"<title>{'Widgets ' * 12}| Example</title>"), "warned"),
    ("too wide", page(head=f"<title>{'Widgets ' * 12}</title>"), "warned"),
    ("too wide in Chinese", page(head=f"<title>{'蓝色小部件' * 7}</title>"), "warned"),
    ("too short", page(head="<title>Widgets</title>"), "warned"),
    ("too short in Japanese", page(head="<title>時計店</title>"), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("title-length", html) == expected, case


def test_titles_are_split_at_separators_of_several_typographies() -> None:
    for title, parts in {
        "8. Le menu « Couleurs » de GIMP": ["8. Le menu « Couleurs » de GIMP"],
        "Le menu « Couleurs » » GIMP": ["Le menu « Couleurs »", "GIMP"],
        "Les couleurs » GIMP": ["Les couleurs", "GIMP"],
        "Новости «Культура» — РИА": ["Новости «Культура»", "РИА"],
        "Noticias ― El País": ["Noticias", "El País"],
        "Page ‹ Site": ["Page", "Site"],
        "「君の名は。」｜映画.com": ["「君の名は。」", "映画.com"],
        "スター・ウォーズ｜公式": ["スター・ウォーズ", "公式"],
        "ニュース - NHK": ["ニュース", "NHK"],
        "Anti-aliasing": ["Anti-aliasing"],
        "Хлеб ▸ Рецепты": ["Хлеб", "Рецепты"],
        "Pan ¦ Recetas": ["Pan", "Recetas"],
        "Convert PNG → JPG": ["Convert PNG → JPG"],
        "| Shop": ["| Shop"],
        "": [""],
    }.items():
        assert split_title(title) == parts, title


def test_the_advice_names_the_site_only_if_the_title_has_parts() -> None:
    words = "Widgets in blue for every house and every garden, made to measure and sent to you within one single day"
    assert "site" not in finding("title-length", page(head=f"<title>{words}</title>")).advice
    assert "site" in finding("title-length", page(head=f"<title>{words} – Example widgets of the far north of the country</title>")).advice
