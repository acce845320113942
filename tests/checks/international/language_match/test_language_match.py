"""Outcomes of language-match."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

GERMAN = (
    "Wir fertigen blaue Schrauben nach Maß, in jeder Größe und für jeden Zweck, seit über fünfzig Jahren in unserer eigenen Werkstatt. "
    "Unsere Kunden schätzen die kurzen Wege, die ehrliche Beratung und die Sorgfalt, mit der jede einzelne Schraube geprüft wird. "
    "Wer möchte, kann uns besuchen und zusehen, wie aus einem einfachen Draht ein Werkstück wird, das Jahrzehnte hält und nicht rostet. "
    "Bestellungen nehmen wir schriftlich, am Telefon und im Laden entgegen, und ausgeliefert wird meistens schon am nächsten Morgen."
)
ENGLISH = (
    "We have been making blue widgets to measure in our own workshop for more than fifty years, in every size and for every purpose. "
    "Our customers value the short distances, the honest advice and the care with which every single widget is tested before it leaves. "
    "Whoever wants to can visit us and watch how a simple piece of wire turns into something that lasts for decades and never rusts. "
    "Orders are taken in writing, on the telephone and in the shop, and most of them are delivered on the very next morning already."
)
LOREM = (
    "Lorem ipsum dolor sit amet, consectetur adipisicing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. "
    "Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat. "
)
NAMES = (
    "Giovanni Rossi, Paolo Bianchi, Marco Esposito, Luca Romano, Andrea Colombo, Francesco Ricci, Alessandro Marino, Matteo Greco, "
    "Lorenzo Bruno, Davide Gallo, Riccardo Conti, Stefano De Luca, Simone Mancini, Roberto Costa, Antonio Giordano, Giuseppe Rizzo"
)
JAPANESE = (
    "この店では、静岡の農家から直接仕入れた緑茶を販売しています。春に摘んだ葉だけを使い、香りが飛ばないように少しずつ焙煎しています。"
)


def text(words: str, lang: str) -> str:
    return page(f"<main><p>{words}</p></main>", lang=lang)


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("German", text(GERMAN, "de"), {}, "passed"),
    ("country does not matter", text(GERMAN, "de-CH"), {}, "passed"),
    ("English", text(ENGLISH, "en"), {}, "passed"),
    ("short", text("Blaue Schrauben nach Maß.", "en"), {}, "inapplicable"),
    ("undeclared", text(GERMAN, "en").replace(' lang="en"', ""), {}, "inapplicable"),
    ("no language tag", text(GERMAN, "xq_ZZ"), {}, "inapplicable"),
    ("filler", text(LOREM * 3, "en"), {}, "inapplicable"),
    ("several languages", text(GERMAN, "mul"), {}, "inapplicable"),
    ("a private tag", text(ENGLISH, "x-klingon"), {}, "inapplicable"),
    ("a list of names", text(NAMES * 3, "en"), {}, "inapplicable"),
    ("a table of names and numbers", text((NAMES + " 45 17 8 5 6 3 7 4 9 2") * 3, "en"), {}, "inapplicable"),
    ("German as English", text(GERMAN, "en"), {}, "warned"),
    ("English as German", text(ENGLISH, "de"), {}, "warned"),
    ("Japanese with names as Polish", text(JAPANESE * 4 + " Giovanni Rossi, Paolo Bianchi", "pl"), {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("language-match", html, **given) == expected, case
