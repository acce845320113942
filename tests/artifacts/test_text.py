"""Visible text and main text of a page."""

from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.text import Text
from findable.artifacts.registry import Absent
from findable.vocabulary import Verdict
from tests.checks.harness import artifacts, page


def test_styles_scripts_and_templates_are_not_text() -> None:
    text = artifacts(
        page("<style>a{}</style><script>x</script><template>t</template><noscript>n</noscript><p>One&amp;two<br>three")
    ).get_or_none(Text)

    assert text is not None
    assert text.visible == "One&two three"


def test_readings_in_ruby_annotations_are_not_text() -> None:
    body = "<h1><ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby>の天気</h1><p><ruby>明日<rt>あした</rt></ruby>は雨です。</p>"
    found = artifacts(page(body=body))
    text, headings = found.get(Text), found.get(Headings)

    assert isinstance(text, Text)
    assert text.visible == "東京の天気 明日は雨です。"
    assert isinstance(headings, Headings)
    assert [heading.name for heading in headings.all] == ["東京の天気"]


def test_soft_hyphens_are_not_part_of_words_and_titles() -> None:
    found = artifacts(page(head="<title>Donau\xaddampf&shy;schiff</title>", body="<h1>Donau&shy;dampf\xadschiff</h1>"))
    head, headings = found.get(Head), found.get(Headings)

    assert isinstance(head, Head)
    assert head.title == "Donaudampfschiff"
    assert isinstance(headings, Headings)
    assert [heading.name for heading in headings.all] == ["Donaudampfschiff"]


def test_main_text_of_a_short_page_is_what_stands_outside_the_landmarks() -> None:
    text = artifacts(page("<header>Shop</header><nav>Home About</nav><main>Blue widgets</main><footer>Imprint</footer>")).get_or_none(Text)

    assert text is not None
    assert text.main == "Blue widgets"
    assert text.main_count == 2
    assert text.visible_count == 6


def test_a_page_that_scripts_build_has_no_text_yet() -> None:
    found = artifacts(page('<div id="root"></div><script src="/app.js"></script>')).get(Text)

    assert isinstance(found, Absent)
    assert found.verdict is Verdict.UNKNOWN
