"""Form for the appearance and access of reports: for the account, and for a project that overrides them."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from findable.service.projects.report_defaults import DEFAULT_PRIVACIES
from findable.service.values.brand import AccentColors, accents
from findable.service.values.presentation import NO_RATING_WORDS
from findable.service.values.project_values import DefaultsUpdate, ReportDefaults
from findable.store.inherited_look import READERS_LANGUAGE
from findable.vocabulary import Privacy
from findable.web.bodies import Kinds
from findable.web.pages.shared.form_fields import Choice, FormView
from findable.web.pages.shared.viewer import SignedInRequest
from findable.wording import LANGUAGES, Translator, later

LOGO = Kinds(files=frozenset({"brand_logo"}))
ACCESSES: Mapping[Privacy, str] = {Privacy.PUBLIC: later("Anyone with the link"), Privacy.PRIVATE: later("Only people with access")}


class LookForm(Struct, frozen=True):
    """Choices and logo of the form for appearance and access."""

    inherited: ReportDefaults
    """Inherited values, which apply to empty fields."""
    accents: AccentColors | None
    """Shades of the colour; None without a colour."""
    logo: str
    """URL of the logo; empty without a logo."""
    languages: tuple[Choice, ...]
    privacies: tuple[Choice, ...]


def brand_values(view: ReportDefaults) -> FormView:
    """Return the form with the stored values of an account or project."""
    privacy = "" if view.default_privacy is None else str(view.default_privacy.value)
    words = view.rating_words
    return FormView(
        {
            "brand_name": view.brand_name,
            "brand_color": view.brand_color,
            "brand_reply_to": view.brand_reply_to,
            "rating_words": "" if words == NO_RATING_WORDS else words,
            "no_rating_words": "1" if words == NO_RATING_WORDS else "",
            "language": view.language or "",
            "default_privacy": privacy,
        }
    )


def look_form(view: ReportDefaults, account: ReportDefaults | None, form: FormView, logo: str, say: Translator) -> LookForm:
    """Return the choices and logo of the form; ``account`` contains the inherited values of a project, None for the form of the account."""
    inherited = account or ReportDefaults()
    color = view.brand_color or inherited.brand_color
    reader = say("Language of the reader's browser")
    names = {code: language.name for code, language in LANGUAGES.items()}
    accesses = {str(privacy.value): say.text(ACCESSES[privacy]) for privacy in DEFAULT_PRIVACIES}
    languages, privacies = {"": reader, **names}, {"": say("Not set: only me"), **accesses}
    if account is not None:
        as_account = later("Account setting: %(value)s")
        languages = {"": say(as_account, value=names.get(account.language or "", reader)), READERS_LANGUAGE: reader, **names}
        access = "" if account.default_privacy is None else str(account.default_privacy.value)
        privacies = {**privacies, "": say(as_account, value=privacies[access])}
    return LookForm(
        inherited,
        accents(color) if color else None,
        logo if view.has_logo else "",
        _choices(languages, form.values.get("language", "")),
        _choices(privacies, form.values.get("default_privacy", "")),
    )


def _choices(words: Mapping[str, str], selected: str) -> tuple[Choice, ...]:
    return tuple(Choice(value, text, value == selected, lang=value if value in LANGUAGES else "") for value, text in words.items())


def sent_brand(request: SignedInRequest) -> DefaultsUpdate:
    """Return the changes in the submitted form. Without a new file the logo does not change."""
    sent = request.fields.get("brand_logo")
    logo: bytes | UnsetType = sent if isinstance(sent, bytes) and sent else UNSET
    if request.text("no_logo"):
        logo = b""
    texts: dict[str, Any] = {
        name: request.text(name) for name in ("brand_name", "brand_color", "brand_reply_to", "language", "default_privacy")
    }
    words = NO_RATING_WORDS if request.text("no_rating_words") else request.text("rating_words")
    return DefaultsUpdate(**texts, brand_logo=logo, rating_words=words)
