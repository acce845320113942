"""Rate limits of callers."""

from findable.service.runtime.request_rates import RateState
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller


def count_request(service: Service, caller: Caller) -> RateState:
    """Count one request of the caller. Never blocks; may be called on the event loop.

    Raises RateLimited (with ``retry_after_s``) above RATE_LIMIT, or the multiple for the account; `state` and `account_state` provide the
    headers for that response too.
    """
    counted = service.rates.count(caller.owner)
    service.account_rates.count(caller.account)
    return counted


def account_state(service: Service, caller: Caller) -> RateState:
    """Return the current window of the caller's account, without counting."""
    return service.account_rates.state(caller.account)


def state(service: Service, caller: Caller) -> RateState:
    """Return the caller's current window, without counting."""
    return service.rates.state(caller.owner)
