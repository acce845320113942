"""Rendering of templates to responses. The environment is created once; everything is escaped except trusted markup."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import cache, lru_cache, partial
from importlib import resources
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, ClassVar
from urllib.parse import quote

from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader
from jinja2.bccache import Bucket
from markupsafe import Markup, escape
from msgspec import Struct
from msgspec.structs import fields
from starlette.responses import Response

from findable.capture.crawl import Narrower
from findable.crawl.changes import ChangeKind
from findable.errors import NotFound, RequestError
from findable.export import pdf
from findable.reports.google_listing import REASON_WORDS
from findable.reports.page_error_text import sentences_of
from findable.reports.project_report import short_url
from findable.reports.prose import Kind, Piece, Span, pieces, spans
from findable.reports.titles import IMPORTANCES, readable_url, summary_of
from findable.service.projects.log_folders import PROBLEM_WORDS
from findable.urls import link_of, origin_part
from findable.vocabulary import Rating, words_of
from findable.web.auth import cookies, has_preview_cookie, session_cookie_name
from findable.web.compression import compressed
from findable.web.pages.shared import lines, untrusted_text
from findable.web.pages.shared.local_times import day_of, moment_of
from findable.web.pages.shared.number_words import column_words, megabytes
from findable.web.pages.shared.problem_words import plain
from findable.web.pages.shared.run_names import name_of
from findable.web.pages.shared.shown_limits import SHOWN_LIMITS
from findable.web.pages.shared.untrusted_text import sentence
from findable.web.problems import MethodNotAllowed
from findable.web.routing import Request
from findable.wording import ENGLISH, LANGUAGES, Translator, best_language, wording


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates of one language in a folder: those of a site report take 0.5 s. A template that has changed replaces its own."""

    folder: ClassVar[Path | None] = None
    """Folder of the service; None before it starts."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a compiled template, if it is there and whole."""
        with suppress(OSError, EOFError, ValueError, UnpicklingError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store a compiled template, if the folder can be written to."""
        with suppress(OSError):
            Path(self.directory).mkdir(mode=0o700, exist_ok=True)
            super().dump_bytecode(bucket)


@lru_cache(maxsize=64)
def environment(say: Translator = ENGLISH) -> Environment:
    """Return the Jinja environment for one language."""
    folder = CompiledTemplates.folder
    made = Environment(
        loader=PackageLoader("findable.web.pages"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
        finalize=untrusted_text.visible_output,
        # filters of constants are compiled in one language
        bytecode_cache=CompiledTemplates(str(folder), f"{say.code}_%s") if folder else None,
    )
    made.install_gettext_callables(say.text, say.form, newstyle=True)  # type: ignore[attr-defined] # the extension adds it
    made.policies["ext.i18n.trimmed"] = True
    made.globals.update(say=say, plural=say.plural)
    made.filters.update(prose=prose, inline=inline, href=safe_href, sentence=sentence)
    made.filters.update(_filters_of_values(say))
    made.globals |= {"static": static_url, "limits": SHOWN_LIMITS, "pdf": pdf}
    return made


def _filters_of_values(say: Translator) -> dict[str, Callable[..., Any]]:
    """Return the filters with which templates show the values of the service in one language."""
    return {
        "megabytes": megabytes,
        "readable": readable_url,
        "short_url": short_url,
        "origin": origin_part,
        "project_url": lines.project_url,
        "project_name": lines.project_name,
        "project_title": lines.project_title,
        "project_icon": lines.project_icon,
        "titled": lines.titled,
        "rated": partial(lines.rated_of, say=say),
        "scored": partial(lines.scored, say=say),
        "project_score": partial(lines.project_score, say=say),
        "sparkline": partial(lines.sparkline, say=say),
        "problem": partial(summary_of, say=say),
        "plain": partial(plain, say=say),
        "sentences": partial(sentences_of, say=say),
        "column_words": partial(column_words, say=say),
        "duration": say.duration,
        "refusal": lambda name: say.text(words_of("refusal", name) or name),
        "run_name": lambda run, view: name_of(run.report, run.run, view.id),
        "rating_words": lambda rating: say(Rating(rating).words),
        "listing_reason": lambda listing: say.text(REASON_WORDS[listing]),
        "language_name": lambda code: LANGUAGES[code].name,
        "importance": lambda importance: say.text(IMPORTANCES.get(importance, "")),
        "words": lambda code: say.text(code.words),
        "change_words": lambda kind: say.text(ChangeKind(kind).words),
        "log_problem": lambda problem: say.text(PROBLEM_WORDS[problem]),
        "narrower": lambda code: say.text(Narrower(str(code)).words),
        "parsed": datetime.fromisoformat,
        "local": lambda at, zone: moment_of(at, say, zone),
        "local_day": lambda at, zone: day_of(at, say, zone),
    }


def render(template: str, say: Translator = ENGLISH, /, **context: Any) -> bytes:
    """Return a rendered template as UTF-8."""
    return environment(say).get_template(template).render(context).encode("utf-8", "replace")


def html(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response with content type HTML."""
    return Response(body, status_code=status, media_type="text/html", headers=dict(headers or {}))


class PageContext(Struct, frozen=True):
    """Base of template contexts: values whose fields are the variables of a template."""


@cache
def template_of(kind: type[PageContext]) -> str:
    """Return the name of the template of a context: ``project_data.html`` for ``ProjectDataPage``."""
    return f"{re.sub(r'(?<!^)(?=[A-Z])', '_', kind.__name__.removesuffix('Page')).lower()}.html"


def page_bytes(page: PageContext, say: Translator) -> bytes:
    """Return a rendered page as UTF-8, in the language of ``say``."""
    return render(template_of(type(page)), say, **variables(page))


def page_response(page: PageContext, say: Translator, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response with a rendered page in the language of ``say``."""
    return html(page_bytes(page, say), status, headers)


def variables(page: PageContext) -> dict[str, Any]:
    """Return the fields of a page by name, with unchanged values."""
    return {field.name: getattr(page, field.name) for field in fields(page)}


def see_other(location: str, cookies: Iterable[str] = ()) -> Response:
    """Redirect the browser to a path of this service after a form was submitted."""
    response = Response(b"", status_code=303, media_type="text/html", headers={"Location": location})
    for cookie in cookies:
        response.headers.append("Set-Cookie", cookie)
    return response


class Bar(Struct, frozen=True):
    """Navigation bar at the top of a page."""

    entry: str
    """Current entry: ``home``, ``projects``, ``account``, ``sign_in``, or empty."""
    is_signed_in: bool
    is_owner: bool = False
    """Whether the person is an owner of the account."""
    is_operator: bool = False
    """Whether the person is an operator of the service."""
    is_preview: bool = False
    """Whether the person looks at a project as a client."""
    brand: str = ""
    """Name of the brand of a client's projects, in place of the service's; empty for none."""
    logo: str = ""
    """URL of its logo."""
    color: str = ""
    """Colour of the brand, ``rrggbb``."""
    person: int = 0
    """Id of the person, to whom an unsent form is shown again; 0 for guests."""


class ErrorPage(PageContext, frozen=True):
    """Variables of error.html."""

    title: str
    message: str
    """Error in a sentence; empty if the title is enough."""
    status: int
    """HTTP status; 0 if it is meaningless to readers."""
    request: str
    """Request id, if the operator can help; otherwise empty."""
    bar: Bar | None = None
    """Navigation bar for people with a session; None for guests."""
    for_guest: bool = False
    """Whether signing in may help. The page shows no URL, so that missing and unshared objects cannot be told apart (S57)."""
    link: tuple[str, str] | None = None
    """URL and words of a page that helps; None for the first page only."""


def error_page(request: Request, error: RequestError, headers: Mapping[str, str]) -> Response:
    """Return an error page in the language of the browser."""
    say = wording(best_language(request.headers.get("accept-language", "")))
    number = request.context.request_id if error.status >= _SERVER_ERRORS else ""
    path, is_guest = request.scope["path"], not _has_session(request)
    title, message, status, link = say.text(error.title), plain(error.message, say), error.status, None
    is_missing = status == NotFound.status
    if is_missing and path.startswith(DOCS):
        title, link = say("Not found"), (DOCS, say("Documentation"))
        message = say("The documentation has no such page. It may have been renamed.")
    elif is_missing and not is_guest:
        title, link = say("Not found"), ("/projects", say("Projects"))
        message = say("This URL does not exist, it was deleted, or it belongs to a project or an account that you have no access to.")
    elif isinstance(error, MethodNotAllowed) and request.scope["method"] == "GET":
        title, link = say("No page here"), (quote(path.rstrip("/").rpartition("/")[0]) or "/", say("To the page with the form"))
        message = say("This URL only receives a form. Open the page that has it.")
    elif is_missing:
        title, status = say("Not found or not shared"), 0
        message = say(
            "This URL does not exist, or you have no access to it. A report may have been deleted or made private, or its link has "
            "expired: ask the person who sent it to you for a new one."
        )
    is_preview = has_preview_cookie(request.service.settings.base_url, request.headers)
    bar = None if is_guest else Bar("", is_signed_in=True, is_preview=is_preview)  # without the database, whose failure may be the error
    shown = ErrorPage(title, message if message != title else "", status, number, bar, for_guest=is_missing and not status, link=link)
    return page_response(shown, say, status=error.status, headers={**headers, "Vary": "Accept-Language"})


def _has_session(request: Request) -> bool:
    return session_cookie_name(request.service.settings.base_url) in cookies(request.headers)


DOCS = "/docs"
_SERVER_ERRORS = 500
"""Lowest status of errors of the service itself."""


# --- static files -----------------------------------------------------------------------------------------------------

STATIC_TYPES = {"css": "text/css", "svg": "image/svg+xml", "js": "text/javascript"}


@cache
def static_files() -> Mapping[str, bytes]:
    """Return the static files by name. The stylesheets of a folder are joined to one file in the order of their names."""
    folder = resources.files("findable.web.pages") / "static"
    whole = {file.name: file.read_bytes() for file in folder.iterdir() if file.name.rpartition(".")[2] in STATIC_TYPES}
    divided = {f"{one.name}.css": sorted(one.iterdir(), key=lambda part: part.name) for one in folder.iterdir() if one.is_dir()}
    return whole | {name: b"\n".join(part.read_bytes() for part in parts) for name, parts in divided.items()}


@cache
def static_compressed(name: str, coding: str) -> bytes:
    """Return a static file in a coding of `compression`, at maximum compression; compressed once."""
    return compressed(coding, static_files()[name])


@cache
def static_url(name: str) -> str:
    """Return the URL of a static file; it contains a hash of the file, so that it may be cached forever."""
    return f"/static/{name}?v={hashlib.sha256(static_files()[name]).hexdigest()[:12]}"


# --- filters ----------------------------------------------------------------------------------------------------------


def prose(text: str, example: str = "") -> Markup:
    """Convert a check's documentation to paragraphs, lists and code, optionally with a label for examples."""
    label = Markup('<p class="above-code">{}</p>').format(example) if example else ""
    return Markup("").join(_piece(piece, label) for piece in pieces(text))


def _piece(piece: Piece, label: str) -> Markup:
    if piece.kind is Kind.CODE:
        return Markup("{}<pre><code>{}</code></pre>").format(label, piece.texts[0])
    if piece.kind is Kind.WORDS:
        return Markup("<p>{}</p>").format(inline(piece.texts[0]))
    return Markup("<ul>{}</ul>").format(Markup("").join(Markup("<li>{}</li>").format(inline(item)) for item in piece.texts))


def inline(text: str) -> Markup:
    """Convert one line of text: ``literals`` become code, ``[words](URL)`` links."""
    return Markup("").join(_span(span) for span in spans(text))


def _span(span: Span) -> Markup:
    if span.url:
        return Markup('<a href="{}" rel="noreferrer">{}</a>').format(span.url, span.text)
    return Markup("<code>{}</code>").format(span.text) if span.is_code else escape(span.text)


def safe_href(url: Any) -> str:
    """Return the URL if it is safe to link to, else an empty text."""
    return link_of(str(url)) if isinstance(url, str) else ""
