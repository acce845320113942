"""What forms of pages say: no field of the interface, in English and in German, and the interface still says its own."""

import re
from pathlib import Path

import pytest

import findable
from findable.capture.response import Response
from findable.errors import PageNotSeen, QuotaExceeded, RateLimited, ValidationFailed
from findable.fetch import wire
from findable.fetch.page_check import raise_unless_seen
from findable.fetch.page_fetch import REFUSED_DETAIL
from findable.fetch.resolver import DnsError, DnsTrouble
from findable.reports.met import in_words
from findable.service.values.use_cases import Problem
from findable.web.pages.shared.form_fields import problem_of
from findable.web.pages.shared.problem_words import PLAIN, not_seen, plain, told
from findable.wording import ENGLISH, Filled, wording
from tests.fetch.test_seen import WALLS, response
from tests.web.live import Client, Live
from tests.web.test_people import SAME, owner

GERMAN = wording("de")
ENGLISH_WORDS = re.compile(r"\b(the|of|did|is|not|with|to|which|has)\b", re.IGNORECASE)
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


@pytest.mark.parametrize("error", [DnsError("shop.example", trouble) for trouble in DnsTrouble], ids=str)
def test_names_that_lead_nowhere_are_told_in_german(error: DnsError) -> None:
    assert_speaks_german(PageNotSeen("dns_failed", str(error)), holding="shop.example")


@pytest.mark.parametrize("met", sorted({*wire._WAITED.values(), *wire._ENDED.values(), REFUSED_DETAIL}))
def test_connections_that_fail_are_told_in_german_on_every_hop(met: str) -> None:
    assert_speaks_german(PageNotSeen("connect_failed", met))
    assert_speaks_german(PageNotSeen("connect_failed", f"redirect 2 to https://shop.example/a: {met}"), holding="https://shop.example/a")


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
def test_answers_that_are_no_page_are_told_in_german(answer: Response, holding: str) -> None:
    with pytest.raises(PageNotSeen) as caught:
        raise_unless_seen(answer)
    assert_speaks_german(caught.value, holding=holding)


def test_what_has_no_words_of_ours_stays_as_it_is() -> None:
    met = PageNotSeen("tls_failed", "certificate has expired")
    assert not_seen(Problem(met.code, met.sentences, retryable=True), GERMAN).endswith(" Certificate has expired.")


def test_s30_what_is_longer_than_ours_is_not_searched_for_values() -> None:
    long = "Redirect 1 to " * 10_000
    assert in_words(long, GERMAN) == long


def assert_speaks_german(met: PageNotSeen, *, holding: str = "") -> None:
    """Nothing of the English is left but the values, and English says what it always said."""
    problem = Problem(met.code, met.sentences, met.retryable)
    german = not_seen(problem, GERMAN)
    assert holding.casefold() in german.casefold()
    assert not ENGLISH_WORDS.search(german), german
    assert not_seen(problem, ENGLISH).casefold() == met.sentences.casefold()
