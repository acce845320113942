"""Sphinx settings for the documentation site; `tools/documentation_site.py` runs Sphinx."""

import sys
from pathlib import Path
from typing import Any

from findable import __version__

sys.path.insert(0, str(Path(__file__).parents[2]))
from tools.documentation_site import chapters

project = "Findable"
author = "The Findable authors"
release = __version__
root_doc = "index"
language = "en"
extensions = ["myst_parser"]
myst_heading_anchors = 4
# The lists of the index are the navigation, so no page is in a toctree.
suppress_warnings = ["toc.not_included"]
html_theme = "theme"
html_theme_path = ["."]
html_title = "Findable"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_permalinks_icon = "#"
smartquotes = False


def setup(app: Any) -> None:
    """Use the lists of the index as the navigation."""
    listed = list(chapters(Path(app.srcdir, "index.md").read_text(encoding="utf-8")))
    found = [{"title": title, "pages": [{"name": name, "title": text} for name, text in pages]} for title, pages in listed]
    in_order = [{"name": name, "title": text} for _, pages in listed for name, text in pages]

    def add(_app: Any, name: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
        place = next((place for place, page in enumerate(in_order) if page["name"] == name), None)
        context["chapters"] = found
        if place is not None:
            after = in_order[place + 1] if place + 1 < len(in_order) else None
            context["beside"] = {"before": in_order[place - 1] if place else None, "after": after}

    app.connect("html-page-context", add)
