"""Outcomes of keyword-overlap: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

TEXT = (
    "A bicycle that has stood in a shed all winter needs about half an hour of care before the first ride. Pump up the tyres, wipe the "
    "chain of the bicycle and put on a drop of oil. Check the brakes one after the other, and turn the wheels to see whether they rub. "
) * 6

STORY = TEXT[:200] + " ".join(f"word{number}" for number in range(300))
TALE = "Haoyu asked Alden about Maren. Then people looked, and for a long time Haoyu and Alden went on to see Maren and Tiberius. " * 12

ARABIC = (
    "إذا كانت الدراجة في المخزن طوال فصل الشتاء فإنها تحتاج إلى نصف ساعة من العناية قبل الرحلة الأولى. انفخ الإطارات وامسح السلسلة وضع "
    "قطرة من الزيت عليها. افحص المكابح واحدا بعد الآخر وأدر العجلات لترى ما إذا كانت تحتك بشيء. "
)
SHELL = "<pre><code>convmv travail graphiques locale utf dry run travail graphiques locale</code></pre>"

OUTCOMES = [
    (
        "a language that was only declared",
        page(
            f"<main><h1>Umhlaba</h1><p>{' '.join(f'izithuba zabantu bale{n} projekithi' for n in range(90))}</p></main>",
            head="<title>Umhlaba</title>",
        ),
        "inapplicable",
    ),
    ("both name it", page(f"<main><h1>Bicycle care</h1><p>{TEXT}</p></main>", head="<title>Care for your bicycle</title>"), "passed"),
    ("another ending", page(f"<main><h1>Caring for bicycles</h1><p>{TEXT}</p></main>", head="<title>Bicycles – Example</title>"), "passed"),
    ("only the title", page(f"<main><h1>News of June</h1><p>{TEXT}</p></main>", head="<title>Bicycle care</title>"), "passed"),
    (
        "a label on the link of the heading",
        page(f'<main><h1><a aria-label="Read more" href="/a">Bicycle care</a></h1><p>{TEXT}</p></main>', head="<title>Bicycle</title>"),
        "passed",
    ),
    (
        "the second main heading",
        page(f"<h1>Example Ltd</h1><main><h1>Bicycle care</h1><p>{TEXT}</p></main>", head="<title>Bicycle</title>"),
        "passed",
    ),
    (
        "words of noscript only",
        page(
            f"<main><h1>News</h1><noscript>{'<p>lantern</p>' * 300}</noscript><p>{TEXT}</p></main>", head="<title>Care of a bicycle</title>"
        ),
        "passed",
    ),
    ("a story of persons", page(f"<main><h1>Chapter two</h1><p>{TALE}</p></main>", head="<title>Chapter two</title>"), "inapplicable"),
    (
        "a listing of code",
        page(
            f"<main><h1>Source of example.io</h1><pre>{'def read(self): return self.pointer ' * 80}</pre></main>",
            head="<title>example.io</title>",
        ),
        "inapplicable",
    ),
    ("a short text", page("<h1>Hello</h1><p>Widgets, widgets.</p>"), "inapplicable"),
    ("a story", page(f"<main><h1>Chapter two</h1><p>{STORY}</p></main>", head="<title>Chapter two</title>"), "inapplicable"),
    (
        "words of another script",
        page(
            f"<main><h1>دليل</h1><p>{ARABIC}</p><p>{'travail graphiques locale iso utf linux setup mode ' * 40}</p></main>",
            head="<title>دليل</title>",
            lang="ar",
        ),
        "inapplicable",
    ),
    ("words of code", page(f"<main><h1>News</h1><p>{STORY}</p>{SHELL * 5}</main>", head="<title>News</title>"), "inapplicable"),
    (
        "output of a program",
        page(
            f"<main><h1>News</h1><p>{STORY}</p><p class=computeroutput>{'travail graphiques ' * 5}</p></main>", head="<title>News</title>"
        ),
        "inapplicable",
    ),
    ("no main heading", page(f"<main><h2>Care</h2><p>{TEXT}</p></main>"), "inapplicable"),
    ("no title", page(f"<main><h1>Care</h1><p>{TEXT}</p></main>", head=""), "inapplicable"),
    ("an unsupported language", page("<h1>Cyklar</h1><p>" + "Vi säljer blå cyklar i Stockholm. " * 40 + "</p>", lang="sv"), "inapplicable"),
    (
        "a name of the title in captions",
        page(
            f"<main><h1>News of June</h1><p>{TEXT}</p></main>" + "<figure><figcaption>Ada Moreau</figcaption></figure>" * 20,
            head="<title>Moreau rides</title>",
        ),
        "passed",
    ),
    (
        "the site's name in every part",
        page(f"<main><h1>News of June</h1><p>{TEXT}</p></main>" + "<p>Example Ltd</p>" * 20, head="<title>Example</title>"),
        "warned",
    ),
    ("only the heading", page(f"<main><h1>Bicycle care</h1><p>{TEXT}</p></main>", head="<title>News of June</title>"), "warned"),
    ("neither", page(f"<main><h1>News of June</h1><p>{TEXT}</p></main>", head="<title>Example</title>"), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("keyword-overlap", html) == expected, case


def test_the_text_of_a_heading_counts_beside_its_label() -> None:
    html = page(f'<main><h1><a aria-label="Read more" href="/a">Bicycle care</a></h1><p>{TEXT}</p></main>', head="<title>Bicycle</title>")

    assert "bicycle" in finding("keyword-overlap", html).params["heading_terms"]


def test_german_nouns_are_written_with_capitals() -> None:
    text = "Wir reparieren Autos aller Marken, schnell und ehrlich. Bei uns sprechen Sie mit dem Meister selbst. " * 14
    found = finding("keyword-overlap", page(f"<main><h1>Werkstatt</h1><p>{text}</p></main>", head="<title>Herzlich</title>", lang="de"))
    assert {"Autos", "Marken", "Meister"} <= set(found.params["terms"])
    assert "reparieren" in found.params["terms"]


def test_testimonials_signed_with_the_domain_of_the_page_say_nothing_about_its_topic() -> None:
    signed = "".join(
        f"<p>“[V]ielen Dank für die schnelle Hilfe Nummer{chr(97 + number)} bei meinem Vertrag.” Mail an anwaltniemeyer.de</p>"
        for number in range(26)
    )
    html = page(f"<main><h1>Stimmen</h1>{signed}</main>", head="<title>Anwalt Niemeyer</title>", lang="de")
    found = finding("keyword-overlap", html)

    assert found.verdict.value != "warned", found.params
