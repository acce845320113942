import pytest

from findable.artifacts.html.start_tags import whole_tag
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


@pytest.mark.parametrize(
    ("source", "tag"),
    [
        ("<br/>x", "<br/>"),
        ("<a href=\"a>b\" title='>'>x", "<a href=\"a>b\" title='>'>"),
        ('<a b = "c>" d>', '<a b = "c>" d>'),
        ('<a b=">"c=">">x', '<a b=">"c=">">'),
        ("<a href=>x", "<a href=>"),
        ('<img src="/a.jpg" "/><p>Some "text" of the page</p>', '<img src="/a.jpg" "/>'),
        ('<a href=x"y>z" w>', '<a href=x"y>'),
        ('<a "b>" c>', '<a "b>'),
        ('<a title="not closed><p>text', None),
        ("<a href=x", None),
    ],
)
def test_a_quotation_mark_holds_a_tag_open_only_in_a_value(source: str, tag: str | None) -> None:
    assert whole_tag(source, 0) == tag
