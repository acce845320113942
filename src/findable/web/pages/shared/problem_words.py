"""Error messages of the API reworded for pages, because they contain field names, which pages do not show."""

from collections.abc import Mapping

from findable.errors import RequestError
from findable.wording import Message, Translator, later

PLAIN: Mapping[str, str] = {
    "The url field is required.": later("Enter the URL of a page."),
    "The urls field is required.": later("Enter the URL of a page."),
    "The project field is required.": later("Enter the URL of the site."),
    "The url must not be longer than %(most)s characters.": later("This URL is too long: at most %(most)s characters."),
    "The urls field may have at most %(most)s URLs, %(count)s were sent.": later(
        "At most %(most)s URLs are allowed at once; these are %(count)s."
    ),
    "The URL must not contain a user name or password: for Basic authentication use the project's identity or --user.": later(
        "Remove the user name and the password from the URL: they belong in the settings of its project."
    ),
    "The password field is required when privacy is 2.": later("Choose a password. Without one, nobody could open the report."),
    "The password must not be longer than %(most)s bytes.": later("This password is too long."),
    "The password is too long.": later("This password is too long."),
    "The email must be a valid email address.": later("This is not an email address."),
    "There is already an account with that email address.": later("This email address is already used by another person."),
    "The expiry must be in the future.": later("The day must be today or later."),
    "The reason field is required.": later("Enter a reason. It is shown with the finding."),
    "The reason field must not be longer than %(most)s characters.": later("This reason is too long: at most %(most)s characters."),
    "The until field must be a date like 2027-01-31.": later("Enter a date like 2027-01-31."),
    "The until field must not be in the past.": later("The day must be today or later."),
    "The pattern field requires scope project.": later("A pattern applies to the whole project: choose that, or leave the pattern empty."),
    "The pattern must match the URL of this report.": later("The URL of this report does not match this pattern."),
    "The selected language is invalid; allowed: %(names)s.": later("This language is not available."),
    "The body may have at most %(most)s KiB.": later("This is too large: at most %(most)s kB can be sent."),
    "The privacy is not one of the choices.": later("Choose who may see the report."),
}
"""Text for pages by API message or template; other messages suit both."""


def plain(sentence: str, say: Translator) -> str:
    """Return an API message in the wording for pages."""
    return say.text(_plain(sentence))


def _plain(sentence: str) -> str:
    if isinstance(sentence, Message):
        values = {name: _plain(value) if isinstance(value, str) else value for name, value in sentence.values.items()}
        return Message(PLAIN.get(sentence.template, sentence.template), **values)
    return PLAIN.get(sentence, sentence)


def all_errors(error: RequestError, say: Translator) -> str:
    """Return all messages of an error as consecutive sentences."""
    sentences = [sentence for field in error.errors.values() for sentence in field]
    return " ".join(plain(sentence, say) for sentence in sentences or [error.message])
