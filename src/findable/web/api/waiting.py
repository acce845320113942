"""Time that a request waits for a result, from the parameter `wait` and the header `Prefer` (RFC 7240)."""

import re
from collections.abc import Mapping

from msgspec import Struct

from findable.web.api.operation import Call
from findable.web.api.request_models import MAX_WAIT_S, CrawlReadQuery, ReadQuery, WaitQuery
from findable.web.api.validation import value_or

DEFAULT_WAIT_S = 20


class Waiting(Struct, frozen=True):
    """Seconds that a request waits, and the response header if they come from `Prefer`."""

    seconds: int
    headers: Mapping[str, str] = {}


def waiting(call: Call, query: WaitQuery | ReadQuery | CrawlReadQuery, default_s: int) -> Waiting:
    """Return how long a request waits: by the parameter `wait`, else `Prefer`, else the default."""
    asked = value_or(query.wait)
    if asked is not None:
        return Waiting(asked)
    prefer = call.headers.get("prefer", "").lower()
    preferred = re.search(r"(?:^|[,;\s])wait\s*=\s*\"?(\d{1,9})", prefer)
    respond_async = re.search(r"(?:^|[,\s])respond-async(?=$|[,;\s])", prefer) is not None
    applied = ["respond-async"] if respond_async else []
    if preferred:
        seconds = min(int(preferred[1]), MAX_WAIT_S)
        return Waiting(seconds, {"Preference-Applied": ", ".join([*applied, f"wait={seconds}"])})
    return Waiting(0, {"Preference-Applied": applied[0]}) if applied else Waiting(default_s)
