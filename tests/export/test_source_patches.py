"""Patches of source files: thirty planted faults in a static and a Next.js-like repository, each patch applied by git."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from findable.capture.capture import Capture
from findable.checks.page_fix import Fix, FixPlace
from findable.cli.report_documents import ALL_OF_JSON, document_of
from findable.cli.source_files import SourceFiles, SourceRule
from findable.export.ci_comment import CiComment
from findable.export.ci_subject import document, page_subject
from findable.export.fix_bundle import FixesMarkdown, patch_of, source_of
from findable.export.source_patch import source_patch
from findable.reports.analysis import analyse
from findable.reports.report import Report
from findable.wording import ENGLISH
from tests.checks.harness import capture

ORIGIN = "https://www.example.com"
TEXT = (
    "Our sourdough bread begins with flour from the mill next door. The dough rests for a whole night, because time is what gives bread "
    "its taste. At five in the morning the oven is hot and the first loaves of sourdough go in, forty at a time, on the bare stone. "
    "At seven the shop opens, and what is left at noon is sold for half the price."
)
GOOD = f"""<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Sourdough bread, baked every morning – Mill Lane Bakery</title>
    <meta name="description" content="Sourdough bread from flour, water and salt, baked every morning in Mill Lane and sold from seven.">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta property="og:title" content="Sourdough bread">
    <meta property="og:type" content="article">
    <meta property="og:url" content="{{url}}">
    <meta property="og:image" content="{ORIGIN}/bread.jpg">
    <link rel="canonical" href="{{url}}">
  </head>
  <body>
    <header>
      <nav><a href="/">Mill Lane Bakery</a> <a href="/bread">All our bread</a></nav>
    </header>
    <main class="page">
      <h1>Sourdough bread, baked every morning</h1>
      <p>{TEXT}</p>
      <h2>What is in the bread</h2>
      <p>Flour, water, salt. Nothing else is in our bread, and nothing else needs to be.</p>
    </main>
    <footer><p>Mill Lane Bakery, 12 Mill Lane</p></footer>
  </body>
</html>
"""
FAULTS = {
    "no-lang": (' lang="en"', ""),
    "no-viewport": ('    <meta name="viewport" content="width=device-width, initial-scale=1">\n', ""),
    "zoom": ("initial-scale=1", "initial-scale=1, user-scalable=no"),
    "noindex": ('<link rel="canonical"', '<meta name="robots" content="noindex">\n    <link rel="canonical"'),
    "nofollow": ('<link rel="canonical"', '<meta name="robots" content="nofollow">\n    <link rel="canonical"'),
    "no-canonical": ('    <link rel="canonical" href="{url}">\n', ""),
    "other-og-url": ('og:url" content="{url}"', 'og:url" content="https://www.example.com/old"'),
    "no-description": (re.search(r"    <meta name=\"description.*\n", GOOD)[0], ""),  # type: ignore[index]  # it is in the page
    "insecure-link": ("<h2>", '<p>More at <a href="http://www.example.com/about">our bakery</a>.</p>\n      <h2>'),
    "nofollow-link": ("<h2>", '<p>More about <a rel="nofollow" href="/about">our bakery</a>.</p>\n      <h2>'),
    "localhost-link": ("<h2>", '<p>More about <a href="http://localhost:3000/about">our bakery</a>.</p>\n      <h2>'),
    "frame": ("<h2>", '<iframe src="https://maps.example/mill-lane"></iframe>\n      <h2>'),
    "snippets": ('<link rel="canonical"', '<meta name="robots" content="nosnippet">\n    <link rel="canonical"'),
    "heading-order": ("<h2>What is in the bread</h2>", "<h4>What is in the bread</h4>"),
    "script": ('<link rel="canonical"', '<script src="/a.js"></script>\n    <link rel="canonical"'),
    "insecure-form": ("<h2>", '<form action="http://www.example.com/s"><label>Search <input name="q"></label></form>\n      <h2>'),
    "hreflang": (
        '<link rel="canonical"',
        '<link rel="alternate" hreflang="de" href="https://www.example.com/de">\n    <link rel="canonical"',
    ),
    "no-title": (re.search(r"    <title>.*\n", GOOD)[0], ""),  # type: ignore[index]  # it is in the page
    "insecure-canonical": ('canonical" href="{url}"', 'canonical" href="/x?y"'),
}


def git(folder: Path, *arguments: str, stdin: str = "") -> None:
    done = subprocess.run(["git", *arguments], cwd=folder, input=stdin.encode(), capture_output=True, check=False)
    assert done.returncode == 0, (stdin, done.stderr)


def as_jsx(html: str) -> str:
    """The page as the component that it is rendered from."""
    markup = re.sub(r"<(meta|link|input)([^<>]*?)>", r"<\1\2 />", html.removeprefix("<!doctype html>\n")).replace("class=", "className=")
    return (
        "export default function Page() {\n  return (\n"
        + markup.replace("charset=", "charSet=").replace("hreflang=", "hrefLang=")
        + "  );\n}\n"
    )


def rendered(jsx: str) -> str:
    """The page that a component renders, as React writes it."""
    markup = jsx.partition("return (\n")[2].rpartition("  );\n")[0]
    names = markup.replace("className=", "class=").replace("charSet=", "charset=").replace("hrefLang=", "hreflang=")
    return "<!doctype html>" + re.sub(r"\s+/>", "/>", re.sub(r">\s+<", "><", names)).strip()


def seen(html: str, url: str) -> Capture:
    return capture(html, url=url)


def faults(report: Report) -> dict[str, str]:
    return {finding.id: finding.verdict.value for finding in report.findings if finding.has_problem}


@pytest.mark.parametrize("kind", ["static", "next"])
def test_every_offered_patch_applies_and_fixes_its_finding_and_adds_none(tmp_path: Path, kind: str) -> None:
    git(tmp_path, "init", "-q")
    name = "{}.html" if kind == "static" else "app/{}/page.tsx"
    rules = [SourceRule("/*", "*.html" if kind == "static" else "app/*/page.tsx")]
    planted: dict[str, str] = {}
    for fault, (old, new) in FAULTS.items():
        assert old in GOOD, fault
        html = GOOD.replace(old, new).replace("{url}", f"{ORIGIN}/{fault}")
        file = tmp_path / name.format(fault)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(html if kind == "static" else as_jsx(html))
        planted[fault] = f"{ORIGIN}/{fault}"

    def audit(url: str) -> Report:
        text = (tmp_path / name.format(urlsplit(url).path.strip("/"))).read_text()
        return analyse(seen(text if kind == "static" else rendered(text), url))

    offered, fixed, added, without = [], [], [], []
    for fault, url in planted.items():
        healthy = analyse(seen(GOOD.replace("{url}", url), url))
        before = audit(url)
        problems = [one for one in page_subject(before).problems if one.finding.id not in faults(healthy)]
        assert problems, fault
        patches = {one.finding.id: patch for one in problems if (patch := patch_of(one, SourceFiles(rules, tmp_path)))}
        without += [] if patches else [fault]
        for check, patch in patches.items():
            file = tmp_path / name.format(fault)
            kept = file.read_bytes()
            git(tmp_path, "apply", "-", stdin=patch)
            after = faults(audit(url))
            offered.append((fault, check))
            fixed += [(fault, check)] if check not in after else []
            known = faults(healthy) | faults(before)  # a page that is not indexed hides what the healthy page has too
            added += [(fault, name) for name, verdict in after.items() if known.get(name) not in (verdict, "failed")]
            file.write_bytes(kept)

    assert set(without) <= {"frame", "nofollow-link", "script"}, without
    assert len(fixed) >= 0.9 * len(offered)
    assert added == []


BEFORE = '<a href="/x">'
FIX = Fix('<a href="/y">', FixPlace.ELEMENT, BEFORE, 2, 1)


@pytest.mark.parametrize(
    ("path", "text", "fixes"),
    [
        ("x.html", "no such link", [FIX]),
        ("x.html", f"{BEFORE}\n\n{BEFORE}", [FIX]),  # twice, and not at the line of the page
        ("x.html", f"{BEFORE}\n", [FIX, Fix("X-A: b", FixPlace.HEADER)]),
        ("x.html", f"{BEFORE}\n", [FIX, FIX]),
        ("x.html", "</head></head>", [Fix("<meta>", FixPlace.HEAD)]),
        ("x.tsx", f"{BEFORE}\n", [Fix('<a onclick="go()" href="/y">', FixPlace.ELEMENT, BEFORE)]),
        ("x.tsx", f"{BEFORE}\n", [Fix('<a href="/{y}">', FixPlace.ELEMENT, BEFORE)]),
        ('x".html', f"{BEFORE}\n", [FIX]),
        ("x.html", f"{BEFORE}\n", []),
    ],
)
def test_a_fix_that_does_not_apply_exactly_has_no_patch(path: str, text: str, fixes: list[Fix]) -> None:
    assert source_patch(path, text, fixes) == ""


@pytest.mark.parametrize("text", [f"a\r\n{BEFORE}\r\nb\r\n", f"{BEFORE}\nb", f"a\n{BEFORE}\n{BEFORE}\n", f"ä\u2028{BEFORE}\n"])
def test_line_ends_and_a_place_that_is_exact_survive(tmp_path: Path, text: str) -> None:
    git(tmp_path, "init", "-q")
    file = tmp_path / "x.html"
    file.write_bytes(text.encode())
    git(tmp_path, "apply", "-", stdin=source_patch("x.html", text, [FIX]))

    assert file.read_bytes().decode() == text.replace(BEFORE, FIX.code, 1)


def test_lists_of_fixes_and_comments_show_the_patch_unless_it_could_hide_something(tmp_path: Path) -> None:
    for name, title in (("plain", "Bread"), ("hostile", "Bread ```\u202e")):
        html = GOOD.replace("Sourdough bread, baked every morning – Mill Lane Bakery", title).replace(' lang="en"', "")
        (tmp_path / f"{name}.html").write_text(html.replace("<head>", f"<head><!-- {title} -->"))
    locate = SourceFiles([SourceRule("/*", "*.html")], tmp_path)
    for name in ("plain", "hostile"):
        url = f"{ORIGIN}/{name}"
        subject = page_subject(analyse(seen((tmp_path / f"{name}.html").read_text(), url)))
        (problem,) = (one for one in subject.problems if one.finding.id == "html-lang")
        patch = patch_of(problem, locate)
        markdown, comment = (document(kind(locate), [subject]).decode() for kind in (FixesMarkdown, CiComment))

        assert source_of(problem, locate) == f"{name}.html:2"
        assert patch.startswith(f"--- a/{name}.html\n+++ b/{name}.html\n@@ -1,5 +1,5 @@\n")
        assert (patch in markdown) == (name == "plain")
        indented = "".join(f"  {line}\n" for line in patch.splitlines())
        assert (f"  ```diff\n{indented}  ```\n" in comment) == (name == "plain")
        assert "\u202e" not in markdown + comment


def test_json_has_the_file_and_patch_of_a_finding_whose_file_is_known(tmp_path: Path) -> None:
    (tmp_path / "bread.html").write_text(GOOD.replace(' lang="en"', ""))
    report = analyse(seen((tmp_path / "bread.html").read_text(), f"{ORIGIN}/bread"))

    def results(*rules: SourceRule) -> dict[str, dict[str, Any]]:
        document = document_of("json", 1, SourceFiles(rules, tmp_path), ENGLISH, ALL_OF_JSON)
        return {one["id"]: one for one in json.loads(document.add(report, page_subject(report)))["results"]}

    found = results(SourceRule("/*", "*.html"))
    git(tmp_path, "init", "-q")
    git(tmp_path, "apply", "--check", "-", stdin=found["html-lang"]["patch"])
    assert found["html-lang"]["file"] == "bread.html:2"
    assert {"file", "patch"}.isdisjoint(found["title-present"])
    assert {"file", "patch"}.isdisjoint(found["csp"]), "a header is not in the file of the page"
    assert {"file", "patch"}.isdisjoint(results()["html-lang"])
