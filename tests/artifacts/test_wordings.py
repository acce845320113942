"""The word lists are complete, written as they are compared, and say what they are meant to say."""

import pytest

from findable.artifacts.tables.languages import SUPPORTED
from findable.artifacts.tables.stop_words import stop_words
from findable.artifacts.tables.wordings import GENERIC_ANCHORS, GENERIC_TITLES, NOT_FOUND_TITLES, fold, not_found_wording

TITLES = {
    "en": ["Page not found – Example", "404 Not Found", "Error 404 | Example", "Sorry, the page you're looking for is gone"],
    "de": ["Seite nicht gefunden", "Fehler 404 – Beispiel", "Diese Seite gibt es leider nicht", "Die Seite existiert nicht mehr"],
    "fr": ["Page introuvable", "Cette page n’existe plus", "Erreur 404", "La page que vous recherchez est absente"],
    "es": ["Página no encontrada", "Error 404", "No se ha encontrado la página", "La página ya no existe"],
    "it": ["Pagina non trovata", "Errore 404", "La pagina che stai cercando non c’è", "Impossibile trovare la pagina"],
    "nl": ["Pagina niet gevonden", "Fout 404", "Deze pagina bestaat niet meer", "De pagina die je zoekt is er niet"],
    "ja": ["ページが見つかりません", "お探しのページは見つかりませんでした", "404エラー", "指定されたページは存在しません"],
    "zh": ["页面不存在", "您访问的页面不存在", "找不到網頁", "404错误"],
    "ar": ["الصفحة غير موجودة", "خطأ 404", "لم يتم العثور على الصفحة", "هذه الصفحة غير متوفرة"],
}
TRAPS = {
    "en": ["Lost and found", "Room 404 at the Grand Hotel", "How to fix a broken page", "Found: a page from 1404", "Peugeot 404 for sale"],
    "de": ["Gefunden: die schönste Seite des Harzes", "Hotel 404", "Fehler im Garten", "Suchen und Finden", "Der Fund des Jahres"],
    "fr": ["Trouver une page de garde", "Objets trouvés", "Peugeot 404 cabriolet", "Les erreurs à éviter", "L’introuvable trésor"],
    "es": ["Objetos encontrados", "Peugeot 404", "Errores frecuentes", "La página en blanco", "Encontrar trabajo"],
    "it": ["Oggetti trovati", "Peugeot 404", "Errori comuni", "La pagina bianca", "Trovare lavoro"],
    "nl": ["Gevonden voorwerpen", "Peugeot 404", "Fouten in de tuin", "De witte pagina", "Werk vinden"],
    "ja": ["ページの作り方", "プジョー404", "見つかる楽しみ", "エラーの直し方", "探し物"],
    "zh": ["页面设计", "标致404", "失物招领", "错误与修正", "寻找工作"],
    "ar": ["تصميم صفحة", "بيجو 404", "المفقودات", "أخطاء شائعة", "البحث عن عمل"],
}


@pytest.mark.parametrize("language", SUPPORTED)
def test_every_language_has_ten_of_each_and_stop_words(language: str) -> None:
    assert len(set(NOT_FOUND_TITLES[language])) >= 10
    assert len(GENERIC_ANCHORS[language]) >= 10
    assert GENERIC_TITLES[language]
    assert len(stop_words(language)) > 100


@pytest.mark.parametrize("language", SUPPORTED)
def test_wordings_are_written_as_they_are_compared(language: str) -> None:
    words = [*NOT_FOUND_TITLES[language], *GENERIC_ANCHORS[language], *GENERIC_TITLES[language]]

    assert [word for word in words if fold(word) != word] == []


@pytest.mark.parametrize(("language", "title"), [(language, title) for language, titles in TITLES.items() for title in titles])
def test_titles_that_say_not_found(language: str, title: str) -> None:
    assert not_found_wording(title, language)


@pytest.mark.parametrize(("language", "title"), [(language, title) for language, titles in TRAPS.items() for title in titles])
def test_titles_that_do_not(language: str, title: str) -> None:
    assert not_found_wording(title, language) == ""


def test_every_wording_is_found_in_itself() -> None:
    missed = [
        wording for language, wordings in NOT_FOUND_TITLES.items() for wording in wordings if not not_found_wording(wording, language)
    ]

    assert missed == []


def test_servers_speak_english_everywhere() -> None:
    assert not_found_wording("404 Not Found", "sv") == "404 not found"
    assert not_found_wording("Sidan kunde inte hittas", "sv") == ""
