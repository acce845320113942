"""Wrong passwords are counted: after some free tries each further one closes the door for longer."""

from collections.abc import Mapping
from ipaddress import ip_address, ip_network

from findable.errors import RateLimited
from findable.store.protocol import Session

FIRST_BLOCK_S = 60
LONGEST_BLOCK_S = 3600
TRIES_KEPT_S = 24 * 3600
_RANGE_BITS = {4: 24, 6: 56}
_MAX_DOUBLINGS = 6


def count_try(session: Session, free: Mapping[str, int], moment: int) -> None:
    """Counts a try before it is made, so that many at once are counted too.

    Args:
        session: a transaction that writes.
        free: names of counters, each with the number of tries that it lets pass.
        moment: now, in seconds.

    Raises:
        RateLimited: one of the counters is blocked.
    """
    known = {name: session.kept.bucket(name, moment) for name in sorted(free)}
    blocked_until = max(until for _, until in known.values())
    if blocked_until > moment:
        raise RateLimited("Too many wrong passwords.", retry_after_s=blocked_until - moment)
    for name, (count, _) in known.items():
        over = count + 1 - free[name]
        block_s = min(LONGEST_BLOCK_S, FIRST_BLOCK_S * 2 ** min(over, _MAX_DOUBLINGS)) if over >= 0 else 0
        session.kept.set_bucket(name, count + 1, moment + block_s if block_s else 0, moment + TRIES_KEPT_S)


def take_back(session: Session, name: str, moment: int) -> None:
    """The try was right: it does not count against those who share the counter, and neither does it make up for their wrong ones.

    A counter that is closed now was closed by this very try: while it was closed nobody else came in.
    """
    count, _ = session.kept.bucket(name, moment)
    session.kept.set_bucket(name, max(0, count - 1), 0, moment + TRIES_KEPT_S)


def network_of(address: str) -> str:
    """The /24 or /56 that an address belongs to."""
    try:
        ip = ip_address(address)
    except ValueError:
        return "unknown"
    if ip.version == 6 and ip.ipv4_mapped is not None:  # noqa: PLR2004 - a version
        ip = ip.ipv4_mapped
    return str(ip_network(f"{ip}/{_RANGE_BITS[ip.version]}", strict=False))
