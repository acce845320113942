"""Preview tags and the card they make."""

from findable.artifacts.page.social import MAX_TAGS, Preview, Social
from tests.checks.harness import artifacts, page


def test_property_and_name_are_read_alike() -> None:
    found = artifacts(page(head='<meta name="og:title" content=" A  b "><meta property="twitter:card" content="summary">')).get_or_none(
        Social
    )

    assert found is not None
    assert found.content("og:title") == "A b"
    assert found.content("twitter:card") == "summary"
    assert found.missing == ("og:type", "og:image", "og:url")


def test_the_card_falls_back_to_title_and_description() -> None:
    head = '<base href="/x/"><title>T</title><meta name="description" content="D"><meta name="twitter:image" content="a.png">'
    preview = artifacts(page(head=head)).get_or_none(Preview)

    assert preview == Preview("T", "D", "https://www.example.com/x/a.png", "", "")


def test_s26_many_tags_are_cut_and_counted() -> None:
    found = artifacts(page(head='<meta property="og:image" content="/a.png">' * (MAX_TAGS + 3))).get_or_none(Social)

    assert found is not None
    assert (len(found.tags), found.left_count) == (MAX_TAGS, 3)
