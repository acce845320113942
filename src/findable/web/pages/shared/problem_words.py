"""What is wrong with a form, in a person's words. Sentences of the interface name fields, which no page shows."""

from collections.abc import Mapping

from findable.errors import RequestError
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
