"""Templates to replies. The environment is made once; everything shown is escaped unless it is markup we made ourselves."""

import hashlib
import re
import textwrap
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader
from litestar import Request, Response
from litestar.enums import MediaType
from markupsafe import Markup, escape

from findable.errors import RequestError
from findable.reports.messages import format_value
from findable.urls import parse
from findable.web.context import context_of

PageRequest = Request[Any, Any, Any]


@cache
def environment() -> Environment:
    """The templates."""
    made = Environment(
        loader=PackageLoader("findable.web.pages"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(prose=prose, inline=inline, moment=moment, value=format_value, label=label, href=safe_href, count=counted)
    made.globals["static"] = static_address
    return made


def page(template: str, /, *, status: int = 200, headers: Mapping[str, str] | None = None, **context: Any) -> Response[bytes]:
    """A rendered template."""
    return html(render(template, **context), status, headers)


def render(template: str, /, **context: Any) -> bytes:
    """The bytes of a rendered template."""
    return environment().get_template(template).render(context).encode("utf-8", "replace")


def html(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response[bytes]:
    """HTML that is already bytes."""
    return Response(body, status_code=status, media_type=MediaType.HTML, headers=dict(headers or {}))


def see_other(location: str, cookies: Iterable[str] = ()) -> Response[bytes]:
    """Sends the browser to a path of our own after a form."""
    response = Response(b"", status_code=303, media_type=MediaType.HTML, headers={"Location": location})
    for cookie in cookies:
        response.headers["Set-Cookie"] = cookie
    return response


def error_page(request: PageRequest, error: RequestError, headers: Mapping[str, str]) -> Response[bytes]:
    """An error for people."""
    return page("error.html", status=error.status, headers=headers, error=error, request_id=context_of(request.scope).request_id)


# --- static files -----------------------------------------------------------------------------------------------------

STATIC_TYPES = {"css": "text/css", "svg": "image/svg+xml", "js": "text/javascript"}


@cache
def static_files() -> Mapping[str, bytes]:
    """Name to bytes of each file we serve as it is."""
    folder = resources.files("findable.web.pages") / "static"
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name.rpartition(".")[2] in STATIC_TYPES}


@cache
def static_address(name: str) -> str:
    """The address of a static file; it changes with the file, so that it may be kept for ever."""
    return f"/static/{name}?v={hashlib.sha256(static_files()[name]).hexdigest()[:12]}"


# --- filters ----------------------------------------------------------------------------------------------------------


def prose(text: str) -> Markup:
    """Paragraphs, lists and indented code of a check's documentation; ``literals`` become code."""
    blocks = [block for block in re.split(r"\n\s*\n", text.strip()) if block.strip()]
    if blocks and blocks[0][0].isalpha():
        blocks[0] = blocks[0][0].upper() + blocks[0][1:]  # it stood behind its heading
    return Markup("").join(_block(block) for block in blocks)


def _block(block: str) -> Markup:
    lines = block.strip("\n").splitlines()
    if all(line.startswith("    ") for line in lines):
        return Markup("<pre><code>{}</code></pre>").format(textwrap.dedent("\n".join(lines)))
    if not lines[0].lstrip().startswith("- "):
        return Markup("<p>{}</p>").format(inline(re.sub(r"::$", ":", " ".join(line.strip() for line in lines))))
    items: list[str] = []
    for line in lines:
        if line.lstrip().startswith("- "):
            items.append(line.lstrip()[2:])
        else:
            items[-1] += " " + line.strip()
    return Markup("<ul>{}</ul>").format(Markup("").join(Markup("<li>{}</li>").format(inline(item)) for item in items))


def inline(text: str) -> Markup:
    """One line of text; ``literals`` become code."""
    parts = re.split(r"``(.+?)``", text)
    return Markup("").join(Markup("<code>{}</code>").format(part) if index % 2 else escape(part) for index, part in enumerate(parts))


def moment(text: str) -> Markup:
    """``2026-11-21T10:00:04Z`` for readers."""
    shown = f"{text[:10]} {text[11:16]} UTC"
    return Markup('<time datetime="{}">{}</time>').format(text, shown)


_UNITS = re.compile(r"_(?:ms|s|px|percent|bytes|count)$")
_ACRONYMS = {
    "url": "URL",
    "urls": "URLs",
    "html": "HTML",
    "http": "HTTP",
    "https": "HTTPS",
    "tls": "TLS",
    "dns": "DNS",
    "css": "CSS",
    "ids": "IDs",
    "id": "ID",
    "h1": "H1",
    "txt": "txt",
    "jsonld": "JSON-LD",
    "csp": "CSP",
    "hsts": "HSTS",
    "ip": "IP",
}


def label(name: str) -> str:
    """``first_byte_ms`` to ``First byte``."""
    words = [_ACRONYMS.get(word, word) for word in re.split(r"[_-]+", _UNITS.sub("", name)) if word]
    text = " ".join(words)
    return text[:1].upper() + text[1:]


def safe_href(url: Any) -> str:
    """The address where it may be a link (http and https), else nothing: then it is shown as text."""
    parsed = parse(str(url)) if isinstance(url, str) and len(url) <= 4 * 2048 else None
    return parsed.href if parsed is not None and parsed.is_http else ""


def counted(number: int, one: str, many: str = "") -> str:
    """``1 warning``, ``2 warnings``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
