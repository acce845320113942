"""Redirects one after the other."""

from findable.crawl.redirect_chains import chain_of


def test_redirects_are_followed_to_their_end_or_the_loop() -> None:
    assert chain_of(1, {1: 2, 2: 3}.get) == ((1, 2, 3), False)
    assert chain_of(1, {1: 2, 2: 1}.get) == ((1, 2, 1), True)
