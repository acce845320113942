"""The page of components: every macro stands on it, axe-core finds nothing, and colours and sizes of text are set in one place."""

import re
from functools import cache
from pathlib import Path

import pytest

import findable.web.pages
from findable.wording import wording
from tests.accessibility import faults
from tests.browser import DESKTOP_PX, PHONE_PX, Open, needs_chromium, scrolls_sideways
from tests.web.components.example import COMPONENTS, FOLDER, document, write

PAGES = Path(findable.web.pages.__file__).parent
TOKENS = PAGES / "static/style/1-base.css"
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgba?|hsla?|oklch)\(|(?<=: )(?:white|black|red|green)\b")
SIZE = re.compile(r"\bfont(?:-size)?: ([^;]+);")
IN_UNITS_OF_A_DRAWING = re.compile(r"\d+px(?: var\(--text\))?")


@cache
def macros() -> dict[str, str]:
    """The bodies of the macros of components by name."""
    found: dict[str, str] = {}
    for name in COMPONENTS:
        text = (PAGES / "templates" / name).read_text()
        found |= dict(re.findall(r"\{%-? macro (\w+)\(.*?-?%\}(.*?)\{%-? endmacro", text, re.DOTALL))
    return found


def called(text: str) -> set[str]:
    return {name for name in re.findall(r"\b(\w+)\(", text) if name in macros()}


def test_every_macro_of_a_component_is_on_the_page() -> None:
    shown = called((FOLDER / "page.html").read_text())
    left = list(shown)
    while left:
        left += (more := called(macros()[left.pop()]) - shown)
        shown |= more
    assert macros().keys() - shown == set()


def test_colours_and_sizes_of_text_are_tokens() -> None:
    for path in (PAGES / "static").rglob("*.css"):
        if path == TOKENS:
            continue
        rules = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        assert COLOUR.findall(rules) == [], path.name
        sizes = [size for size in SIZE.findall(rules) if not (size == "inherit" or "var(--size-" in size or size.endswith("em"))]
        assert [size for size in sizes if not IN_UNITS_OF_A_DRAWING.fullmatch(size)] == [], path.name
        assert not re.search(r"font-size: [\d.]+rem", rules), path.name


def test_templates_have_no_colours_but_the_papers_of_a_brand() -> None:
    for path in (PAGES / "templates").glob("*.html"):
        text = re.sub(r"\{#.*?#\}", "", path.read_text(), flags=re.DOTALL)
        found = re.findall(r'(?:fill|stroke|style|color)="[^"{]*(#[0-9a-fA-F]{3,8})', text)
        assert found == ([] if path.name != "report_defaults.html" else ["#ffffff", "#151716"]), path.name


def test_the_page_exists_in_german() -> None:
    assert "So setzt sich die Punktzahl zusammen" in document(wording("de"))


@needs_chromium
@pytest.mark.parametrize(("width", "dark"), [(DESKTOP_PX, False), (DESKTOP_PX, True), (PHONE_PX, False), (PHONE_PX, True)])
def test_components_break_no_rule(tmp_path: Path, window: Open, width: int, dark: bool) -> None:
    page = window(width=width, dark=dark)
    page.goto(write(tmp_path).as_uri())
    assert not scrolls_sideways(page)
    assert faults(page) == []
