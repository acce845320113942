"""How much one caller may ask."""

from findable.service.app import Service
from findable.service.values import Caller, RateState


def count_request(service: Service, caller: Caller) -> RateState:
    """Counts one request in the caller's minute. Never blocks; may be called on the event loop.

    Raises RateLimited (with ``retry_after_s``) when RATE_LIMIT is passed; `state` gives the headers for that reply too.
    """
    raise NotImplementedError


def state(service: Service, caller: Caller) -> RateState:
    """The caller's present window, without counting."""
    raise NotImplementedError
