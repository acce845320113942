"""Words, main text and language, against counts that ICU 72 made of the same texts."""

import gc
import json
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.text import Language, Text, count_words, words, words_of
from findable.artifacts.registry import Absent
from findable.artifacts.tables.languages import SUPPORTED
from findable.vocabulary import Verdict
from tests.checks.harness import artifacts, page

HERE = Path(__file__).parent / "languages"
COUNTS: dict[str, int] = json.loads((HERE / "counts.json").read_text(encoding="utf-8"))
UNSPACED = ("ja", "zh", "th")


def fixture(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8").strip()


@pytest.mark.parametrize("name", COUNTS)
def test_words_of_the_fixture_texts(name: str) -> None:
    tolerance = 0.10 if name[:2] in UNSPACED else 0.02

    assert abs(count_words(fixture(name)) - COUNTS[name]) <= COUNTS[name] * tolerance


def test_every_supported_language_has_three_texts() -> None:
    assert {name[:2] for name in COUNTS} >= set(SUPPORTED)
    assert all(sum(name.startswith(language) for name in COUNTS) == 3 for language in SUPPORTED)


@pytest.mark.parametrize("name", COUNTS)
def test_language_of_the_fixture_texts(name: str) -> None:
    language = artifacts(page(f"<main><p>{fixture(name)}</p></main>", lang="")).get_or_none(Language)

    assert language is not None
    assert language.used == name[:2]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("… – * 🙂 ©", 0),
        ("don't O'Neill l’eau", 3),
        ("e-mail well-known", 4),
        ("1,200.50 10:15 3-5", 5),
        ("example.com a.b@example.com", 3),
        ("snake_case __init__", 2),
        ("Na\u00efve nai\u0308ve", 2),
        ("soft\u00adhyphen non\u00a0breaking", 3),
        ("👩‍👩‍👧 family 🇩🇪", 1),
        ("مُحَدَّثٌ", 1),
        ("東京タワー", 2),
        ("ก", 1),
    ],
)
def test_words_of_odd_texts(text: str, count: int) -> None:
    assert count_words(text) == count


def test_words_keep_their_spelling_and_leave_out_unspaced_scripts() -> None:
    assert list(words("Don’t say 東京 to Bob's CO₂")) == ["Don’t", "say", "to", "Bob's", "CO₂"]


def test_styles_scripts_and_templates_are_not_text() -> None:
    text = artifacts(
        page("<style>a{}</style><script>x</script><template>t</template><noscript>n</noscript><p>One&amp;two<br>three")
    ).get_or_none(Text)

    assert text is not None
    assert text.visible == "One&two three"


def test_readings_in_ruby_annotations_are_not_text() -> None:
    body = "<h1><ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby>の天気</h1><p><ruby>明日<rt>あした</rt></ruby>は雨です。</p>"
    found = artifacts(page(body=body))
    text, headings = found.get(Text), found.get(Headings)

    assert isinstance(text, Text)
    assert text.visible == "東京の天気 明日は雨です。"
    assert isinstance(headings, Headings)
    assert [heading.name for heading in headings.all] == ["東京の天気"]


def test_soft_hyphens_are_not_part_of_words_and_titles() -> None:
    found = artifacts(page(head="<title>Donau\xaddampf&shy;schiff</title>", body="<h1>Donau&shy;dampf\xadschiff</h1>"))
    head, headings = found.get(Head), found.get(Headings)

    assert isinstance(head, Head)
    assert head.title == "Donaudampfschiff"
    assert isinstance(headings, Headings)
    assert [heading.name for heading in headings.all] == ["Donaudampfschiff"]


def test_main_text_of_a_short_page_is_what_stands_outside_the_landmarks() -> None:
    text = artifacts(page("<header>Shop</header><nav>Home About</nav><main>Blue widgets</main><footer>Imprint</footer>")).get_or_none(Text)

    assert text is not None
    assert text.main == "Blue widgets"
    assert text.main_count == 2
    assert text.visible_count == 6


def test_a_page_that_scripts_build_has_no_text_yet() -> None:
    found = artifacts(page('<div id="root"></div><script src="/app.js"></script>')).get(Text)

    assert isinstance(found, Absent)
    assert found.verdict is Verdict.UNKNOWN


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


@pytest.mark.parametrize("text", ["a" * 10**7, "a." * 5 * 10**6, "'" * 10**7, "1," * 10**6, "あ" * 10**7, "a_" * 10**6])
def test_s30_counting_is_linear_and_bounded(text: str) -> None:
    start = time.process_time()
    count_words(text)

    assert time.process_time() - start < 3


TWO_LETTERS_OF_UNICODE_15 = "\U00011f04\U00011f05"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("plain words, 3.5 of them", ["plain", "words", "3.5", "of", "them"]),
        ("caf\u00e9 l\u2019eau", ["caf\u00e9", "l\u2019eau"]),
        ("with an emoji \U0001f600 in it", ["with", "an", "emoji", "in", "it"]),
        (f"newer {TWO_LETTERS_OF_UNICODE_15} letters", ["newer", TWO_LETTERS_OF_UNICODE_15, "letters"]),
        ("half \ud800 a character", ["half", "a", "character"]),
    ],
)
def test_words_are_the_same_by_whichever_pattern(text: str, found: list[str]) -> None:
    assert words_of(text) == list(words(text)) == found
    assert count_words(text) == len(found)


@pytest.mark.parametrize("name", COUNTS)
def test_words_are_counted_as_they_are_listed(name: str) -> None:
    text = fixture(name)
    odd = f"{text} _a b_ ½ 12.5 O’Neil's x-y … a\u00adb \u00a0 1,5€ \u0301 {text[:500].replace(' ', chr(0x2009))}"

    if not name.startswith(UNSPACED):
        assert count_words(odd) == len(words_of(odd))


@given(st.text("aZé0½²_.,;:'’‘·\u00ad \u00a0\n-–“…€", max_size=30))
@example("U.S.A. e.g. 1.5,5 it's")
def test_western_texts_have_as_many_words_as_are_listed(text: str) -> None:
    assert count_words(text) == len(words_of(text))


def test_a_text_that_is_not_western_is_freed_without_the_garbage_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        count_words("語 слова " * 10)
        assert not [found for found in gc.get_objects() if isinstance(found, UnicodeEncodeError)]
    finally:
        gc.enable()
