"""Redirects of a site: single ones are neither chains nor loops."""

from findable.capture.site_graph import LIST_LIMIT, Redirects
from findable.crawl.site.redirects import Chain, chains_and_loops, crawled_redirects


def load(chain: Chain, is_loop: bool) -> Redirects:
    return Redirects(tuple((str(number), 301) for number in chain), is_loop, inlinks_count=chain[0])


def test_single_redirects_and_ends_of_chains_are_no_chains() -> None:
    assert list(chains_and_loops({1: 9, 2: 9})) == []
    assert list(chains_and_loops({1: 2, 2: 3, 3: 4, 5: 3})) == [((1, 2, 3, 4), False), ((5, 3, 4), False)]


def test_a_loop_is_one_from_wherever_it_is_entered() -> None:
    assert list(chains_and_loops({1: 2, 2: 1})) == [((1, 2, 1), True)]
    assert list(chains_and_loops({1: 2, 2: 1, 3: 1})) == [((3, 1, 2, 1), True)]
    assert list(chains_and_loops({1: 1})) == [((1, 1), True)]


def test_the_longest_chains_come_first_then_those_with_the_most_links() -> None:
    root = crawled_redirects({1: 2, 2: 9, 3: 4, 4: 9, 5: 6, 6: 7, 7: 9, 20: 20}, load)

    assert [chain.hops[0][0] for chain in root.chains] == ["5", "3", "1"]
    assert (root.redirects_count, root.chains_count, root.loops_count) == (8, 3, 1)


def test_chains_are_counted_in_full_and_listed_up_to_the_limit() -> None:
    root = crawled_redirects({**dict.fromkeys(range(2, LIST_LIMIT + 3), 1), 1: 1000}, load)

    assert (len(root.chains), root.chains_count) == (LIST_LIMIT, LIST_LIMIT + 1)
