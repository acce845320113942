"""Forms that are shown again with errors next to their fields and with the typed values, except passwords."""

from collections.abc import Mapping

from msgspec import Struct, field

from findable.errors import RateLimited, RequestError
from findable.web.bodies import Fields
from findable.web.pages.shared.problem_words import plain
from findable.web.problems import error_headers
from findable.wording import Translator

SECRET = frozenset({"password", "present"})
"""Fields whose values are never sent back."""
_MOMENT_S = 20


class FormView(Struct, frozen=True):
    """Form with its values and errors."""

    values: Mapping[str, str] = field(default_factory=dict)
    """Values of the fields by name."""
    errors: Mapping[str, str] = field(default_factory=dict)
    """Errors by field name."""
    problem: str = ""
    """Error that concerns no single field."""

    @property
    def first_wrong(self) -> str:
        """First field with an error; empty if there is none."""
        return next(iter(self.errors), "")


class Choice(Struct, frozen=True):
    """Option of a form field, filter or menu."""

    value: str
    words: str
    is_chosen: bool
    href: str = ""
    """URL of the choice; empty inside a form."""
    count: int | None = None
    """Number of items behind the choice; None if they are not counted."""
    lang: str = ""
    """Language of the words; empty for the language of the page."""
    at: str = ""
    """Time in the words, RFC 3339; empty without one."""


class SortedColumn(Struct, frozen=True):
    """Column header of a list, with a link that sorts by it."""

    words: str
    href: str
    """URL of the list sorted by this column; empty if it cannot be sorted."""
    order: str
    """Current order: ``ascending``, ``descending`` or empty."""


def rejected_form(fields: Fields, error: RequestError, say: Translator) -> FormView:
    """Return a rejected form with the typed values and the errors of a use case. Errors of ``tracker.url`` belong to the field ``url``."""
    texts = {name: "\n".join(map(str, value)) if isinstance(value, list) else value for name, value in fields.items()}
    typed = {name: value for name, value in texts.items() if isinstance(value, str) and name not in SECRET}
    errors = {name.rpartition(".")[2]: " ".join(plain(sentence, say) for sentence in sentences) for name, sentences in error.errors.items()}
    return FormView(typed, errors, "" if errors else problem_of(error, say))


def problem_of(error: RequestError, say: Translator) -> str:
    """Return an error in one or two sentences, with the time to wait after too many requests."""
    if isinstance(error, RateLimited):
        return f"{plain(error.message, say)} {_retry_sentence(error.retry_after_s or 60, say)}"
    return plain(error.message, say)


def _retry_sentence(wait_s: int, say: Translator) -> str:
    if wait_s < _MOMENT_S:
        return say("Try again in a moment.")
    return say.plural("Try again in %(count)s minute.", "Try again in %(count)s minutes.", -(-wait_s // 60))


def retry_headers(error: RequestError) -> dict[str, str]:
    """Return ``Retry-After`` if the error has one."""
    return error_headers(error) if isinstance(error, RateLimited) else {}
