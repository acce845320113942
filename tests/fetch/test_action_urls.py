"""Addresses that are left alone, because a request may change something."""

import pytest

from findable.fetch.action_urls import looks_like_action


@pytest.mark.parametrize(
    "path",
    [
        "/logout",
        "/user/sign-out",
        "/wp-login.php?action=logout&_wpnonce=1",
        "/index.php?action=delete&id=3",
        "/items/3/delete",
        "/account/remove",
        "/unsubscribe/abc",
        "/?add-to-cart=12",
        "/cart/add-to-cart/5",
        "/x?nonce=123",
        "/form?csrf_token=1",
        "/post/9/like",
        "/logout.php",
        "/shop/checkout",
        "/empty-cart",
    ],
)
def test_addresses_that_do_something(path: str) -> None:
    assert looks_like_action(f"https://example.com{path}")


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/delete-your-data",
        "/help/how-to-cancel-an-order",
        "/blog/like-a-rolling-stone",
        "/products/remove-stains",
        "/removal-company",
        "/vote/2026/results",
        "/subscribe/plans",
        "/cart",
        "/login",
        "/search?q=delete",
        "/flags/germany",
        "/announcements",
        "/page?mode=list",
        "/deleted-scenes",
    ],
)
def test_addresses_that_only_speak_of_it(path: str) -> None:
    assert not looks_like_action(f"https://example.com{path}")
