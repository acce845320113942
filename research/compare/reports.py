"""Make reports of saved pages with `findable check`, reduced to the values that must not change unintentionally."""

import base64
import gzip
import hashlib
import json
import re
import runpy
import sys
import tempfile
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any

NOW = "2026-11-01T12:00:00Z"
CANONICAL = re.compile(rb"<link\b(?=[^>]*\brel=[\"']?canonical\b)[^>]*\bhref=[\"']?(https?://[^\"'\s>#]+)", re.IGNORECASE)
HEADERS = (
    [["content-type", "text/html; charset=utf-8"], ["cache-control", "max-age=300"], ["server", "nginx"]],
    [["content-type", "text/html"], ["content-security-policy", "upgrade-insecure-requests"], ["x-powered-by", "PHP/8.2.7"]],
    [["content-type", "text/html; charset=utf-8"], ["strict-transport-security", "max-age=300"], ["set-cookie", "seen=1; Path=/"]],
)
LONGEST_TEXT = 80


def saved_pages(folders: list[Path]) -> Iterator[tuple[str, bytes]]:
    """Return all pages in the folders by name: saved pages unchanged, HTML files as saved pages with plausible headers."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            name = f"{folder.name}/{path.relative_to(folder)}".removesuffix(".gz")
            if not name.endswith((".html", ".json")) or path.name == "index.json":
                continue
            body = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            if name.endswith(".html"):
                yield name, _saved(body, Path(name).stem)
            elif body.lstrip().startswith(b"{") and b'"findable.page/' in body:
                yield name, body


def _saved(body: bytes, name: str) -> bytes:
    """Return the saved page of an HTML file at the URL of its canonical link, else at example.com; its name determines the headers."""
    canonical = CANONICAL.search(body)
    url = unescape(canonical[1].decode("ascii", "replace")) if canonical else f"https://www.example.com/{name}"
    digest = hashlib.sha256(name.encode()).digest()
    origin = "/".join(url.split("/")[:3])
    timing = {"dns_ms": 10.0, "connect_ms": 20.0, "tls_ms": 30.0, "first_byte_ms": 160.0 * (1 + digest[1] % 9), "last_byte_ms": 3000.0}
    hop = {"url": url, "status": 200, "headers": {"lines": HEADERS[digest[0] % len(HEADERS)]}, "http_version": "2", "timing": timing}
    try:
        text = {"text": body.decode()}
    except UnicodeDecodeError:
        text = {"base64": base64.b64encode(body).decode()}
    response = {"requested_url": url, "hops": [hop], "body": text, "wire_bytes": len(body) // 4, "content_encoding": "gzip"}
    site = {"origin": origin, "captured_at": NOW, "robots_txt": {"url": f"{origin}/robots.txt", "failure": "not_asked"}}
    page = {"captured_at": NOW, "response": response}
    return json.dumps({"format": "findable.page/2", "page": page, "site": site}).encode()


def recorded(folders: list[Path]) -> dict[str, Any]:
    """Return the reduced report of every page by name."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        page, made = Path(folder) / "page.json", Path(folder) / "report.json"
        for name, saved in saved_pages(folders):
            page.write_bytes(saved)
            made.unlink(missing_ok=True)
            code = _findable("check", str(page), "--format", "json", "--output", str(made))
            found[name] = {"exit": code, **(reduced(json.loads(made.read_bytes())) if made.exists() else {})}
    return found


def _findable(*arguments: str) -> int:
    """Run the command in this process, as `python -m findable` does; return its exit code."""
    before = sys.argv
    sys.argv = ["findable", *arguments]
    try:
        runpy.run_module("findable", run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        return int(ended.code or 0)
    finally:
        sys.argv = before
    return 0


def reduced(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return a report without texts and times."""
    return {
        **{name: report.get(name) for name in ("result", "score", "coverage", "status", "judged_as", "counts")},
        "error": (report.get("error") or {}).get("code"),
        "profile": report["engine"]["profile"],
        "not_asked": sorted(report.get("not_asked") or ()),
        "explained": _without_long_texts(report.get("explained")),
        "categories": {item["id"]: {**item, "id": "", "title": ""} for item in report.get("categories") or ()},
        "findings": {item["id"]: _finding(item) for item in report.get("results") or ()},
        "facts": _without_long_texts(report.get("facts")),
    }


def _finding(item: Mapping[str, Any]) -> dict[str, Any]:
    evidence = [[place.get("line"), place.get("column"), place.get("selector"), place.get("url")] for place in item["evidence"]]
    kept = {name: item.get(name) for name in ("key", "verdict", "importance", "category", "effort", "worth", "lost", "evidence_count")}
    return kept | {"evidence": evidence}


def _without_long_texts(value: Any) -> Any:
    """Return the value with its members in order and long texts as digests."""
    if isinstance(value, dict):
        return {name: _without_long_texts(member) for name, member in sorted(value.items())}
    if isinstance(value, list):
        return [_without_long_texts(member) for member in value]
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return f"sha256:{hashlib.sha256(value.encode('utf-8', 'replace')).hexdigest()[:16]}"
    return value
