"""Parse a sitemap as it arrives: only counts, samples and fingerprints are stored, whatever its size.

expat is used with doctypes rejected: no entities can be declared, so none are expanded. Only one entry at a time is in memory.
"""

from hashlib import blake2b
from typing import ClassVar
from xml.etree.ElementTree import Element, TreeBuilder  # elements only: their parser expands entities
from xml.parsers import expat

from msgspec import Struct, field

from findable import urls
from findable.capture.sitemap_summary import NewsEntries, SitemapEntry, SitemapForm, SitemapSummary
from findable.fetch.decode import Decoder
from findable.formats.dates import date_fault
from findable.lazy_pattern import lazy_pattern

DECODED_CAP_BYTES = 50_000_000
"""Maximum number of decoded bytes that are read. The protocol limits an uncompressed file to 52,428,800 bytes."""
STORED_BODY_BYTES = 256 * 1024
WIRE_CAP_BYTES = 3_000_000
"""Maximum number of bytes of a file for a report of one page; `listed_urls` reads whole files."""
MAX_SAMPLE = 64
MAX_CHILDREN = 100
MAX_BAD = 20
MAX_LASTMOD_VALUES = 1000
MAX_URLS = 100_000
"""Maximum number of URLs that are read: twice the limit of the protocol for one file."""
MAX_ITEMS = 1_000_000
"""Maximum number of elements or lines: more than the largest valid file has."""
MAX_DEPTH = 32
MAX_ENTRY_BYTES = 768 * 1024
"""Maximum size of one entry, and of a tag or comment beside entries."""
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
_NEWS = "http://www.google.com/schemas/sitemap-news/0.9"
_NEWS_ELEMENTS = ("name", "language", "publication_date", "title")
"""Elements that a news entry must have."""
MAX_NEWS_DAYS = 1000
_LAST_HOUR = 23
_W3C_DATE = lazy_pattern(r"\d{4}(?:-\d\d(?:-\d\d(?:T(\d\d):\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?)?)?")
_GZIP = b"\x1f\x8b"
_XML_START = lazy_pattern(rb"^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*<")


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


def _split(name: str) -> tuple[str, str]:
    """Return the namespace, which may be empty, and the local name of an element."""
    namespace, _, local = name.rpartition(" ")
    return namespace, local


def _text_of(element: Element) -> str:
    return ("".join(element.itertext()) if len(element) else element.text or "").strip()


class SitemapReader:
    """Parser of a sitemap, fed with decoded bytes; `summary` describes the entries read so far."""

    most_children: ClassVar[int] = MAX_CHILDREN
    """Maximum number of files of an index."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.listed = ListedPages()
        self._origin, self._host = urls.origin_of(url), urls.host_of(url)
        self._start = b""
        self._parser: expat.XMLParserType | None = None
        self._is_text = False
        self._text_rest = b""
        self._depth = 0
        """Number of open elements."""
        self._entry: TreeBuilder | None = None
        """Elements of the open entry."""
        self._entry_depth = 0
        self._items_count = 0
        self._entry_bytes = 0
        """Bytes since the last entry, or since the last tag or text outside of entries."""
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
        self._entry_bytes += len(data)
        if self._entry_bytes > MAX_ENTRY_BYTES:
            self._error, self._error_line = "an entry, tag or comment is longer than that of any sitemap", parser.CurrentLineNumber
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
        self._count_item()
        if self._depth >= MAX_DEPTH:
            self._error = "elements are nested too deeply for a sitemap"
            raise _StopReading
        self._depth += 1
        if self._entry is None:
            self._entry_bytes = 0
            namespace, local = _split(name)
            if self._depth == 1:
                self._form = _FORMS.get(local.lower(), SitemapForm.OTHER)
                self._namespace = namespace[:MAX_SNIPPET_CHARS]
            elif local == _ITEMS.get(self._form):
                self._entry, self._entry_depth = TreeBuilder(), self._depth
        if self._entry is not None:
            self._entry.start(name, attributes)

    def _count_item(self) -> None:
        self._items_count += 1
        if self._items_count > MAX_ITEMS:
            self._is_full = True
            raise _StopReading

    def _on_text(self, text: str) -> None:
        if self._entry is not None:
            self._entry.data(text)
        else:
            self._entry_bytes = 0

    def _on_end_tag(self, name: str) -> None:
        if self._entry is not None:
            self._entry.end(name)
            if self._depth == self._entry_depth:
                entry, self._entry = self._entry.close(), None
                self._read_entry(entry)
        if self._entry is None:
            self._entry_bytes = 0
        self._depth -= 1

    def _read_entry(self, entry: Element) -> None:
        """Read an entry. Extensions have namespaces, and their parts other parents: only the entry's own children count."""
        own_namespace, _ = _split(entry.tag)
        loc = date = ""
        alternates: list[tuple[str, str]] = []
        for part in entry:
            namespace, local = _split(part.tag)
            is_own = namespace == own_namespace
            if local == "link" and self._form is SitemapForm.ATOM:
                if is_own and not loc and part.get("rel", "alternate").strip().lower() in _ALTERNATE:
                    loc = part.get("href", "").strip()
            elif local == "link" and self._form is SitemapForm.URLSET:
                if code := part.get("hreflang"):
                    alternates.append((code, part.get("href", "")))
            elif is_own and local in ("loc", "link"):
                loc = _text_of(part)[:MAX_TEXT_CHARS]
            elif is_own and local in _DATES:
                date = _text_of(part)[:MAX_TEXT_CHARS]
        self._alternates_count += len(alternates)
        if loc or self._form in {SitemapForm.URLSET, SitemapForm.INDEX}:
            self._add_entry(loc, date)
            self._news.add(loc, entry)
            if alternates and self._form is SitemapForm.URLSET and (key := fingerprint(loc)):
                self._store_alternates(key, tuple(alternates))

    def _store_alternates(self, key: bytes, found: Alternates) -> None:
        if key in self.listed.alternates:
            return
        chars = sum(len(code) + len(href) for code, href in found)
        is_whole = chars <= MAX_ALTERNATES_CHARS and len(found) <= MAX_ENTRY_ALTERNATES
        kept = self._sets.get(found) if is_whole else None
        if kept is None and is_whole and self._sets_chars + chars <= MAX_ALTERNATES_CHARS:
            kept = self._sets[found] = found
            self._sets_chars += chars
        self.listed.alternates[key] = kept

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
        if self._form is SitemapForm.INDEX:
            if len(self._children) < self.most_children:
                self._children.append(loc)
        elif key := fingerprint(loc):
            self.listed.lastmods.setdefault(key, date)
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
        self._count = self._incomplete_count = 0
        self._incomplete: list[tuple[str, str]] = []
        self._days: dict[str, int] = {}
        self._oldest: tuple[str, str] = ("", "")

    def add(self, url: str, entry: Element) -> None:
        """Count the entry of a sitemap, which belongs to this URL, if it is of news."""
        if all(part.tag != f"{_NEWS} news" for part in entry):
            return
        self._count += 1
        parts = {part.tag: _text_of(part)[:MAX_SNIPPET_CHARS] for part in entry.iter()}
        missing = next((name for name in _NEWS_ELEMENTS if not parts.get(f"{_NEWS} {name}")), None)
        if missing is not None:
            self._incomplete_count += 1
            if len(self._incomplete) < MAX_BAD:
                self._incomplete.append((url[:MAX_TEXT_CHARS], missing))
        day = parts.get(f"{_NEWS} publication_date", "")[:10]
        if day and (day in self._days or len(self._days) < MAX_NEWS_DAYS):
            self._days[day] = self._days.get(day, 0) + 1
            self._oldest = min(self._oldest, (day, url[:MAX_TEXT_CHARS])) if self._oldest[0] else (day, url[:MAX_TEXT_CHARS])

    def entries(self) -> NewsEntries | None:
        """Return the counted entries; None if there are none."""
        if not self._count:
            return None
        return NewsEntries(self._count, self._incomplete_count, tuple(self._incomplete), tuple(sorted(self._days.items())), self._oldest[1])


class SitemapStream:
    """Sink of a request for a sitemap: decompresses a ``.gz`` file (not a content coding), stores its beginning and feeds the reader."""

    def __init__(self, reader: SitemapReader) -> None:
        self.start = bytearray()
        self._reader = reader
        self._gzip: Decoder | None = None
        self._signature: bytes | None = b""
        """First bytes of the file while they are too few to tell a ``.gz`` file; then None."""

    def feed(self, data: bytes) -> bool:
        """Process the next bytes of the transfer; return False if no more are needed."""
        if self._signature is not None:
            data = self._signature + data
            if len(data) < len(_GZIP):
                self._signature = data
                return True
            self._signature = None
            self._gzip = Decoder("gzip", DECODED_CAP_BYTES) if data.startswith(_GZIP) else None
        if self._gzip is None:
            return self._feed_reader(data)
        goes_on = self._gzip.feed(data)
        return self._feed_reader(self._gzip.take()) and goes_on

    def _feed_reader(self, data: bytes) -> bool:
        if len(self.start) < STORED_BODY_BYTES:
            self.start += data[: STORED_BODY_BYTES - len(self.start)]
        return self._reader.feed(data) if data else True

    def finish(self) -> bool:
        """Mark the end of the transfer; return False if the file itself is incomplete."""
        if self._signature:
            self._feed_reader(self._signature)
        if self._gzip is not None:
            self._gzip.finish()
            if self._gzip.error or self._gzip.truncated:
                return False
        self._reader.finish()
        return True
