"""`/account`: which older clients call first."""

from typing import Any

from litestar import Response, get

from findable.service.accounts import account_admin
from findable.service.runtime.app import Service
from findable.service.values.use_cases import Caller
from findable.web.api import response_shapes
from findable.web.api.api_urls import API
from findable.web.api.exchange import ApiRequest, begin, data, reply


@get(f"{API}/account")
async def get_account(request: ApiRequest) -> Response[bytes]:
    """The account of the key."""
    exchange = begin(request)

    def work(service: Service, caller: Caller) -> dict[str, Any]:
        return response_shapes.account(account_admin.info(service, caller), caller)

    return reply(data(await exchange.asked(work), []))
