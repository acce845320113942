"""Wrong passwords are counted: after some free tries each further one closes the door for longer.

A door (an email address, a report) has a counter for each network that tries it, so that nobody shuts out somebody elsewhere, and one
over all of them, so that many networks do not guess without an end. The second does not count where the right password came from before:
whoever guesses from many networks shuts out newcomers, and nobody who has been in.
"""

from collections.abc import Iterable, Mapping
from ipaddress import ip_address, ip_network

from findable.errors import RateLimited
from findable.store.store_protocol import Session

FREE_TRIES = 10
"""Wrong passwords for one door from one network."""
FREE_TRIES_OF_NETWORK = 40
"""From one network, where many may work, for all doors."""
FREE_TRIES_OF_DOOR = 100
"""For one door from all networks: a guesser has a hundred tries and then one an hour, and needs ten networks to shut newcomers out."""
FIRST_BLOCK_S = 60
LONGEST_BLOCK_S = 3600
TRIES_KEPT_S = 24 * 3600
KNOWN_S = 30 * 24 * 3600
"""A network counts as one from which somebody has been in for so long."""
_RANGE_BITS = {4: 24, 6: 56}
_MAX_DOUBLINGS = 6


def counters(session: Session, kind: str, door: str, address: str, moment: int) -> dict[str, int]:
    """The counters of a try at a door from that IP address, each with the number of tries that it lets pass."""
    network = network_of(address)
    found = {f"{kind}:{door}:{network}": FREE_TRIES, f"{kind}:network:{network}": FREE_TRIES_OF_NETWORK}
    was_in, _ = session.kept.bucket(_known(kind, door, network), moment)
    return found if was_in else {**found, f"{kind}:{door}": FREE_TRIES_OF_DOOR}


def remember(session: Session, kind: str, door: str, address: str, moment: int) -> None:
    """The right password for the door came from there."""
    session.kept.set_bucket(_known(kind, door, network_of(address)), 1, 0, moment + KNOWN_S)


def _known(kind: str, door: str, network: str) -> str:
    return f"{kind}:{door}:{network}:known"


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


def take_back(session: Session, names: Iterable[str], moment: int) -> None:
    """The try was right: it does not count against those who share the counters, and neither does it make up for their wrong ones.

    A counter that is closed now was closed by this very try: while it was closed nobody else came in.
    """
    for name in sorted(names):
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
