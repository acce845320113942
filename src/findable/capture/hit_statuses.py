"""Requests of bots, as counted in access logs."""

from enum import IntEnum
from http import HTTPStatus


class HitStatus(IntEnum):
    """Class of the status of a request. The numbers are stored."""

    OK = 0
    NOT_MODIFIED = 1
    """304, which is no redirect."""
    REDIRECT = 2
    MISSING = 3
    """404 or 410."""
    REFUSED = 4
    """401, 403, 406, 429 or 451: the server does not want to serve this client."""
    CLIENT_ERROR = 5
    SERVER_ERROR = 6
    ABORTED = 7
    """The client or the server ended the connection: 499 and 444 of nginx, 000 of CloudFront."""


_SINGLE = {
    HTTPStatus.NOT_MODIFIED: HitStatus.NOT_MODIFIED,
    HTTPStatus.NOT_FOUND: HitStatus.MISSING,
    HTTPStatus.GONE: HitStatus.MISSING,
    HTTPStatus.UNAUTHORIZED: HitStatus.REFUSED,
    HTTPStatus.FORBIDDEN: HitStatus.REFUSED,
    HTTPStatus.NOT_ACCEPTABLE: HitStatus.REFUSED,
    HTTPStatus.TOO_MANY_REQUESTS: HitStatus.REFUSED,
    HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS: HitStatus.REFUSED,
    444: HitStatus.ABORTED,
    499: HitStatus.ABORTED,
}
_BY_HUNDRED = (HitStatus.ABORTED, HitStatus.OK, HitStatus.OK, HitStatus.REDIRECT, HitStatus.CLIENT_ERROR)


def hit_status(status: int) -> HitStatus:
    """Return the class of a status from 0 to 999; 0 stands for none."""
    return _SINGLE.get(status) or (_BY_HUNDRED[status // 100] if status < HTTPStatus.INTERNAL_SERVER_ERROR else HitStatus.SERVER_ERROR)


STATUSES = tuple(int(hit_status(status)) for status in range(1000))
"""Number of the class of each status."""
