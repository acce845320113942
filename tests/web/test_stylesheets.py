"""Stylesheets and templates fit together: no rule is for a class that no page has."""

import re
from itertools import chain
from pathlib import Path

import findable.web.pages
from findable.vocabulary import Rating, Verdict
from findable.web.pages.shared.page_templates import static_files

TEMPLATES = Path(findable.web.pages.__file__).parent / "templates"
LONGEST_FILE = 500
"""Lines of a file that somebody still finds their way in."""
COMPUTED = {
    *(one.value for one in chain(Rating, Verdict)),
    *("minor", "limiting", "none", "few", "above-code", "scores"),
    *("up", "down", "same", "desktop", "phone"),
    *(f"dot-{one}" for one in Rating),
    *(f"of-{kind}" for kind in ("document", "image", "script", "stylesheet")),
    *(f"level-{number}" for number in range(2, 7)),
    *(f"line-{number}" for number in range(1, 5)),
}
"""Classes that come from values and Python."""


def classes_of_pages() -> set[str]:
    """Names in the class attributes of templates, in their expressions too, and in scripts."""
    found = set(COMPUTED)
    for template in TEMPLATES.glob("*.html"):
        for written in re.findall(r'\bclass="((?:[^"{]|\{\{.*?\}\}|\{%.*?%\})*)"', template.read_text()):
            expressions = re.findall(r"\{[{%].*?[%}]\}", written)
            plain = re.sub(r"\{[{%].*?[%}]\}", " ", written)
            found.update(plain.split(), *(re.findall(r"['\"]([\w-]+)['\"]", one) for one in expressions))
    for name, script in static_files().items():
        if name.endswith(".js"):
            found.update(*(names.split() for names in re.findall(r"class(?:Name|List)[^\n\"']*[\"']([\w -]+)[\"']", script.decode())))
    return found


def test_every_class_of_a_stylesheet_stands_in_a_page() -> None:
    known = classes_of_pages()
    for name, content in static_files().items():
        if name.endswith(".css"):
            rules = re.sub(r"/\*.*?\*/", "", content.decode(), flags=re.DOTALL)
            selectors = (one for one in re.findall(r"([^{}]+)\{", rules) if not one.strip().startswith("@"))
            unused = {found for one in selectors for found in re.findall(r"\.([A-Za-z][\w-]*)", one)} - known
            assert unused == set(), name


def test_stylesheets_are_short_and_those_of_a_folder_are_one() -> None:
    folder = TEMPLATES.parent / "static"
    lengths = {str(path.relative_to(folder)): len(path.read_text().splitlines()) for path in folder.rglob("*.css")}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}
    first, second = sorted((folder / "style").iterdir())[:2]
    assert static_files()["style.css"].startswith(first.read_bytes() + b"\n" + second.read_bytes())
