"""Route `/account`, which older clients call first."""

from findable.service.accounts import account_admin
from findable.web.api import response_shapes
from findable.web.api.operation import Call, Data, Reply, operation


@operation("GET", "/account", {200: Data[response_shapes.Account]})
def get_account(call: Call) -> Reply:
    """Read the account of the key."""
    return Reply(response_shapes.account(account_admin.info(call.service, call.caller), call.caller))
