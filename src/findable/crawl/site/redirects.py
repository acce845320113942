"""Redirects of a crawled site: chains and loops."""

from collections.abc import Callable, Iterator, Mapping

from findable.capture.site_graph import LIST_LIMIT, CrawledRedirects, Redirects
from findable.crawl.redirect_chains import chain_of

Chain = tuple[int, ...]
"""Ids of the URLs of a redirect chain; in a loop, the last one is the first that repeats."""


def crawled_redirects(targets: Mapping[int, int], load: Callable[[Chain, bool], Redirects]) -> CrawledRedirects:
    """Return the chains of two or more redirects, and the loops, the longest first.

    Args:
        targets: id of the target of each URL that redirects.
        load: returns a chain; its second argument: whether it is a loop.
    """
    found = [load(chain, is_loop) for chain, is_loop in chains_and_loops(targets)]
    chains = sorted((item for item in found if not item.is_loop), key=lambda item: (-len(item.hops), -item.inlinks_count, item.hops))
    loops = sorted((item for item in found if item.is_loop), key=lambda item: item.hops)
    return CrawledRedirects(len(targets), tuple(chains[:LIST_LIMIT]), len(chains), tuple(loops[:LIST_LIMIT]), len(loops))


def chains_and_loops(targets: Mapping[int, int]) -> Iterator[tuple[Chain, bool]]:
    """Yield the chains of two or more redirects, without those that are the end of a longer one, and each loop once."""
    inner = set(targets.values())
    loops: dict[frozenset[int], Chain] = {}
    for number in sorted(targets):
        chain, is_loop = chain_of(number, targets.get)
        if is_loop:
            circle = frozenset(chain[chain.index(chain[-1]) :])
            if circle not in loops or number not in circle:  # A URL that leads into the loop shows more.
                loops[circle] = chain
        elif len(chain) > 2 and number not in inner:  # noqa: PLR2004 - two redirects
            yield chain, False
    yield from ((chain, True) for chain in loops.values())
