"""Build the documentation site: docs/ as static HTML with offline search, for the service (``/docs``) and any web server.

    tools/documentation_site.py            writes to src/findable/web/documentation
    tools/documentation_site.py FOLDER     writes to that folder

Sphinx builds it. A page that is in no list of docs/README.md, a broken link and every other warning are errors.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "docs"
SETTINGS = Path(__file__).parent / "documentation"
INTO = ROOT / "src" / "findable" / "web" / "documentation"
ICON = ROOT / "src" / "findable" / "web" / "pages" / "static" / "favicon.svg"
FROM_ABOVE = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""Pages outside docs/ that the documentation links to."""
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")
_CHAPTER = re.compile(r"## (?P<title>.+)")


def main(arguments: Sequence[str]) -> int:
    """Write the site."""
    into = Path(arguments[0]).resolve() if arguments else INTO
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "source"), Path(folder, "site")
        gather(source)
        command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "-b", "html", "-c", str(SETTINGS)]
        done = subprocess.run([*command, str(source), str(made)], check=False)
        if done.returncode:
            return done.returncode
        shutil.copy(ICON, made / "_static" / "favicon.svg")
        for needless in ("objects.inv", ".buildinfo", "genindex.html"):
            (made / needless).unlink(missing_ok=True)
        shutil.rmtree(made / ".doctrees", ignore_errors=True)
        for page in made.rglob("*.html"):  # wide tables and code scroll, also with the keyboard
            page.write_text(page.read_text().replace("<table ", '<table tabindex="0" ').replace("<pre>", '<pre tabindex="0">'))
        shutil.rmtree(into, ignore_errors=True)
        shutil.move(made, into)
    print(f"{sum(1 for _ in into.rglob('*.html'))} pages in {into}")
    return 0


def gather(into: Path) -> None:
    """Copy the pages; links to files that are not pages become plain text, because the site is self-contained."""
    shutil.copytree(SOURCE, into)
    for name in FROM_ABOVE:
        shutil.copy(ROOT / name, into / name)
    for page in into.rglob("*.md"):
        own = page.relative_to(into)
        page.write_text(_LINK.sub(partial(_site_link, page=own, into=into), page.read_text()))
    (into / "README.md").rename(into / "index.md")


def _site_link(link: re.Match[str], page: Path, into: Path) -> str:
    """Return a link as it is on the site."""
    target, _, fragment = link["target"].partition("#")
    if not target or "://" in target or target.startswith("mailto:"):
        return link[0]
    above = page.name in FROM_ABOVE and len(page.parts) == 1
    place = _normal(PurePosixPath(target) if above else PurePosixPath("docs", page.parent.as_posix(), target))
    inside = place.removeprefix("docs/") if place.startswith("docs/") else place if place in FROM_ABOVE else ""
    if inside == "README.md":
        inside = "index.md"
    if not inside or not ((into / inside).is_file() or inside == "index.md"):
        return link["text"]
    up = "../" * (len(page.parts) - 1)
    return f"[{link['text']}]({up}{inside}{'#' + fragment if fragment else ''})"


def _normal(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def chapters(index: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Return the chapters of the index: title, and the name and title of each page."""
    found: list[tuple[str, list[tuple[str, str]]]] = []
    for line in index.splitlines():
        if chapter := _CHAPTER.fullmatch(line.strip()):
            found.append((chapter["title"], []))
        elif found and line.startswith("- ") and (link := _LINK.search(line)):
            found[-1][1].append((link["target"].removesuffix(".md"), link["text"]))
    return iter(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
