"""`/account`: which older clients call first."""

from typing import Any

from litestar import Response, get

from findable.service import accounts
from findable.service.app import Service
from findable.service.values import Caller
from findable.web.api import shapes
from findable.web.api.addresses import API
from findable.web.api.exchange import ApiRequest, begin, data, reply


@get(f"{API}/account")
async def get_account(request: ApiRequest) -> Response[bytes]:
    """The account of the key."""
    exchange = begin(request)

    def work(service: Service, caller: Caller) -> dict[str, Any]:
        return shapes.account(accounts.info(service, caller), caller)

    return reply(data(await exchange.asked(work), []))
