"""What forms of pages say: no field of the interface, in English and in German, and the interface still says its own."""

import re
from pathlib import Path

import pytest
from msgspec import structs

import findable
from findable.capture.response import Response
from findable.errors import Cause, PageError, PageErrorCode, PageUnavailable, QuotaExceeded, RateLimited, SitemapError, ValidationFailed
from findable.fetch.page_check import raise_unless_page
from findable.reports.page_error_text import detail_of, sentences_of, sitemap_sentence
from findable.web.pages.shared.form_fields import problem_of
from findable.web.pages.shared.page_templates import render
from findable.web.pages.shared.problem_words import PLAIN, all_errors, plain
from findable.web.pages.shared.shown_limits import SHOWN_LIMITS
from findable.wording import ENGLISH, Message, wording
from tests.fetch.test_page_check import WALLS, response
from tests.web.live import Client, Live
from tests.web.test_people import SAME, owner

GERMAN = wording("de")
ENGLISH_WORDS = re.compile(r"\b(the|of|did|is|not|with|to|which|has)\b", re.IGNORECASE)
OF_THE_INTERFACE = re.compile(r"\bfield\b|\bprivacy\b|\bbody\b|\bscope\b|\bKiB\b|Basic authentication", re.IGNORECASE)


def test_every_sentence_of_the_table_is_one_that_is_said() -> None:
    folder = Path(findable.__file__).parent
    source = "\n".join(path.read_text("utf-8") for path in folder.rglob("*.py") if path.name != "words.py")
    assert [sentence for sentence in PLAIN if sentence not in source] == []


@pytest.mark.parametrize("words", sorted(set(PLAIN.values())))
def test_pages_name_no_field_and_speak_german(words: str) -> None:
    assert not OF_THE_INTERFACE.search(words)
    assert GERMAN.text(words) != words


def test_templates_take_the_numbers_of_the_service_in_both_languages() -> None:
    one_day = {**SHOWN_LIMITS, "invitation_days": 1}
    for say, usual, short in ((ENGLISH, "older than 7 days.", "older than 1 day."), (GERMAN, "älter als 7 Tage.", "älter als 1 Tag.")):
        assert usual in render("link_failed.html", say, is_invitation=True).decode()
        assert short in render("link_failed.html", say, is_invitation=True, limits=one_day).decode()


def test_an_expired_sign_in_link_names_the_way_to_a_new_one() -> None:
    by_mail = render("link_failed.html", ENGLISH, is_invitation=False, sends_mails=True).decode()
    assert 'href="/forgot"' in by_mail
    assert "findable accounts link" not in by_mail
    printed = render("link_failed.html", ENGLISH, is_invitation=False, sends_mails=False).decode()
    assert "findable accounts link" in printed
    assert "/forgot" not in printed


def test_a_sentence_inside_a_sentence_is_said_plainly_too() -> None:
    inner = Message("The url must not be longer than %(most)s characters.", most=2048)
    said = plain(Message("%(address)s: %(problem)s", address="x", problem=inner), ENGLISH)
    assert said == "x: This URL is too long: at most 2048 characters."


@pytest.mark.parametrize(
    ("message", "wait_s", "said", "german"),
    [
        ("Too many wrong passwords.", 61, "Too many wrong passwords. Try again in 2 minutes.", "Zu viele falsche Passwörter."),
        ("Too many passwords are being tried at once.", 1, "Too many passwords are being tried at once. Try again in a moment.", ""),
        ("Too many requests.", 60, "Too many requests. Try again in 1 minute.", "Zu viele Anfragen."),
    ],
)
def test_each_limit_says_which_it_is_and_when_to_try_again(message: str, wait_s: int, said: str, german: str) -> None:
    error = RateLimited(message, retry_after_s=wait_s)
    assert problem_of(error, ENGLISH) == said
    assert problem_of(error, GERMAN).startswith(german)
    assert problem_of(error, GERMAN) != said


def test_all_that_is_wrong_is_told_or_else_the_error_itself() -> None:
    wrong = ValidationFailed({"url": ["The url field is required."], "password": ["The password field is required when privacy is 2."]})
    assert all_errors(wrong, ENGLISH) == "Enter the URL of a page. Choose a password. Without one, nobody could open the report."
    full = QuotaExceeded(Message("%(limit)s reports are queued, which is the limit. Try again when some are done.", limit=9))
    assert all_errors(full, GERMAN).startswith("9 Berichte sind in der Warteschlange")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_form_on_the_home_page_says_it_in_the_readers_words(live: Live, language: str) -> None:
    browser = owner(live)
    say = wording(language)
    for fields, words in (
        ({"url": " "}, "Enter the URL of a page."),
        ({"url": "https://a.example/", "privacy": "2"}, "Choose a password. Without one, nobody could open the report."),
    ):
        reply = browser.post("/reports", fields, {**SAME, "Accept-Language": language})
        assert reply.status == 422
        assert say(words) in reply.text
        assert "The url field" not in reply.text


def test_the_interface_still_names_its_fields(client: Client) -> None:
    assert client.post("/reports", {"url": ""}).json["errors"]["url"] == ["The url field is required."]
    assert client.post("/projects", {}).json["errors"]["project"] == ["The project field is required."]


@pytest.mark.parametrize("cause", [cause for cause in Cause if cause is not Cause.NOT_XML])
def test_every_cause_is_a_sentence_in_both_languages_with_its_values(cause: Cause) -> None:
    values = {"host": "shop.example", "url": "https://shop.example/a", "who": "Cloudflare", "media_type": "image/png", "text": "expired"}
    plain = PageError(PageErrorCode.CONNECT_FAILED, cause, status=418, redirects=2, file_type="application/pdf")
    error = structs.replace(plain, **values)
    english, german = detail_of(error), detail_of(error, GERMAN)
    assert english.endswith(".")
    assert german.endswith(".")
    assert "%(" not in english + german
    assert not ENGLISH_WORDS.search(german), german
    assert [value for value in values.values() if (value in english) != (value in german)] == []


@pytest.mark.parametrize(
    ("answer", "holding"),
    [
        (response(b"", 401), "401"),
        (response(b"", 403), "403"),
        (response(b"", 429), "429"),
        (response(b"", 204), "204"),
        (response(WALLS["Cloudflare"], 503), "503"),
        (response(b""), ""),
        (response(b"only words"), ""),
        (response(b"%PDF-1.7"), "application/pdf"),
        (response(b"%PDF-1.7", content_type="application/pdf"), "application/pdf"),
        (response(b"only words", content_type=""), ""),
    ],
)
def test_responses_that_are_no_page_are_told_in_german(answer: Response, holding: str) -> None:
    with pytest.raises(PageUnavailable) as caught:
        raise_unless_page(answer)
    german = sentences_of(caught.value.error, GERMAN)
    assert holding in german
    assert not ENGLISH_WORDS.search(german), german


def test_a_sitemap_that_cannot_be_read_is_told_in_both_languages() -> None:
    sentence = sitemap_sentence(SitemapError(Cause.NOT_XML, file="https://shop.example/a.xml", line=7, text="unclosed token"))
    assert sentence == "https://shop.example/a.xml: The file is not well-formed XML: line 7: unclosed token."
    assert GERMAN.text(sentence).startswith("https://shop.example/a.xml: Die Datei ist kein wohlgeformtes XML: Zeile 7")


def test_the_redirect_that_led_to_an_error_is_named() -> None:
    error = PageError(PageErrorCode.TARGET_TIMEOUT, Cause.BODY_TIMEOUT, redirects=2, url="https://shop.example/a")
    assert detail_of(error) == "Redirect 2 to https://shop.example/a: The body did not arrive completely in time."
    assert detail_of(error, GERMAN).startswith("Weiterleitung 2 zu https://shop.example/a: Der Inhalt")


def test_what_a_library_says_stays_as_it_is() -> None:
    error = PageError(PageErrorCode.TLS_FAILED, Cause.TLS, text="certificate has 100%% expired.")
    assert detail_of(error, GERMAN) == "Die TLS-Bibliothek meldet: certificate has 100%% expired."
