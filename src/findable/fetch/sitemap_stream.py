"""Parse a sitemap as it arrives: only counts, samples and fingerprints are stored, whatever its size.

expat is used with doctypes rejected: no entities can be declared, so none are expanded.
"""

import re
from hashlib import blake2b
from xml.parsers import expat

from msgspec import Struct, field

from findable import urls
from findable.capture.sitemap_summary import NewsEntries, SitemapEntry, SitemapForm, SitemapSummary
from findable.formats.dates import date_fault

MAX_SAMPLE = 64
MAX_CHILDREN = 100
MAX_BAD = 20
MAX_LASTMOD_VALUES = 1000
MAX_URLS = 100_000
"""Maximum number of URLs that are read: twice the limit of the protocol for one file."""
MAX_ITEMS = 1_000_000
"""Maximum number of elements or lines: more than the largest valid file has."""
MAX_DEPTH = 32
MAX_TOKEN_BYTES = 256 * 1024
"""Maximum size of one tag or comment: older versions of expat parse it again from its start with every piece."""
PIECE_BYTES = 65536
MAX_TEXT_CHARS = 8192
MAX_SNIPPET_CHARS = 300
LOC_MAX_CHARS = 2048
MAX_ALTERNATES_CHARS = 2_000_000
"""Maximum number of characters of the language versions in one file: 2,500 different sets of twenty, for 50,000 pages."""
MAX_ENTRY_ALTERNATES = 1000

_FORMS = {form.value: form for form in SitemapForm if form not in {SitemapForm.TEXT, SitemapForm.OTHER, SitemapForm.EMPTY}}
_ITEMS = {SitemapForm.URLSET: "url", SitemapForm.INDEX: "sitemap", SitemapForm.RSS: "item", SitemapForm.ATOM: "entry"}
_ALTERNATE = {"alternate", "http://www.iana.org/assignments/relation/alternate"}
"""Relations of the page of an Atom entry (RFC 4287 section 4.2.7.2)."""
_DATES = {"lastmod", "pubDate", "updated"}
_READ = {"loc", "link", *_DATES}
_NEWS = "http://www.google.com/schemas/sitemap-news/0.9"
_NEWS_ELEMENTS = ("name", "language", "publication_date", "title")
"""Elements that a news entry must have."""
MAX_NEWS_DAYS = 1000
_LAST_HOUR = 23
_W3C_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:T(\d\d):\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?)?)?")
_XML_START = re.compile(rb"^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*<")


Alternates = tuple[tuple[str, str], ...]
"""Language versions as written: (code, URL)."""


class ListedPages(Struct):
    """Pages in one sitemap file by fingerprint; empty for an index."""

    lastmods: dict[bytes, str] = field(default_factory=dict)
    """Last modification date of every page, empty if it has none, by fingerprint."""
    alternates: dict[bytes, Alternates | None] = field(default_factory=dict)
    """Language versions of pages that have any; None beyond the limit."""


class _StopReading(Exception):
    """Ends the parsing: a doctype occurred, or a limit was reached."""


def fingerprint(url: str) -> bytes | None:
    """Return an eight-byte fingerprint of a normalized URL; None if it is not absolute."""
    normal = urls.join(url, "")
    return blake2b(urls.without_fragment(normal).encode(), digest_size=8).digest() if normal else None


def _is_w3c_date(text: str) -> bool:
    """Return whether a text is a date of the W3C profile of ISO 8601 (NOTE-datetime), and a day of the calendar."""
    found = _W3C_DATE.fullmatch(text)
    return found is not None and date_fault(text) is None and int(found[1] or 0) <= _LAST_HOUR


class SitemapReader:
    """Parser of a sitemap, fed with decoded bytes; `summary` describes the entries read so far."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.listed = ListedPages()
        self._origin, self._host = urls.origin_of(url), urls.host_of(url)
        self._start = b""
        self._parser: expat.XMLParserType | None = None
        self._is_text = False
        self._text_rest = b""
        self._path: list[str] = []
        """Names of the open elements, with their namespaces."""
        self._item_depth = 0
        """Length of the path to the open entry, 0 outside of one."""
        self._items_count = 0
        self._token_bytes = 0
        """Bytes since the end of the last tag or text."""
        self._characters: list[str] | None = None
        self._characters_count = 0
        self._loc = self._date = ""
        self._form = SitemapForm.EMPTY
        self._namespace = ""
        self._decoded_bytes = 0
        self._error, self._error_line = "", 0
        self._has_doctype = False
        self._urls_count = 0
        self._is_full = False
        self._sample: list[SitemapEntry] = []
        self._stride = 1
        self._children: list[str] = []
        self._bad: list[tuple[str, str]] = []
        self._lastmod_count = 0
        self._lastmods: set[str] = set()
        self._alternates_count = 0
        self._alternates: list[tuple[str, str]] = []  # language versions of the current entry
        self._alternates_chars = 0
        self._sets: dict[Alternates, Alternates] = {}
        """Different sets, each stored once: every version of a page lists the same one."""
        self._sets_chars = 0
        self._news = _NewsReader()

    def feed(self, data: bytes) -> bool:
        """Parse the next bytes of the file; return False if the rest cannot or need not be parsed."""
        return all(self._feed_piece(data[start : start + PIECE_BYTES]) for start in range(0, len(data), PIECE_BYTES))

    def _feed_piece(self, data: bytes) -> bool:
        self._decoded_bytes += len(data)
        if self._is_over:
            return False
        if self._parser is None and not self._is_text:
            self._start += data
            if not self._start.strip(b"\xef\xbb\xbf\xff\xfe \t\r\n"):
                return len(self._start) < MAX_TEXT_CHARS
            data = self._start
            if _XML_START.match(data):
                self._parser = self._make_parser()
            else:
                self._is_text = True
                self._form = SitemapForm.TEXT
        if self._is_text:
            return self._feed_text(data)
        return self._parser is None or self._feed_xml(self._parser, data, is_last=False)

    def finish(self) -> None:
        """Parse what is left after the last bytes of the file were fed."""
        if self._is_over:
            return
        if self._parser is not None:
            self._feed_xml(self._parser, b"", is_last=True)
        elif self._is_text and self._text_rest:
            self._feed_text(b"\n")

    def summary(self, *, read_to_end: bool) -> SitemapSummary:
        """Return the summary of the file. ``read_to_end`` means that the transfer is complete and `finish` was called."""
        return SitemapSummary(
            form=self._form,
            namespace=self._namespace,
            urls_count=self._urls_count,
            read_to_end=read_to_end and not self._is_over,
            decoded_bytes=self._decoded_bytes,
            error=self._error,
            error_line=self._error_line,
            has_doctype=self._has_doctype,
            sample=tuple(self._sample),
            children=tuple(self._children),
            lastmod_count=self._lastmod_count,
            lastmod_values_count=len(self._lastmods),
            alternates_count=self._alternates_count,
            bad=tuple(self._bad),
            news=self._news.entries(),
        )

    @property
    def _is_over(self) -> bool:
        return bool(self._error) or self._has_doctype or self._is_full

    # --- XML ----------------------------------------------------------------------------------------------------------

    def _make_parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self._on_start_tag
        parser.EndElementHandler = self._on_end_tag
        parser.CharacterDataHandler = self._on_text
        parser.StartDoctypeDeclHandler = self._on_doctype
        return parser

    def _feed_xml(self, parser: expat.XMLParserType, data: bytes, *, is_last: bool) -> bool:
        self._token_bytes += len(data)
        if self._token_bytes > MAX_TOKEN_BYTES:
            self._error, self._error_line = "a tag or comment is longer than that of any sitemap", parser.CurrentLineNumber
            return False
        try:
            parser.Parse(data, is_last)
        except expat.ExpatError as error:
            self._error, self._error_line = expat.ErrorString(error.code), error.lineno
        except _StopReading:
            return False
        except (LookupError, ValueError) as error:  # an encoding that Python does not know
            self._error = str(error)
        return not self._error

    def _on_doctype(self, name: str, _system: str | None, _public: str | None, _has_subset: int) -> None:
        if name.lower() == "html":
            self._form = SitemapForm.HTML
        self._has_doctype = True
        raise _StopReading

    def _on_start_tag(self, name: str, attributes: dict[str, str]) -> None:
        self._token_bytes = 0
        self._count_item()
        if len(self._path) >= MAX_DEPTH:
            self._error = "elements are nested too deeply for a sitemap"
            raise _StopReading
        namespace, _, local = name.rpartition(" ")
        if not self._path:
            self._form = _FORMS.get(local.lower(), SitemapForm.OTHER)
            self._namespace = namespace[:MAX_SNIPPET_CHARS]
        self._path.append(name)
        if namespace == _NEWS:
            self._news.open(local)
            self._characters, self._characters_count = ([], 0) if local in _NEWS_ELEMENTS else (None, 0)
        elif self._item_depth:
            self._on_part(namespace, local, attributes)
        elif local == _ITEMS.get(self._form) and len(self._path) > 1:
            self._item_depth = len(self._path)
            self._loc = self._date = ""
            self._alternates, self._alternates_chars = [], 0

    def _on_part(self, namespace: str, local: str, attributes: dict[str, str]) -> None:
        """Read an element of an entry. Extensions have namespaces, and their parts other parents: only the entry's own children count."""
        if len(self._path) != self._item_depth + 1:
            return
        is_own = namespace == self._path[self._item_depth - 1].rpartition(" ")[0]
        if local == "link" and self._form is SitemapForm.ATOM:
            if is_own and not self._loc and attributes.get("rel", "alternate").strip().lower() in _ALTERNATE:
                self._loc = attributes.get("href", "").strip()
        elif local == "link" and self._form is SitemapForm.URLSET:
            if attributes.get("hreflang"):
                self._alternates_count += 1
                self._add_alternate(attributes["hreflang"], attributes.get("href", ""))
        elif is_own and local in _READ:
            self._characters, self._characters_count = [], 0

    def _add_alternate(self, code: str, href: str) -> None:
        self._alternates_chars += len(code) + len(href)
        if self._alternates_chars <= MAX_ALTERNATES_CHARS and len(self._alternates) <= MAX_ENTRY_ALTERNATES:
            self._alternates.append((code, href))

    def _store_alternates(self, key: bytes) -> None:
        if not self._alternates or key in self.listed.alternates:
            return
        found = tuple(self._alternates)
        is_whole = self._alternates_chars <= MAX_ALTERNATES_CHARS and len(found) <= MAX_ENTRY_ALTERNATES
        kept = self._sets.get(found) if is_whole else None
        if kept is None and is_whole and self._sets_chars + self._alternates_chars <= MAX_ALTERNATES_CHARS:
            kept = self._sets[found] = found
            self._sets_chars += self._alternates_chars
        self.listed.alternates[key] = kept

    def _count_item(self) -> None:
        self._items_count += 1
        if self._items_count > MAX_ITEMS:
            self._is_full = True
            raise _StopReading

    def _on_text(self, text: str) -> None:
        self._token_bytes = 0
        if self._characters is not None and self._characters_count <= MAX_TEXT_CHARS:
            self._characters.append(text)
            self._characters_count += len(text)

    def _on_end_tag(self, name: str) -> None:
        self._token_bytes = 0
        namespace, _, local = name.rpartition(" ")
        depth = len(self._path)
        if self._path:
            self._path.pop()
        if namespace == _NEWS:
            self._news.add(local, "".join(self._characters or ()).strip()[:MAX_SNIPPET_CHARS])
            self._characters = None
        elif depth == self._item_depth:
            self._item_depth = 0
            if self._loc or self._form in {SitemapForm.URLSET, SitemapForm.INDEX}:
                self._add_entry(self._loc, self._date)
        elif self._characters is not None and depth == self._item_depth + 1:
            text = "".join(self._characters).strip()[:MAX_TEXT_CHARS]
            self._characters = None
            if local in _DATES:
                self._date = text
            else:
                self._loc = text

    # --- text and entries ---------------------------------------------------------------------------------------------

    def _feed_text(self, data: bytes) -> bool:
        *lines, self._text_rest = (self._text_rest + data).replace(b"\r", b"\n").split(b"\n")
        if len(self._text_rest) > MAX_TEXT_CHARS:
            self._error, self._text_rest = "a line is longer than any address", b""
            return False
        for line in lines:
            text = line.decode("utf-8", "replace").strip("\ufeff \t")
            try:
                self._count_item()
                if text:
                    self._add_entry(text, "")
            except _StopReading:
                return False
        return True

    def _add_entry(self, loc: str, date: str) -> None:
        if self._urls_count >= MAX_URLS:
            self._is_full = True
            raise _StopReading
        if self._urls_count % self._stride == 0:
            self._sample.append(SitemapEntry(loc[:MAX_TEXT_CHARS], date[:MAX_SNIPPET_CHARS]))
            if len(self._sample) > MAX_SAMPLE:
                self._sample = self._sample[::2]
                self._stride *= 2
        self._urls_count += 1
        self._news.close(loc)
        if self._form is SitemapForm.INDEX:
            if len(self._children) < MAX_CHILDREN:
                self._children.append(loc)
        elif key := fingerprint(loc):
            self.listed.lastmods.setdefault(key, date)
            self._store_alternates(key)
        self._check_entry(loc, date)

    def _check_entry(self, loc: str, date: str) -> None:
        if len(loc) > LOC_MAX_CHARS:
            self._add_problem("too_long", loc)
        if not loc.startswith(f"{self._origin}/"):
            parsed = urls.parse(loc)
            if parsed is None or not parsed.is_http:
                self._add_problem("not_absolute", loc)
            elif parsed.host != self._host:
                self._add_problem("other_host", loc)
        if date:
            self._lastmod_count += 1
            if len(self._lastmods) < MAX_LASTMOD_VALUES:
                self._lastmods.add(date)
            if self._form in {SitemapForm.URLSET, SitemapForm.INDEX} and not _is_w3c_date(date):
                self._add_problem("lastmod", date)

    def _add_problem(self, kind: str, text: str) -> None:
        if len(self._bad) < MAX_BAD:
            self._bad.append((kind, text[:MAX_SNIPPET_CHARS]))


class _NewsReader:
    """Collector of the news entries of one file."""

    def __init__(self) -> None:
        self._current: dict[str, str] | None = None
        self._count = self._incomplete_count = 0
        self._incomplete: list[tuple[str, str]] = []
        self._days: dict[str, int] = {}
        self._oldest: tuple[str, str] = ("", "")

    def open(self, local: str) -> None:
        """Begin an entry if the element is ``news``."""
        if local == "news":
            self._current = {}

    def add(self, local: str, text: str) -> None:
        """Store the text of an element of the current entry."""
        if self._current is not None and text:
            self._current[local] = text

    def close(self, url: str) -> None:
        """End the current entry, which belongs to this URL, and count it."""
        if self._current is None:
            return
        self._count += 1
        missing = next((name for name in _NEWS_ELEMENTS if name not in self._current), None)
        if missing is not None:
            self._incomplete_count += 1
            if len(self._incomplete) < MAX_BAD:
                self._incomplete.append((url[:MAX_TEXT_CHARS], missing))
        day = self._current.get("publication_date", "")[:10]
        if day and (day in self._days or len(self._days) < MAX_NEWS_DAYS):
            self._days[day] = self._days.get(day, 0) + 1
            self._oldest = min(self._oldest, (day, url[:MAX_TEXT_CHARS])) if self._oldest[0] else (day, url[:MAX_TEXT_CHARS])
        self._current = None

    def entries(self) -> NewsEntries | None:
        """Return the counted entries; None if there are none."""
        if not self._count:
            return None
        return NewsEntries(self._count, self._incomplete_count, tuple(self._incomplete), tuple(sorted(self._days.items())), self._oldest[1])
