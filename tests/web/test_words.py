"""What forms of pages say: no field of the interface, in English and in German, and the interface still says its own."""

import re
from pathlib import Path

import pytest

import findable
from findable.errors import QuotaExceeded, RateLimited, ValidationFailed
from findable.web.pages.forms import problem_of
from findable.web.pages.words import PLAIN, plain, told
from findable.wording import ENGLISH, Filled, wording
from tests.web.live import Client, Live
from tests.web.test_people import SAME, owner

GERMAN = wording("de")
OF_THE_INTERFACE = re.compile(r"\bfield\b|\bprivacy\b|\burls?\b|\bbody\b|\bscope\b|\bKiB\b|Basic authentication", re.IGNORECASE)


def test_every_sentence_of_the_table_is_one_that_is_said() -> None:
    folder = Path(findable.__file__).parent
    source = "\n".join(path.read_text("utf-8") for path in folder.rglob("*.py") if path.name != "words.py")
    assert [sentence for sentence in PLAIN if sentence not in source] == []


@pytest.mark.parametrize("words", sorted(set(PLAIN.values())))
def test_pages_name_no_field_and_speak_german(words: str) -> None:
    assert not OF_THE_INTERFACE.search(words)
    assert GERMAN.text(words) != words


def test_a_sentence_inside_a_sentence_is_said_plainly_too() -> None:
    inner = Filled("The url must not be longer than %(most)s characters.", most=2048)
    said = plain(Filled("%(address)s: %(problem)s", address="x", problem=inner), ENGLISH)
    assert said == "x: This address is too long: at most 2048 characters."


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
    assert told(wrong, ENGLISH) == "Type the address of a page. Choose a password, without which nobody could open the report."
    full = QuotaExceeded(Filled("%(limit)s reports wait already; more can be asked for when some are done.", limit=9))
    assert told(full, GERMAN).startswith("Es warten schon 9 Berichte")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_form_on_the_home_page_says_it_in_the_readers_words(live: Live, language: str) -> None:
    browser = owner(live)
    say = wording(language)
    for fields, words in (
        ({"url": " "}, "Type the address of a page."),
        ({"url": "https://a.example/", "privacy": "2"}, "Choose a password, without which nobody could open the report."),
    ):
        reply = browser.post("/reports", fields, {**SAME, "Accept-Language": language})
        assert reply.status == 422
        assert say(words) in reply.text
        assert "The url field" not in reply.text


def test_the_interface_still_names_its_fields(client: Client) -> None:
    assert client.post("/reports", {"url": ""}).json["errors"]["url"] == ["The url field is required."]
    assert client.post("/projects", {}).json["errors"]["project"] == ["The project field is required."]
