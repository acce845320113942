"""Parse robots.txt like RFC 9309 and Google's open-source parser (github.com/google/robotstxt).

Where the two differ, Google's behaviour applies, because other search engines do the same: a missing colon is accepted, frequent
misspellings are understood, ``Allow: /shop/index.html`` also allows ``/shop/``, and a percent-encoded letter does not match the plain
letter.
"""

import re
from collections.abc import Iterator, Sequence
from string import ascii_letters
from unicodedata import category

from msgspec import Struct, field
from msgspec.structs import replace

from findable.formats.encodings import is_utf8
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Code
from findable.wording import later

MAX_BYTES = 500 * 1024
"""Bytes that are parsed (RFC 9309 section 2.5; Google, "How Google interprets the robots.txt specification", 2025)."""
MAX_LINE_BYTES = 2083 * 8 - 1
"""Bytes of a line that are parsed (google/robotstxt, kMaxLineLen)."""
MAX_PROBLEMS = 200
MAX_OTHER_LINES = 1000
CACHED_DECISIONS = 1024
TEXT_CHARS = 300

_SITEMAP_NAMES = ("sitemap", "site-map")
_AGENT_TYPOS = ("useragent", "user agent")
_DISALLOW_TYPOS = ("dissallow", "dissalow", "disalow", "diasllow", "disallaw")
_NOT_SUPPORTED = ("noindex", "nofollow")
"""Rules that Google has ignored since September 2019 and that sites still use."""

_BOM = b"\xef\xbb\xbf"
_LINE_END = lazy_pattern(rb"\r\n|\n|\r")
_TO_ESCAPE = lazy_pattern(rb"%[0-9a-fA-F]{2}|[\x80-\xff]")
_TOKEN = lazy_pattern(r"[a-zA-Z_-]*")
_BLANKS = b" \t\n\v\f\r"


class LineProblem(Code):
    """Kind of problem with a line of robots.txt. Those in `INFORMATIVE` are harmless."""

    RULE_BEFORE_AGENT = "rule_before_agent", later("is before any User-agent line and is not read")
    PATH_START = "path_start", later("the path begins with neither / nor *: it matches nothing")
    """Path that begins with neither ``/`` nor ``*`` and therefore matches nothing."""
    RELATIVE_SITEMAP = "relative_sitemap", later("a sitemap needs its absolute URL")
    NOT_SUPPORTED = "not_supported", later("no search engine reads this here; noindex belongs in the page or its headers")
    """Line with ``noindex:`` or ``nofollow:``, which no search engine supports in robots.txt."""
    EMPTY_AGENT = "empty_agent", later("declares no crawler")
    INVISIBLE_CHARACTER = "invisible_character", later("has an invisible character: the group matches no crawler")
    """User-agent line with an invisible character, so that it matches no crawler."""
    NOT_UTF8 = "not_utf8", later("is not UTF-8")
    TOO_LARGE = "too_large", later("only the first 500 KiB are read")
    LINE_TOO_LONG = "line_too_long", later("the line is too long to be read to its end")
    MISSPELT = "misspelt", later("misspelt: Google understands it, others may not")
    """Misspelled directive that only Google understands."""
    MISSING_COLON = "missing_colon", later("the colon is missing: Google understands it, others may not")
    """Missing colon, which only Google accepts."""
    UNREADABLE = "unreadable", later("is neither a directive nor a comment")
    """Line that is neither a directive nor a comment."""
    UNKNOWN_DIRECTIVE = "unknown_directive"
    """Directive that Google ignores; other crawlers may support it."""


INFORMATIVE = frozenset({LineProblem.UNKNOWN_DIRECTIVE})


class ProblemLine(Struct, frozen=True):
    """Problem with one line of robots.txt; ``line`` 0 means the whole file. ``text`` is the line as written, up to TEXT_CHARS."""

    kind: LineProblem
    line: int
    text: str


class Decision(Struct, frozen=True):
    """Whether robots.txt allows a URL. ``line`` is None and ``rule`` empty if no rule matched."""

    allowed: bool
    line: int | None = None
    rule: str = ""
    """Line as written, without comment and surrounding white space."""
    agent: str = ""
    """Product token whose groups applied, ``*`` for the general groups, empty if no group applied."""

    @property
    def numbered(self) -> str:
        """Rule with the number of its line, like ``2: Disallow: /``; empty if no rule matched."""
        return f"{self.line}: {self.rule}" if self.rule else ""


ALLOWED = Decision(allowed=True)
_OWN_PATH = "/robots.txt"


class SitemapLine(Struct, frozen=True):
    """``Sitemap:`` line of robots.txt; ``url`` is as written."""

    line: int
    url: str


class OtherDirective(Struct, frozen=True):
    """Nonstandard directive such as ``Crawl-delay`` or ``Content-Signal``, with the agents of its group."""

    line: int
    name: str
    """Name as written."""
    value: str
    agents: tuple[str, ...]


class _Pattern(Struct, frozen=True):
    """Path pattern split at each ``*``. ``length`` is its priority."""

    pieces: tuple[str, ...]
    anchored: bool
    length: int

    def matches(self, path: str) -> bool:
        first, *rest = self.pieces
        if not path.startswith(first):
            return False
        if not rest:
            return len(path) == len(first) if self.anchored else True
        last = rest.pop() if self.anchored else ""
        at = len(first)
        for piece in rest:
            found = path.find(piece, at)
            if found < 0:
                return False
            at = found + len(piece)
        return not self.anchored or (path.endswith(last) and len(path) - len(last) >= at)


class _Rule(Struct, frozen=True):
    line: int
    allow: bool
    text: str
    pattern: _Pattern


class _Group(Struct):
    agents: list[str] = field(default_factory=list)
    """Values of the User-agent lines."""
    rules: list[_Rule] = field(default_factory=list)


class RobotsTxt:
    """Parsed robots.txt file, created by `RobotsTxt.parse` and immutable afterwards."""

    def __init__(self) -> None:
        self.sitemaps: list[SitemapLine] = []
        self.problems: list[ProblemLine] = []
        """First MAX_PROBLEMS problems, by line."""
        self.problems_count = 0
        self.others: list[OtherDirective] = []
        """First MAX_OTHER_LINES nonstandard directives."""
        self.lines_count = 0
        self.rules_count = 0
        self._groups: list[_Group] = []
        self._agent_line_open = False
        self._named: dict[tuple[str, ...], tuple[str, tuple[int, ...]]] = {}
        self._ranked: dict[tuple[int, ...], tuple[_Rule, ...]] = {}
        self._decided: dict[tuple[str, tuple[int, ...], str], Decision] = {}
        self._path = ("", "/")
        """URL of the last decision and its path."""

    @classmethod
    def parse(cls, body: bytes) -> "RobotsTxt":
        """Parse robots.txt. Never raises: invalid lines are skipped and reported."""
        made = cls()
        if len(body) > MAX_BYTES:
            made._add_problem(LineProblem.TOO_LARGE, 0, f"{len(body)} bytes")
        for number, line in enumerate(_lines(body[:MAX_BYTES]), 1):
            made.lines_count = number
            made._read_line(number, line)
        return made

    @property
    def agents(self) -> list[str]:
        """Return the values of all User-agent lines, in order, without duplicates."""
        return list(dict.fromkeys(agent for group in self._groups for agent in group.agents))

    def decide(self, product_tokens: Sequence[str], url: str) -> Decision:
        """Decide whether a crawler with these product tokens may fetch the URL.

        All groups of the first token with groups apply together; if no token has groups, the groups of ``*`` apply. The longest matching
        pattern wins, and Allow wins between two of equal length. robots.txt itself is always allowed (RFC 9309, 2.2.2). ``url`` is an
        absolute URL or a path.
        """
        token, groups = self._groups_of(product_tokens)
        if not groups or self._path_of(url) == _OWN_PATH:
            return ALLOWED
        key = (token, groups, url)
        known = self._decided.get(key)
        if known is None:
            if len(self._decided) >= CACHED_DECISIONS:
                self._decided.clear()
            known = self._decided[key] = replace(_decide(self._rules(groups), self._path_of(url)), agent=token)
        return known

    def _path_of(self, url: str) -> str:
        """Return the path that rules are compared with. It is cached, because many crawlers are checked for one URL in a row."""
        if url != self._path[0]:
            self._path = (url, escape_path(path_of(url).encode("utf-8", "surrogatepass")))
        return self._path[1]

    def crawl_delay_s(self, product_tokens: Sequence[str]) -> float | None:
        """Return the ``Crawl-delay`` for these tokens, chosen as in `decide`; None if there is no valid value. Google ignores it."""
        token, _ = self._groups_of(product_tokens)
        delays = (item for item in self.others if item.name.lower() == "crawl-delay")
        named = next((item for item in delays if any(_matches_token(agent, token) for agent in item.agents)), None)
        return _seconds(named.value) if named else None

    def _groups_of(self, product_tokens: Sequence[str]) -> tuple[str, tuple[int, ...]]:
        """Return the first token that has groups, else ``*``, and the indices of these groups; both empty if there are none."""
        tokens = tuple(product_tokens)
        if tokens not in self._named:
            self._named[tokens] = self._find_groups(tokens)
        return self._named[tokens]

    def _find_groups(self, product_tokens: tuple[str, ...]) -> tuple[str, tuple[int, ...]]:
        for token in (*product_tokens, "*"):
            found = tuple(index for index, group in enumerate(self._groups) if any(_matches_token(agent, token) for agent in group.agents))
            if found:
                return token, found
        return "", ()

    def _rules(self, groups: tuple[int, ...]) -> tuple[_Rule, ...]:
        """Return the rules of these groups by priority: longest first, then Allow before Disallow, then by line."""
        if groups not in self._ranked:
            rules = {(rule.allow, rule.pattern): rule for index in reversed(groups) for rule in reversed(self._groups[index].rules)}
            self._ranked[groups] = tuple(sorted(rules.values(), key=lambda rule: (-rule.pattern.length, not rule.allow, rule.line)))
        return self._ranked[groups]

    def _read_line(self, number: int, raw: bytes) -> None:
        if len(raw) > MAX_LINE_BYTES:
            self._add_problem(LineProblem.LINE_TOO_LONG, number, _as_text(raw))
        line = raw[:MAX_LINE_BYTES].partition(b"\0")[0].partition(b"#")[0].strip(_BLANKS)
        if not line:
            return
        if not is_utf8(line):
            self._add_problem(LineProblem.NOT_UTF8, number, _as_text(line))
        pair = _key_and_value(line)
        if pair is None:
            self._add_problem(LineProblem.UNREADABLE, number, _as_text(line))
            return
        if b":" not in line:
            self._add_problem(LineProblem.MISSING_COLON, number, _as_text(line))
        self._directive(number, _as_text(line), *pair)

    def _directive(self, number: int, text: str, name: str, value: bytes) -> None:
        key = name.lower()
        if key.startswith((*_AGENT_TYPOS, *_DISALLOW_TYPOS)):
            self._add_problem(LineProblem.MISSPELT, number, text)
        if key.startswith(("user-agent", *_AGENT_TYPOS)):
            self._agent(number, text, value.decode("utf-8", "replace"))
        elif key.startswith("allow"):
            self._rule(number, text, value, allow=True)
        elif key.startswith(("disallow", *_DISALLOW_TYPOS)):
            self._rule(number, text, value, allow=False)
        elif key.startswith(_SITEMAP_NAMES):
            self._sitemap(number, text, value.decode("utf-8", "replace"))
        else:
            self._other(number, text, name, value.decode("utf-8", "replace"))

    def _agent(self, number: int, text: str, value: str) -> None:
        if not value:
            self._add_problem(LineProblem.EMPTY_AGENT, number, text)
        elif value[0] not in ascii_letters and any(category(char) == "Cf" for char in value):
            self._add_problem(LineProblem.INVISIBLE_CHARACTER, number, text)
        if not self._agent_line_open or not self._groups:
            self._groups.append(_Group())
        self._groups[-1].agents.append(value)
        self._agent_line_open = True

    def _rule(self, number: int, text: str, value: bytes, *, allow: bool) -> None:
        if not self._groups:
            self._add_problem(LineProblem.RULE_BEFORE_AGENT, number, text)
            return
        self._agent_line_open = False
        if value and value[:1] not in b"/*":
            self._add_problem(LineProblem.PATH_START, number, text)
        path = escape_path(value)
        rules = self._groups[-1].rules
        rules.append(_Rule(number, allow, text, _pattern(path)))
        if allow and (directory := _directory(path)) is not None:
            rules.append(_Rule(number, allow, text, directory))
        self.rules_count += 1

    def _sitemap(self, number: int, text: str, value: str) -> None:
        if not value.lower().startswith(("http://", "https://")):
            self._add_problem(LineProblem.RELATIVE_SITEMAP, number, text)
        self.sitemaps.append(SitemapLine(number, value))

    def _other(self, number: int, text: str, name: str, value: str) -> None:
        known_dead = name.lower() in _NOT_SUPPORTED
        self._add_problem(LineProblem.NOT_SUPPORTED if known_dead else LineProblem.UNKNOWN_DIRECTIVE, number, text)
        if len(self.others) < MAX_OTHER_LINES:
            agents = tuple(self._groups[-1].agents) if self._groups else ()
            self.others.append(OtherDirective(number, name[:TEXT_CHARS], value[:TEXT_CHARS], agents))

    def _add_problem(self, kind: LineProblem, number: int, text: str) -> None:
        self.problems_count += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(ProblemLine(kind, number, text))


def product_token(text: str) -> str:
    """Return the product token of a crawler's name: ``Googlebot`` for ``Googlebot/2.1 (+http://…)``."""
    return re.split(r"[\s/;,(]", text.strip(), maxsplit=1)[0]


def pattern_matches(pattern: str, url: str) -> bool:
    """Return whether the path pattern of a Disallow line matches the URL. An empty pattern matches every URL."""
    path = escape_path(path_of(url).encode("utf-8", "surrogatepass"))
    return _pattern(escape_path(pattern.encode("utf-8", "surrogatepass"))).matches(path)


_PATH_BEGINS = lazy_pattern(r"[/?;]")


def path_of(url: str) -> str:
    """Return path, parameters and query of a URL, ``/`` if it has none (google/robotstxt, GetPathParamsQuery)."""
    start = 2 if url.startswith("//") else 0
    scheme_end = url.find("://", start)
    early = _PATH_BEGINS.search(url, start)
    if scheme_end < 0 or (early and early.start() < scheme_end):
        scheme_end = start
    else:
        scheme_end += 3
    found = _PATH_BEGINS.search(url, scheme_end)
    fragment = url.find("#", start)
    if found is None or 0 <= fragment < found.start():
        return "/"
    rest = url[found.start() : fragment if fragment >= 0 else len(url)]
    return rest if rest.startswith("/") else f"/{rest}"


def escape_path(path: bytes) -> str:
    """Percent-encode bytes beyond ASCII and write escapes in upper case (RFC 9309 section 2.2.2).

    google/robotstxt does this for rules only; its caller must do it for URLs.
    """

    def escape(match: re.Match[bytes]) -> bytes:
        found = match[0]
        return found.upper() if len(found) > 1 else b"%%%02X" % found[0]

    return _TO_ESCAPE.sub(escape, path).decode("ascii")


def _lines(body: bytes) -> Iterator[bytes]:
    """Split at LF, CR or CRLF. A complete or partial byte order mark is skipped."""
    marked = 0
    while marked < len(_BOM) and body[marked : marked + 1] == _BOM[marked : marked + 1]:
        marked += 1
    at = marked
    for end in _LINE_END.finditer(body, marked):
        yield body[at : end.start()]
        at = end.end()
    if at < len(body):
        yield body[at:]


def _key_and_value(line: bytes) -> tuple[str, bytes] | None:
    """Return name and value of a line; None if it is no directive. A space between exactly two words counts as a missing colon."""
    name, colon, value = line.partition(b":")
    if not colon:
        words = re.split(rb"[ \t]+", line)
        if len(words) != 2:  # noqa: PLR2004 - a name and a value
            return None
        name, value = words
    name = name.strip(_BLANKS)
    return (name.decode("utf-8", "replace"), value.strip(_BLANKS)) if name else None


def _matches_token(agent: str, token: str) -> bool:
    """Return whether the value of a User-agent line matches the token, up to the first character that tokens cannot contain.

    ``*`` followed by a space and other text still means ``*``. A token with other characters (a digit) is compared with the complete first
    word.
    """
    if token == "*":  # noqa: S105 - the general group
        return agent == "*" or (agent.startswith("*") and agent[1].isspace())
    if _TOKEN.fullmatch(token):
        own = _TOKEN.match(agent)
        return bool(token) and own is not None and own[0].lower() == token.lower()
    return product_token(agent).lower() == token.lower()


def _pattern(path: str) -> _Pattern:
    anchored = path.endswith("$")
    return _Pattern(tuple((path[:-1] if anchored else path).split("*")), anchored, len(path))


def _directory(path: str) -> _Pattern | None:
    folder, slash, file = path.rpartition("/")
    return _pattern(f"{folder}/$") if slash and file.startswith("index.htm") else None


def _decide(rules: tuple[_Rule, ...], path: str) -> Decision:
    for rule in rules:
        if rule.pattern.matches(path):
            # An empty pattern ("Disallow:") forbids nothing.
            return Decision(rule.allow or rule.pattern.length == 0, rule.line, rule.text)
    return ALLOWED


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _as_text(line: bytes) -> str:
    return line[: 4 * TEXT_CHARS].decode("utf-8", "replace").strip()[:TEXT_CHARS]
