import pytest

from findable.formats.start_tag import set_attributes

CASES = [
    ('<img src="a.png">', {"alt": "A cat"}, '<img src="a.png" alt="A cat">'),
    ("<img src=a.png alt>", {"alt": ""}, '<img src=a.png alt="">'),
    ('<img src="a.png" />', {"width": "8"}, '<img src="a.png" width="8" />'),
    ('<IMG SRC="a.png" LOADING=lazy>', {"loading": None}, '<IMG SRC="a.png">'),
    ('<script src="a.js">', {"defer": True}, '<script src="a.js" defer>'),
    ("<a href=/x/>", {"rel": "nofollow"}, '<a href=/x/ rel="nofollow">'),
    ("<a\n  title='>' href='x'\n>", {"href": 'y"&<'}, "<a\n  title='>' href=\"y&quot;&amp;&lt;\"\n>"),
    ('<a href="x" href="y">', {"href": "z"}, '<a href="z">'),
    ('<svg xlink:href="a">', {"xlink:href": "b"}, '<svg xlink:href="b">'),
    ("<a =x y>", {"z": "1"}, "<a =x y>"),
    ('<link rel="x "=" " href="a">', {"href": "b"}, '<link rel="x "=" " href="a">'),
    ("not a tag", {"a": "b"}, "not a tag"),
]


@pytest.mark.parametrize(("tag", "changes", "expected"), CASES)
def test_attributes_change_and_the_rest_stays_as_written(tag: str, changes: dict[str, str | bool | None], expected: str) -> None:
    assert set_attributes(tag, changes) == expected
