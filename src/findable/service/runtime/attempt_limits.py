"""Count wrong passwords: after some free attempts, each further attempt blocks for longer.

A target (an email address, a report) has one counter per network, so that no network blocks people elsewhere, and one for all networks
together, which limits distributed guessing. The second does not apply to networks that used the right password before, so distributed
guessing only blocks new networks.
"""

from collections.abc import Iterable, Mapping
from ipaddress import ip_address, ip_network

from findable.errors import RateLimited
from findable.store.store_protocol import Session
from findable.wording import later

TOO_MANY_PASSWORDS = later("Too many wrong passwords.")
FREE_TRIES = 10
"""Number of free attempts for one target from one network."""
FREE_TRIES_OF_NETWORK = 40
"""Number of free attempts for all targets from one network, which many people may share."""
FREE_TRIES_OF_TARGET = 100
"""Number of free attempts for one target from all networks. Later attempts are limited to one per hour; ten networks are needed to block
new ones.
"""
FIRST_BLOCK_S = 60
LONGEST_BLOCK_S = 3600
ATTEMPTS_EXPIRE_S = 24 * 3600
KNOWN_S = 30 * 24 * 3600
"""Time for which a network counts as known after a successful attempt."""
_RANGE_BITS = {4: 24, 6: 56}
_MAX_DOUBLINGS = 6


def counters(session: Session, kind: str, target: str, address: str) -> dict[str, int]:
    """Return the counters for an attempt from the IP address, each with its number of free attempts."""
    network = network_of(address)
    found = {f"{kind}:{target}:{network}": FREE_TRIES, f"{kind}:network:{network}": FREE_TRIES_OF_NETWORK}
    was_in, _ = session.expiring.bucket(_known_network_key(kind, target, network), session.moment)
    return found if was_in else {**found, f"{kind}:{target}": FREE_TRIES_OF_TARGET}


def remember(session: Session, kind: str, target: str, address: str) -> None:
    """Record that the right password for the target came from this network."""
    session.expiring.set_bucket(_known_network_key(kind, target, network_of(address)), 1, 0, session.moment + KNOWN_S)


def _known_network_key(kind: str, target: str, network: str) -> str:
    return f"{kind}:{target}:{network}:known"


def count_try(session: Session, free: Mapping[str, int], refusal: str = TOO_MANY_PASSWORDS) -> None:
    """Count an attempt before it is made, so that concurrent attempts count too.

    Args:
        session: a writing transaction.
        free: numbers of free attempts by name of the counter.
        refusal: sentence of the error.

    Raises:
        RateLimited: one of the counters is blocked.
    """
    moment = session.moment
    known = {name: session.expiring.bucket(name, moment) for name in sorted(free)}
    blocked_until = max(until for _, until in known.values())
    if blocked_until > moment:
        raise RateLimited(refusal, retry_after_s=blocked_until - moment)
    for name, (count, _) in known.items():
        over = count + 1 - free[name]
        block_s = min(LONGEST_BLOCK_S, FIRST_BLOCK_S * 2 ** min(over, _MAX_DOUBLINGS)) if over >= 0 else 0
        session.expiring.set_bucket(name, count + 1, moment + block_s if block_s else 0, moment + ATTEMPTS_EXPIRE_S)


def undo_counts(session: Session, names: Iterable[str]) -> None:
    """Undo the count of a successful attempt, without resetting the failed ones.

    If a counter is blocked, this attempt blocked it, because no other attempt was possible meanwhile.
    """
    for name in sorted(names):
        count, _ = session.expiring.bucket(name, session.moment)
        session.expiring.set_bucket(name, max(0, count - 1), 0, session.moment + ATTEMPTS_EXPIRE_S)


def network_of(address: str) -> str:
    """Return the /24 or /56 network of an IP address."""
    try:
        ip = ip_address(address)
    except ValueError:
        return "unknown"
    if ip.version == 6 and ip.ipv4_mapped is not None:  # noqa: PLR2004 - a version
        ip = ip.ipv4_mapped
    return str(ip_network(f"{ip}/{_RANGE_BITS[ip.version]}", strict=False))
