"""What is wrong with a form or kept us from a page, in a person's words. Sentences of the interface name fields, which no page shows."""

import re
from collections.abc import Mapping
from functools import cache

from findable.errors import NOT_SEEN_CODES, RequestError, as_sentence
from findable.service.values import Problem
from findable.wording import Filled, Wording, later

PLAIN: Mapping[str, str] = {
    "The url field is required.": later("Type the address of a page."),
    "The urls field is required.": later("Type the address of a page."),
    "The project field is required.": later("Type the address of the site."),
    "The url must not be longer than %(most)s characters.": later("This address is too long: at most %(most)s characters."),
    "The urls field may have at most %(most)s addresses, %(count)s were sent.": later(
        "At most %(most)s addresses go in at once; these are %(count)s."
    ),
    "No user name or password may stand in the address: for Basic authentication use the project's identity or --user.": later(
        "Leave the user name and the password out of the address: they belong in the settings of its project."
    ),
    "The password field is required when privacy is 2.": later("Choose a password, without which nobody could open the report."),
    "The password must not be longer than %(most)s bytes.": later("This password is too long."),
    "The password is too long.": later("This password is too long."),
    "The email must be an email address.": later("This is not an email address."),
    "There is an account of that email already.": later("Somebody signs in with this email address already."),
    "The role must be owner or member.": later("Choose what they may do."),
    "The expiry must be in the future.": later("The day must be today or later."),
    "The reason field is required.": later("Say why: the reason stands beside the finding."),
    "The reason field must not be longer than %(most)s characters.": later("This reason is too long: at most %(most)s characters."),
    "The until field must be a date like 2027-01-31.": later("This is no day like 2027-01-31."),
    "The until field must not be a day that is over.": later("The day must be today or later."),
    "The pattern field goes with scope project.": later("A pattern is for the whole project: choose that, or leave the pattern empty."),
    "The pattern must match the address of this report.": later("The address of this report does not fit this pattern."),
    "The selected language is invalid; allowed: %(names)s.": later("We do not speak this language."),
    "The body may have at most %(most)s KiB.": later("This is too much at once: at most %(most)s kB can be sent."),
    "The privacy is not one of the choices.": later("Choose who may see the report."),
}
"""Sentence of the interface, or its template, to what a page says; one that is not here is fit for both."""


def plain(sentence: str, say: Wording) -> str:
    """A sentence of the interface as a page says it."""
    return say.text(_plain(sentence))


def _plain(sentence: str) -> str:
    if isinstance(sentence, Filled):
        values = {name: _plain(value) if isinstance(value, str) else value for name, value in sentence.values.items()}
        return Filled(PLAIN.get(sentence.template, sentence.template), **values)
    return PLAIN.get(sentence, sentence)


def told(error: RequestError, say: Wording) -> str:
    """All that is wrong, one sentence after the other."""
    sentences = [sentence for field in error.errors.values() for sentence in field]
    return " ".join(plain(sentence, say) for sentence in sentences or [error.message])


MET: tuple[str, ...] = (
    later("The server answered with status %(status)s."),
    later("The server answered with status %(status)s, which has no content."),
    later("%(who)s answered with status %(status)s instead of the page."),
    later("The answer is %(kind)s."),
    later("The answer is empty."),
    later("The answer is of no stated type."),
    later("The answer is text without any markup."),
    later("The answer is called %(kind)s, but its bytes are %(what)s."),
    later("The name %(host)s does not exist (NXDOMAIN)."),
    later("The name %(host)s has no address."),
    later("The name servers of %(host)s answered with an error (SERVFAIL)."),
    later("The name servers of %(host)s did not answer in time."),
    later("No name server could be reached to look up %(host)s."),
    later("%(host)s cannot be the name of a host."),
    later("The server did not accept the connection."),
    later("The server ended the connection while it was made secure."),
    later("The server ended the connection without an answer."),
    later("The server ended the connection inside the header."),
    later("The server ended the connection inside the body."),
    later("No connection was made in time."),
    later("The secure connection was not made in time."),
    later("The first byte did not come in time."),
    later("The header did not come to its end in time."),
    later("The body did not come to its end in time."),
    later("The address leads to a host or port that this service does not analyse."),
    later("Redirect %(number)s leads back to %(address)s."),
    later("%(number)s redirects, the last one to %(address)s."),
)
"""What `fetch` says it met, as sentences. Reports keep them filled in; another language finds the values again."""

_ON_THE_WAY = later("Redirect %(number)s to %(address)s: %(met)s")
_PLACE = re.compile(r"%\((\w+)\)s")


def not_seen(problem: Problem, say: Wording) -> str:
    """Why a page was not seen; what has no words in the language, such as those of a TLS library, stays as it is."""
    known = NOT_SEEN_CODES.get(problem.code, (problem.message, False))[0]
    met = problem.message.removeprefix(known).strip() if problem.message.startswith(known) else ""
    return f"{say.text(known)} {_met(met, say)}" if met else say.text(problem.message)


def _met(sentence: str, say: Wording) -> str:
    for template in sorted(MET, key=len, reverse=True):
        found = _pattern(template).fullmatch(sentence)
        if found:
            return say(template, **found.groupdict())
    way = _pattern(_ON_THE_WAY).fullmatch(sentence)
    return say(_ON_THE_WAY, **way.groupdict() | {"met": _met(as_sentence(way["met"]), say)}) if way else sentence


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """What a template was filled with, by name. A value may be anything: the longest template that fits is meant."""
    pieces = _PLACE.split(template)
    words = [re.escape(piece) if number % 2 == 0 else rf"(?P<{piece}>.+)" for number, piece in enumerate(pieces)]
    return re.compile("".join(words))
