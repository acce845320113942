"""Shape of the account of a key, and of its settings."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from findable.export.report_json import DateTime
from findable.service.values.account_values import AccountView
from findable.service.values.caller import Caller
from findable.service.values.project_values import ReportDefaults
from findable.values import shape_of
from findable.vocabulary import BrowserUse


class AccountSettings(Struct, frozen=True, kw_only=True):
    """Default appearance, access and browser of reports in an account's projects; null for settings that are not set."""

    object: Literal["account_settings"]
    brand_name: str | None
    brand_color: str | None
    has_logo: bool
    language: str | None
    default_privacy: Literal[0, 1] | None
    browser: BrowserUse | None


class KeyShape(Struct, frozen=True, kw_only=True):
    """The API key of a request."""

    prefix: str
    scopes: Annotated[list[str], Meta(extra_json_schema={"items": {"enum": ["read", "write"]}})]
    expires_at: DateTime | None


class Usage(Struct, frozen=True, kw_only=True):
    """Usage of an account."""

    reports: int
    projects: int


class Account(Struct, frozen=True, kw_only=True):
    """The account of a key."""

    id: int
    object: Literal["account"]
    name: str
    email: str
    created_at: DateTime
    key: KeyShape
    limits: dict[str, int]
    usage: Usage


def default_members(view: ReportDefaults) -> dict[str, Any]:
    """Return the members for appearance and access, with null for settings that are not set."""
    return {"brand_name": view.brand_name or None, "brand_color": view.brand_color or None, "default_privacy": view.default_privacy}


def account_settings(view: ReportDefaults) -> AccountSettings:
    """Return the defaults of an account in the shape of the API."""
    return shape_of(AccountSettings, view, object="account_settings", **default_members(view))


def account(view: AccountView, caller: Caller) -> Account:
    """Return the response of `GET /account`."""
    return shape_of(
        Account,
        view,
        object="account",
        key=KeyShape(prefix=caller.key_prefix, scopes=sorted(caller.scopes), expires_at=caller.key_expires_at),
        usage=Usage(reports=view.reports_count, projects=view.projects_count),
    )
