"""Words that pages have of their own: what lists, galleries, forms and variants have, and what a template repeats."""

from collections.abc import Mapping

import pytest

from findable.crawl.own_text import own_words, template_passages, unpack_text
from findable.crawl.record import PageRecord
from tests.crawl.test_records import read
from tests.crawl_sites import text

FEW = "<p>A few words about oak.</p>"
DELIVERY = f"<p>{text('delivery', 60)}</p>"


def record(main: str, *, lang: str = "en", around: str = "") -> PageRecord:
    return read(f"<!doctype html><html lang={lang}><title>Oak</title><body>{around}<main><h1>Oak</h1>{main}</main></body></html>").record


@pytest.mark.parametrize(
    "main",
    [
        f"<p>{text('long', 400)}</p>",
        FEW + "".join(f'<img src="/{n}.jpg" alt="Oak">' for n in range(3)),
        FEW + '<video src="/a.mp4"></video>',
        FEW + "<form><input name=q></form>",
        FEW + "".join("<article>Oak</article>" for _ in range(3)),
        FEW + "<ul>" + "".join(f'<li><a href="/{n}">Oak</a></li>' for n in range(5)) + "</ul>",
        FEW + "<iframe src='/map'></iframe>",
    ],
)
def test_pages_that_show_something_else_are_not_thin(main: str) -> None:
    assert record(main).own_text == b""


def test_what_scripts_build_or_is_not_counted_is_unknown() -> None:
    shell = read("<!doctype html><html lang=en><title>App</title><body><div id=root></div><script src=/app.js></script></body></html>")
    assert (shell.record.own_text, record(FEW, lang="km").own_text) == (None, None)


def words_of(pages: Mapping[str, str]) -> dict[str, int]:
    """Words of their own of pages with these contents."""
    found = {name: record(main).own_text for name, main in pages.items()}
    short = {name: unpack_text(data) for name, data in found.items() if data}
    template = template_passages(short.values())
    return {name: own_words(page, template) for name, page in short.items()}


def test_words_outside_of_header_and_footer_are_counted_in_any_script() -> None:
    around = f"<header><p>{text('menu', 40)}</p><input name=q><img src=/a.png><img src=/b.png><img src=/c.png></header>"
    data = record(FEW, around=around).own_text
    assert data
    assert unpack_text(data).words == 6
    chinese = record("<p>" + "木材桌子是我们城镇手工制作的家具每一张都有自己的历史" * 5 + "</p>", lang="zh").own_text
    assert chinese
    assert unpack_text(chinese).words > 50


def test_what_a_template_repeats_is_nobody_s_own_text() -> None:
    thin = {f"thin-{n}": f"<p>Oak number {n}.</p>{DELIVERY}" for n in range(10)}
    rich = {f"rich-{n}": f"<p>{text(f'rich {n}', 80)}</p>{DELIVERY}" for n in range(3)}
    words = words_of({**thin, **rich})
    assert {name for name, count in words.items() if count < 50} == set(thin)


def test_text_that_variants_share_is_their_own() -> None:
    variants = {f"color-{n}": f"<p>Shirt in color {n}.</p>{DELIVERY}" for n in range(10)}
    others = {f"other-{n}": f"<p>{text(f'other {n}', 90)}</p>" for n in range(10)}
    assert [count for count in words_of({**variants, **others}).values() if count < 50] == []
