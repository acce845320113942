"""Declared and detected language of a page."""

from pathlib import Path

import pytest

from findable.artifacts.page.language import Language
from tests.checks.harness import artifacts, page


@pytest.mark.parametrize("text", sorted((Path(__file__).parent / "languages").glob("*.txt")), ids=lambda path: path.name)
def test_language_of_the_fixture_texts(text: Path) -> None:
    language = artifacts(page(f"<main><p>{text.read_text(encoding='utf-8').strip()}</p></main>", lang="")).get_or_none(Language)

    assert language is not None
    assert language.used == text.name[:2]


def test_dummy_text_has_no_language() -> None:
    filler = (
        "Lorem ipsum dolor sit amet, consectetur adipisicing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut "
        "enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat. "
    )
    english = "These are the links of this page, and that is a list of all the things we know about the pictures in it. "
    for text in (filler * 3, filler + english * 2):
        language = artifacts(page(f"<main><p>{text}</p></main>", lang="")).get_or_none(Language)
        assert language is None or (language.detected, language.used) == ("", ""), text


def test_a_sentence_of_dummy_text_hides_no_language() -> None:
    text = "This is what the people of the town said about the river and the boats that they had seen there. "
    language = artifacts(page(f"<main><p>Lorem ipsum dolor sit amet.</p><p>{text * 8}</p></main>", lang="")).get_or_none(Language)
    assert language is not None
    assert language.detected == "en"


def test_a_sentence_of_dummy_text_hides_no_language_without_spaces() -> None:
    text = "煎茶は、同じ茶葉でもお湯の温度によって味が大きく変わります。" * 12
    language = artifacts(page(f"<main><p>{text}</p><p>Lorem ipsum dolor sit amet, consectetur elit.</p></main>", lang="")).get(Language)
    assert isinstance(language, Language)
    assert language.detected == "ja"


def test_a_short_text_is_in_the_declared_language() -> None:
    language = artifacts(page("<p>Products Prices Contact</p>", lang="de-AT")).get_or_none(Language)

    assert language is not None
    assert (language.detected, language.declared, language.used) == ("", "de-AT", "de")


NAMES = (
    "Anna Müller, Peter Schmidt, Maria Rossi, John Smith, Pierre Dupont, Juan García, Lars Hansen, Jan Kowalski, Eva Novák, Ivan Petrov, "
    "Mehmet Yılmaz, Sofia Costa, Luca Bianchi, Emma Johansson, Noah Williams, Hugo Martin, Lena Fischer, Marek Nowak, Olga Ivanova"
)
PRODUCTS = "Lantern LX-200 brass 24 cm, Lantern LX-300 steel 30 cm, Torch T5 aluminium 12 cm, Lamp D7 oak 45 cm"


@pytest.mark.parametrize("text", [NAMES, PRODUCTS, "Maria de la Cruz, Juan del Río, " + NAMES])
def test_a_page_of_names_has_no_detected_language(text: str) -> None:
    items = "".join(f"<li>{piece}</li>" for piece in text.split(", ") * 6)
    language = artifacts(page(f"<main><h1>People</h1><ul>{items}</ul></main>", lang="en")).get_or_none(Language)

    assert language is not None
    assert (language.detected, language.used) == ("", "en")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("fi", "Suomen kevät on lyhyt ja valoisa. Lumi sulaa huhtikuussa, ja ihmiset lähtevät mökeilleen, joissa he istuvat rannalla. "),
        ("tr", "Bahçede çalışmak insana iyi gelir. Her sabah erken kalkıp çiçekleri sularım, sonra bir bardak çay içerim ve otururum. "),
        ("hu", "A tavaszi kertben sok a munka. Reggel korán kelünk, hogy a palántákat még a nagy meleg előtt elültessük, aztán kávézunk. "),
        ("et", "Kevadel on aias palju tööd. Hommikul tõuseme vara, et taimed enne suurt kuumust maha istutada, ja siis joome kohvi. "),
        ("cs", "Na jaře je na zahradě hodně práce. Ráno vstáváme brzy, abychom sazenice zasadili ještě před velkým horkem, a potom jíme. "),
        ("ru", "Весной в саду много работы. Утром мы встаём рано, чтобы посадить рассаду до большой жары, а потом пьём кофе и говорим. "),
        (
            "sv",
            "På våren finns det mycket att göra i trädgården. På morgonen går vi upp tidigt för att plantera innan det blir för varmt. ",
        ),
    ],
)
def test_sentences_of_other_languages_are_detected(code: str, text: str) -> None:
    language = artifacts(page(f"<main><p>{text * 5}</p></main>", lang="")).get_or_none(Language)

    assert language is not None
    assert language.detected == code


def test_nothing_declared_and_nothing_to_tell_it_by() -> None:
    language = artifacts("<p>Hello").get_or_none(Language)

    assert language is not None
    assert (language.used, language.is_supported) == ("", False)
