"""Appearance, access and browser of reports, as set by an account and overridden by its projects: validation and use cases."""

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import UNSET, UnsetType

from findable.errors import ValidationFailed, require_found, require_valid
from findable.service.accounts.account_admin import email_of
from findable.service.accounts.permissions import reading, require, require_role
from findable.service.projects.sent_columns import sent_columns
from findable.service.reports import stored_images
from findable.service.runtime import audit_log
from findable.service.runtime.browsers import browser_errors
from findable.service.runtime.service import Service
from findable.service.values import brand
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import OWNER, VIEWER, WRITE, Caller
from findable.service.values.presentation import NO_RATING_WORDS
from findable.service.values.project_values import DefaultsUpdate, ReportDefaults
from findable.service.values.views import view_of
from findable.store.inherited_look import READERS_LANGUAGE
from findable.store.rows import AccountRow, ProjectRow
from findable.store.store_protocol import Session
from findable.vocabulary import BrowserUse, Privacy, Rating
from findable.wording import LANGUAGES, Message, later

MAX_BRAND_CHARS = 80
MAX_WORD_CHARS = 30
"""Maximum length of a word for a rating."""
MAX_LOGO_BYTES = 1_000_000
DEFAULT_PRIVACIES = (Privacy.PUBLIC, Privacy.PRIVATE)
"""Access levels that can be a default: each report with a password needs a separate one."""


def get(service: Service, caller: Caller) -> ReportDefaults:
    """Return the defaults of the account. Raises Forbidden for people with access to single projects only."""
    with reading(service, caller, VIEWER) as session:
        return defaults_of(_account(session, caller))


def inherited(service: Service, caller: Caller, project_id: int) -> ReportDefaults:
    """Return the settings of the account, for people who choose overrides in a project."""
    require_role(caller, OWNER, project_id)
    with service.store.read() as session:
        return defaults_of(_account(session, caller))


def has_access_of_projects(service: Service, caller: Caller) -> bool:
    """Return whether a project has a default access to new reports other than the account's, so that forms offer it."""
    with service.store.read() as session:
        return session.projects.has_default_privacy(caller.account_id)


def update(service: Service, caller: Caller, changes: DefaultsUpdate) -> ReportDefaults:
    """Change the fields that were sent. Owners only. Raises ValidationFailed."""
    require(caller, WRITE)
    require_role(caller, OWNER)
    columns, errors = columns_of(service, changes)
    logo = scaled_logo(service, changes.brand_logo, errors)
    require_valid(errors)
    with service.store.write() as session:
        _account(session, caller)
        if changes.brand_logo is not UNSET:
            columns["brand_logo"] = stored_images.store(session, logo) if logo else None
        if columns:
            session.accounts.change(caller.account_id, **columns)
            audit_log.record(session, caller, AuditAction.ACCOUNT_CHANGED, "", fields=", ".join(sorted(columns)))
        return defaults_of(_account(session, caller))


def logo(service: Service, caller: Caller) -> bytes:
    """Return the account's logo as PNG. Raises NotFound."""
    with reading(service, caller, VIEWER) as session:
        row = _account(session, caller)
        return require_found(session.images.data(row.brand_logo))


def _account(session: Session, caller: Caller) -> AccountRow:
    return require_found(session.accounts.by_id(caller.account_id))


def defaults_of(row: AccountRow | ProjectRow) -> ReportDefaults:
    """Return the defaults that an account or project sets, without inherited ones."""
    return view_of(ReportDefaults, row, has_logo=row.brand_logo is not None)


def columns_of(service: Service, changes: DefaultsUpdate, *, of_project: bool = False) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return the columns to write, except the logo, and errors by field."""
    languages = (*LANGUAGES, READERS_LANGUAGE) if of_project else tuple(LANGUAGES)
    texts = (
        ("brand_name", changes.brand_name, _name),
        ("brand_color", changes.brand_color, _color),
        ("brand_reply_to", changes.brand_reply_to, _reply_to),
        ("rating_words", changes.rating_words, _rating_words),
        ("language", changes.language, lambda text: _language(text, languages)),
        ("default_privacy", changes.default_privacy, _privacy),
        ("browser", changes.browser, lambda text: _browser(service, text)),
    )
    errors: dict[str, list[str]] = {}
    return sent_columns(((name, sent, partial(_column, valid)) for name, sent, valid in texts), errors), errors


def _column(valid: Callable[[str], str | int], sent: object) -> str | int | None:
    """Return a text in stored form; None for an empty one."""
    text = "" if sent is None else str(sent).strip()
    return valid(text) if text else None


def scaled_logo(service: Service, data: bytes | UnsetType | None, errors: dict[str, list[str]]) -> stored_images.EncodedImage | None:
    """Return the image, scaled down; None if there is none or it is invalid, which is added to ``errors``."""
    if data is UNSET or not data:
        return None
    if len(data) > MAX_LOGO_BYTES:
        errors["brand_logo"] = [Message(later("The logo may have at most %(most)s MB."), most=MAX_LOGO_BYTES // 1_000_000)]
        return None
    drawn = stored_images.encode(service, data, stored_images.LOGO_BOX)
    if drawn is None:
        errors["brand_logo"] = [later("The image cannot be read. A logo is a PNG, JPEG or WebP file; SVG is not supported.")]
    return drawn


def _name(text: str) -> str:
    text = " ".join(text.split())
    if len(text) > MAX_BRAND_CHARS or not text.isprintable():
        wrong = Message(later("The name must be at most %(most)s characters, none of them a control character."), most=MAX_BRAND_CHARS)
        raise ValidationFailed({"brand_name": [wrong]})
    return text


def _color(text: str) -> str:
    try:
        return brand.parse_color(text)
    except ValueError:
        raise ValidationFailed({"brand_color": [later("The colour must look like #1a5442.")]}) from None


def _reply_to(text: str) -> str:
    if not text.isascii():  # mail servers without SMTPUTF8 would refuse every email
        raise ValidationFailed({"brand_reply_to": [later("The address for replies can contain ASCII characters only.")]})
    return email_of(text, "brand_reply_to")


def _rating_words(text: str) -> str:
    words = [" ".join(word.split()) for word in text.split(",")]
    if words == [NO_RATING_WORDS]:
        return NO_RATING_WORDS
    if len(words) != len(Rating) or not all(0 < len(word) <= MAX_WORD_CHARS and word.isprintable() for word in words):
        wrong = Message(
            later("Enter three words for good, decent and bad, separated by commas, each of at most %(most)s characters."),
            most=MAX_WORD_CHARS,
        )
        raise ValidationFailed({"rating_words": [wrong]})
    return ", ".join(words)


def _language(text: str, allowed: tuple[str, ...]) -> str:
    if text not in allowed:
        wrong = Message(later("The selected language is invalid; allowed: %(names)s."), names=", ".join(allowed))
        raise ValidationFailed({"language": [wrong]})
    return text


def _privacy(text: str) -> int:
    allowed = [str(privacy.value) for privacy in DEFAULT_PRIVACIES]
    if text not in allowed:
        raise ValidationFailed({"default_privacy": [Message(later("Allowed: %(names)s."), names=", ".join(allowed))]})
    return int(text)


def _browser(service: Service, text: str) -> str:
    if text not in {use.value for use in BrowserUse}:
        raise ValidationFailed({"browser": [Message(later("Allowed: %(names)s."), names=", ".join(BrowserUse))]})
    require_valid(browser_errors(service, BrowserUse(text)))
    return text
