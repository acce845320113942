"""What a page loads besides itself."""

from typing import Any

import pytest

from findable.artifacts.registry import Absent
from findable.artifacts.responses.resources import MAX_ELEMENTS, ResourceKind, Resources
from findable.formats.css import background_url, imports, urls
from findable.formats.css_fonts import font_faces
from tests.checks.harness import artifacts, page

SITE = "https://www.example.com"


def resources(body: str = "", head: str = "", **given: Any) -> Resources:
    made = artifacts(page(body, head), **given).get(Resources)
    assert not isinstance(made, Absent)
    return made


def test_scripts_tell_how_they_load() -> None:
    found = resources(
        head="<script src=/a.js></script><script src=/b.js defer></script><script async src=/c.js></script><script type=module src=/d.js></script>"
        '<script nomodule src=/e.js></script><script type="application/ld+json">{}</script><script>let x</script>',
        body="<script src=/f.js></script>",
    )

    assert [script.parser_blocking for script in found.scripts] == [True, False, False, False, False, False, True]
    assert [script.in_head for script in found.scripts] == [True] * 6 + [False]
    assert f"{SITE}/e.js" not in found.requests


def test_style_sheets_that_apply_later_do_not_block() -> None:
    found = resources(
        head='<link rel=stylesheet href=/a.css><link rel="stylesheet" media="print" href=/b.css><link rel="alternate stylesheet" href=/c.css>'
        '<link rel=stylesheet media="(min-width: 900px)" href=/d.css><link rel=preload as=style href=/e.css>'
    )

    assert [(sheet.url, sheet.blocking) for sheet in found.stylesheets] == [
        (f"{SITE}/a.css", True),
        (f"{SITE}/b.css", False),
        (f"{SITE}/d.css", False),
    ]


def test_third_parties_are_other_registrable_domains() -> None:
    found = resources(head="<script src=//cdn.example.com/a.js></script><script src=https://cdn.example.net/a.js></script>")

    assert [script.third_party for script in found.scripts] == [False, True]


def test_a_visit_asks_for_each_address_once_and_for_nothing_lazy() -> None:
    found = resources(
        head="<link rel=preload as=font href=/f.woff2><link rel=icon href=/i.png><link rel=stylesheet href=/a.css><link rel=stylesheet href=/a.css#x>",
        body="<img src=/p.png><img src=/p.png><img loading=lazy src=/q.png><iframe src=https://maps.example.net/></iframe>"
        "<video><source src=/v.webm><source src=/v.mp4></video>",
    )

    assert {url: item.kind for url, item in found.requests.items()} == {
        f"{SITE}/f.woff2": ResourceKind.FONT,
        f"{SITE}/a.css": ResourceKind.STYLESHEET,
        "https://maps.example.net/": ResourceKind.FRAME,
        f"{SITE}/v.webm": ResourceKind.MEDIA,
        f"{SITE}/p.png": ResourceKind.IMAGE,
    }


def test_fonts_come_from_inline_styles_and_fetched_style_sheets() -> None:
    found = resources(
        head='<style>@font-face{font-family:"A";src:url(/a.woff2)}</style><link rel=stylesheet href=/css/s.css>',
        assets={
            f"{SITE}/css/s.css": {
                "body": "/* @font-face{} */@font-face { font-family: B; font-display: SWAP; src: local(x), url('b.woff2') }"
            }
        },
    )

    assert [(face.family, face.display) for _, face in found.font_faces] == [("A", "auto"), ("B", "swap")]
    assert found.font_urls == (f"{SITE}/a.woff2", f"{SITE}/css/b.woff2")


def test_css_is_read_without_its_comments_and_quotes() -> None:
    assert urls("a{b:url( 'x y.png' )} c{d:url(\"z\")} e{f:url(q)}") == ["x y.png", "z", "q"]
    assert font_faces("@font-face{font-family:I;src:local('I')}")[0].urls == ()
    assert background_url("color:red;background: #fff url('a.png') no-repeat") == "a.png"
    assert background_url("list-style:url(a.png)") is None


def test_s26_frames_are_read_up_to_a_cap() -> None:
    found = resources("<iframe></iframe>" * (MAX_ELEMENTS - 1) + '<iframe src="/last"></iframe><iframe src="/beyond"></iframe>')

    assert [item.url.rpartition("/")[2] for item in found.items if item.kind is ResourceKind.FRAME] == ["last"]


def test_elements_with_a_declaration_are_listed_in_order() -> None:
    found = resources('<p style="color: red">a</p><p style>b</p><p style="none">c</p><p style="a:b">d</p>')

    assert [element.text for element in found.style_attributes] == ["a", "d"]


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ('@import "/one.css"; @import url("/two.css");', ["/one.css", "/two.css"]),
        (
            "@charset 'utf-8'; @layer a,b;\n@import 'x.css' layer(base) supports(display: grid) screen;@import url( y.css ) print;",
            ["x.css", "y.css"],
        ),
        ('<!-- /* @import "c.css"; */ @import"d.css"', ["d.css"]),
        (
            "@import url(https://f.example/css2?family=A:wght@400;700&b=1);@IMPORT 'e.css';",
            ["https://f.example/css2?family=A:wght@400;700&b=1", "e.css"],
        ),
        ('p{} @import "x.css";', []),
        ("@import x;", []),
        ("a{background:url(x.png)}", []),
    ],
)
def test_imports(css: str, expected: list[str]) -> None:
    assert imports(css) == expected


def test_long_imports_cost_no_time() -> None:
    assert imports("@import " + " " * 200_000 + "url(" + " " * 200_000) == []
    assert len(imports('@import "a.css";' * 20_000)) == 50
