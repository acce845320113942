"""Redirects one after the other."""

from collections.abc import Callable

MAX_CHAIN_REDIRECTS = 20


def chain_of(url: int, next_of: Callable[[int], int | None]) -> tuple[tuple[int, ...], bool]:
    """Return a URL followed by its redirect targets in order, and whether they form a loop (the repeated URL is then last)."""
    chain = [url]
    while len(chain) <= MAX_CHAIN_REDIRECTS and (following := next_of(chain[-1])) is not None:
        if following in chain:
            return (*chain, following), True
        chain.append(following)
    return tuple(chain), False
