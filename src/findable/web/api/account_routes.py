"""Routes `/account`, which older clients call first, and `/account/settings`."""

from msgspec import UNSET, UnsetType

from findable.service.accounts import account_admin
from findable.service.projects import report_defaults
from findable.service.values.project_values import DefaultsChanges
from findable.web.api import account_shapes
from findable.web.api.operation import Call, Data, Reply, operation
from findable.web.api.request_models import DefaultsUpdate
from findable.web.bodies import WITH_IMAGE

SETTINGS = "/account/settings"


@operation("GET", "/account", {200: Data[account_shapes.Account]})
def get_account(call: Call) -> Reply:
    """Read the account of the key."""
    return Reply(account_shapes.account(account_admin.info(call.service, call.caller), call.caller))


@operation("GET", SETTINGS, {200: Data[account_shapes.AccountSettings]})
def get_account_settings(call: Call) -> Reply:
    """Read the settings of the account.

    They are the defaults of its projects.
    """
    return Reply(account_shapes.account_settings(report_defaults.get(call.service, call.caller)))


def defaults_sent(body: DefaultsUpdate) -> DefaultsChanges:
    """Return the given changes; null removes a setting, like an empty text."""

    def text(value: str | int | UnsetType | None) -> str | UnsetType:
        return UNSET if value is UNSET else "" if value is None else str(value)

    return DefaultsChanges(
        brand_name=text(body.brand_name),
        brand_color=text(body.brand_color),
        brand_logo=UNSET if body.brand_logo is UNSET else body.brand_logo or b"",
        language=text(body.language),
        default_privacy=text(body.default_privacy),
        browser=text(body.browser),
    )


@operation(
    "PUT",
    SETTINGS,
    {200: Data[account_shapes.AccountSettings]},
    is_partial=True,
    bounds=WITH_IMAGE,
    aliases={"PATCH": "Change the settings of the account, like PUT"},
    example={"brand_name": "Agency", "brand_color": "#1a5442", "language": "de", "default_privacy": 1},
)
def update_account_settings(call: Call, *, body: DefaultsUpdate) -> Reply:
    """Change the settings of the account.

    Only fields that are sent change. Owners of the account only.
    """
    view = report_defaults.update(call.service, call.caller, defaults_sent(body))
    return call.write_reply(Reply(account_shapes.account_settings(view)), call.caller.account_id)
