"""Print what nothing in the product uses, and fail where there is something: vulture, which is also shown the templates.

Tests do not count as use: what only they call goes, and their test of it too.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from vulture import Vulture

ROOT = Path(__file__).resolve().parent.parent
REGISTERED = [
    "@app.command",
    "@artifact",
    "@check",
    "@event.listens_for",
    "@get",
    "@operation",
    "@person_form",
    "@person_page",
    "@post",
    "@root",
]
"""Decorators that hand a function to something that calls it by another way than its name."""
TEMPLATES = {".html", ".mako", ".txt", ".typ", ".xml"}
MADE = ROOT / "src" / "findable" / "web" / "documentation"
"""Pages of `tools/documentation_site.py`."""
BY_PATH = re.compile(r"findable[\w.]+:(\w+)")
"""Functions that another process imports, and commands that are imported when they are called."""
ENCODED = (
    *(
        "capture/crawl.py",
        "capture/site_graph.py",
        "checks/causes.py",
        "checks/page_fix.py",
        "crawl/",
        "capture/rendering.py",
        "reports/facts",
        "reports/report.py",
        "reports/cheapest_fixes.py",
    ),
    *(
        "notify/outgoing_event.py",
        "export/report_json.py",
        "export/crawl_documents.py",
        "service/values/crawl_values.py",
        "web/api",
        "web/problems.py",
    ),
)
"""Modules whose values are written as JSON: their fields are read by name nowhere."""

ALLOWED = {
    # the demonstration's server: http.server and socketserver call and read these
    "allow_reuse_address": "socketserver",
    "daemon_threads": "socketserver",
    "disable_nagle_algorithm": "socketserver",
    "do_HEAD": "http.server",
    "log_message": "http.server",
    "log_request": "http.server",
    "protocol_version": "http.server",
    "version_string": "http.server",
    "wbufsize": "socketserver",
    # attributes and methods of other libraries' objects
    "CharacterDataHandler": "expat",
    "EndElementHandler": "expat",
    "StartDoctypeDeclHandler": "expat",
    "StartElementHandler": "expat",
    "buffer_text": "expat",
    "MAX_IMAGE_PIXELS": "Pillow",
    "connection_lost": "asyncio",
    "connection_made": "asyncio",
    "converter": "logging",
    "data_received": "asyncio",
    "raiseExceptions": "logging",
    "background": "Starlette",
    "describe": "prometheus_client",
    "get_from_hint_text": "SQLAlchemy",
    "statement_compiler": "SQLAlchemy",
    "isolation_level": "the database drivers",
    # the rest
    "Concatenate": "stands in an annotation that is text",
    "__call__": "calls are not seen by name",
    "_hurry": "a task that nothing refers to may be collected before it ends",
    "trace": "the third argument of __aexit__",
    "bad_lastmod_count": "saved with a page",
    "not_absolute_count": "saved with a page",
    "other_host_count": "saved with a page",
    "too_long_count": "saved with a page",
    "pids": "tests and operators see which processes run",
}


def main() -> int:
    """Print each unused name with its place, and each permission that is no longer needed."""
    vulture = Vulture(ignore_decorators=REGISTERED)
    vulture.scavenge([str(ROOT / folder) for folder in ("src", "tools", "bench")])
    for path in (ROOT / "src").rglob("*"):
        if path.is_relative_to(MADE):
            continue
        if path.suffix in TEMPLATES:
            vulture.used_names.update(re.findall(r"[A-Za-z_]\w+", path.read_text("utf-8")))
        elif path.suffix == ".py":
            vulture.used_names.update(BY_PATH.findall(path.read_text("utf-8")))
    vulture.used_names.update(_encoded_fields())
    unused = [item for item in vulture.get_unused_code() if Path(item.filename).is_relative_to(ROOT / "src")]
    for item in unused:
        if item.name not in ALLOWED:
            print(f"{Path(item.filename).relative_to(ROOT)}:{item.first_lineno}: nothing uses the {item.typ} {item.name}")
    needless = sorted(ALLOWED.keys() - {item.name for item in unused})
    for name in needless:
        print(f"tools/dead_code.py: {name} is used, or is not there any more: take it out of ALLOWED")
    return 1 if needless or any(item.name not in ALLOWED for item in unused) else 0


def _encoded_fields() -> Iterator[str]:
    """Name each field of the value classes in ENCODED."""
    for place in ENCODED:
        path = ROOT / "src" / "findable" / place
        for module in path.rglob("*.py") if path.is_dir() else [path]:
            for node in ast.walk(ast.parse(module.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef):
                    yield from (
                        item.target.id for item in node.body if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
                    )


if __name__ == "__main__":
    sys.exit(main())
