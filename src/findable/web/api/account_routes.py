"""Routes of the account of an API key: `/account`, which older clients call first, and `/account/settings`."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from findable.service.accounts import account_admin
from findable.service.projects import report_defaults
from findable.service.values.account_values import AccountView
from findable.service.values.caller import Caller
from findable.service.values.project_values import DefaultsUpdate, ReportDefaults
from findable.values import DateTime, shape_of
from findable.vocabulary import BrowserUse
from findable.web.api.operation import Call, Data, Reply, operation
from findable.web.bodies import WITH_IMAGE


class DefaultsShape(Struct, frozen=True, kw_only=True):
    """Appearance, access and browser of reports in an account or project; null for settings that are not set."""

    brand_name: str | None
    brand_color: str | None
    has_logo: bool
    brand_reply_to: str | None
    rating_words: str | None
    language: str | None
    default_privacy: Literal[0, 1] | None
    browser: BrowserUse | None


class AccountSettings(DefaultsShape, frozen=True, kw_only=True):
    """Default appearance, access and browser of reports in an account's projects; null for settings that are not set."""

    object: Literal["account_settings"] = "account_settings"


class KeyShape(Struct, frozen=True, kw_only=True):
    """API key that the request used."""

    prefix: str
    scopes: Annotated[list[str], Meta(extra_json_schema={"items": {"enum": ["accept", "read", "write"]}})]
    expires_at: DateTime | None


class Usage(Struct, frozen=True, kw_only=True):
    """Numbers of reports and projects of an account."""

    reports: int
    projects: int


class Account(Struct, frozen=True, kw_only=True):
    """Account of the API key, with its limits and usage."""

    id: int
    object: Literal["account"] = "account"
    name: str
    email: str
    created_at: DateTime
    key: KeyShape
    limits: dict[str, int]
    usage: Usage


def account_settings(view: ReportDefaults) -> AccountSettings:
    """Return the report defaults of an account in the shape of the API."""
    texts = {name: getattr(view, name) or None for name in ("brand_name", "brand_color", "brand_reply_to", "rating_words")}
    return shape_of(AccountSettings, view, **texts)


def account(view: AccountView, caller: Caller) -> Account:
    """Return the account of a caller in the shape of the API."""
    return shape_of(
        Account,
        view,
        key=KeyShape(prefix=caller.key_prefix, scopes=sorted(caller.scopes), expires_at=caller.key_expires_at),
        usage=Usage(reports=view.reports_count, projects=view.projects_count),
    )


SETTINGS = "/account/settings"


@operation("GET", "/account", {200: Data[Account]})
def get_account(call: Call) -> Reply:
    """Read the account of the key."""
    return Reply(account(account_admin.info(call.service, call.caller), call.caller))


@operation("GET", SETTINGS, {200: Data[AccountSettings]})
def get_account_settings(call: Call) -> Reply:
    """Read the settings of the account.

    They are the defaults of its projects.
    """
    return Reply(account_settings(report_defaults.get(call.service, call.caller)))


@operation(
    "PUT",
    SETTINGS,
    {200: Data[AccountSettings]},
    is_partial=True,
    bounds=WITH_IMAGE,
    aliases={"PATCH": "Change the settings of the account, like PUT"},
    example={"brand_name": "Agency", "brand_color": "#1a5442", "language": "de", "default_privacy": 1},
)
def update_account_settings(call: Call, *, body: DefaultsUpdate) -> Reply:
    """Change the settings of the account.

    Only fields that are sent change. Owners of the account only.
    """
    view = report_defaults.update(call.service, call.caller, body)
    return call.write_reply(Reply(account_settings(view)), call.caller.account_id)
