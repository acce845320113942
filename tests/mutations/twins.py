"""Harmless rewrites: the same page in other letters. Each must leave every verdict as it is, on sound pages and on faulty ones.

A rewrite takes the HTML, the keywords of the harness and a source of chance, and returns both anew.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Keywords = Mapping[str, Any]
Rewrite = Callable[[str, Keywords, random.Random], tuple[str, Keywords]]

_ATTRIBUTE = re.compile(r"""\s*([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?""")
_PIECE = re.compile(
    r"""(?P<opaque><!--.*?(?:-->|\Z)|<!doctype[^>]*>)"""
    r"""|<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9]*)(?P<attributes>(?:"[^"]*"|'[^']*'|[^"'>])*)>""",
    re.DOTALL | re.IGNORECASE,
)
RAW = frozenset({"script", "style", "textarea", "title", "pre", "svg"})
"""Elements whose content is left as it is; a title and a textarea hold text only."""
NOT_MARKUP = frozenset({"script", "style"})
EMPTY = frozenset({"meta", "link", "img", "input", "br", "hr", "source"})


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag as written. Values keep their quotes; None stands for an attribute without one."""

    close: str
    name: str
    attributes: tuple[tuple[str, str | None], ...]
    slash: bool
    source: str = ""
    """The tag as it stood, for rewrites that only touch what is around it."""

    def __str__(self) -> str:
        written = "".join(f" {name}" if value is None else f" {name}={value}" for name, value in self.attributes)
        return f"<{self.close}{self.name}{written}{' /' if self.slash else ''}>"


def pieces(html: str) -> Iterator[Tag | str]:
    """Tags, and what stands between them; comments and the content of scripts, styles and the like come as text."""
    at = 0
    while found := _PIECE.search(html, at):
        if found.start() > at:
            yield html[at : found.start()]
        at = found.end()
        if found["opaque"]:
            yield found.group()
            continue
        tag = _tag(found)
        yield tag
        if not tag.close and tag.name.lower() in RAW:
            end = re.compile(rf"</{tag.name}\s*>", re.IGNORECASE).search(html, at)
            stop = end.start() if end else len(html)
            yield html[at:stop]
            at = stop
    yield html[at:]


def _tag(found: re.Match[str]) -> Tag:
    text = found["attributes"]
    slash = text.rstrip().endswith("/") and (found["name"].lower() in EMPTY or "<svg" in found.group() or not text.strip(" /"))
    attributes = tuple((name, value or None) for name, value in _ATTRIBUTE.findall(text.rstrip().removesuffix("/") if slash else text))
    return Tag(found["close"], found["name"], attributes, slash, found.group())


def each_tag(html: str, change: Callable[[Tag], Tag | str]) -> str:
    """The page with every tag changed."""
    return "".join(str(change(piece)) if isinstance(piece, Tag) else piece for piece in pieces(html))


def each_text(html: str, change: Callable[[str], str]) -> str:
    """The page with every text changed that is neither script nor style nor comment."""
    kept, inside = [], ""
    for piece in pieces(html):
        if isinstance(piece, Tag):
            inside = "" if piece.close else piece.name.lower()
            kept.append(str(piece))
        else:
            kept.append(piece if inside in NOT_MARKUP or piece.startswith("<!") else change(piece))
    return "".join(kept)


def _attributes(tag: Tag, change: Callable[[str, str | None], tuple[str, str | None]]) -> Tag:
    return Tag(tag.close, tag.name, tuple(change(*pair) for pair in tag.attributes), tag.slash)


def _bare(value: str) -> str:
    return value[1:-1] if value[:1] in "\"'" else value


def attribute_order(html: str, keywords: Keywords, chance: random.Random) -> tuple[str, Keywords]:
    """Attributes in another order."""

    def shuffled(tag: Tag) -> Tag:
        order = list(tag.attributes)
        chance.shuffle(order)
        return Tag(tag.close, tag.name, tuple(order), tag.slash)

    return each_tag(html, shuffled), keywords


def upper_case(html: str, keywords: Keywords, chance: random.Random) -> tuple[str, Keywords]:
    """Names of elements and attributes in upper case."""
    del chance
    return each_tag(
        html, lambda tag: Tag(tag.close, tag.name.upper(), tuple((a.upper(), b) for a, b in tag.attributes), tag.slash)
    ), keywords


def mixed_case(html: str, keywords: Keywords, chance: random.Random) -> tuple[str, Keywords]:
    """Some names in upper case, some in lower."""

    def mixed(tag: Tag) -> Tag:
        name = "".join(letter.upper() if chance.random() < 1 / 2 else letter for letter in tag.name)
        return Tag(tag.close, name, tag.attributes, tag.slash)

    return each_tag(html, mixed), keywords


def space_in_tags(html: str, keywords: Keywords, chance: random.Random) -> tuple[str, Keywords]:
    """Line ends and blanks between attributes, and around the equals sign."""

    def spaced(tag: Tag) -> str:
        gap = chance.choice(("  ", "\n    ", "\t"))
        sign = chance.choice((" = ", "=", "= "))
        written = "".join(f"{gap}{name}" if value is None else f"{gap}{name}{sign}{value}" for name, value in tag.attributes)
        return f"<{tag.close}{tag.name}{written}{chance.choice((' ', chr(10)))}{'/' if tag.slash else ''}>"

    return each_tag(html, spaced), keywords


def single_quotes(html: str, keywords: Keywords, chance: random.Random) -> tuple[str, Keywords]:
    """Values in single quotes, where they hold none."""
    del chance

    def quoted(name: str, value: str | None) -> tuple[str, str | None]:
        return name, value if value is None or "'" in value else f"'{_bare(value)}'"

    return each_tag(html, lambda tag: _attributes(tag, quoted)), keywords


def no_quotes(html: str, keywords: Keywords, chance: random.Random) -> tuple[str, Keywords]:
    """Values without quotes, where they are plain words."""
    del chance

    def unquoted(name: str, value: str | None) -> tuple[str, str | None]:
        return name, _bare(value) if value and re.fullmatch(r"[A-Za-z0-9_.:-]+", _bare(value)) else value

    return each_tag(html, lambda tag: _attributes(tag, unquoted)), keywords


def closing_slashes(html: str, keywords: Keywords, chance: random.Random) -> tuple[str, Keywords]:
    """Empty elements closed as in XHTML, or not closed where they were."""
    del chance
    return each_tag(
        html, lambda tag: Tag(tag.close, tag.name, tag.attributes, not tag.slash) if tag.name.lower() in EMPTY else tag
    ), keywords


def comments(html: str, keywords: Keywords, chance: random.Random) -> tuple[str, Keywords]:
    """Comments between elements, some with markup in them."""
    said = (
        "<!-- 2026 -->",
        '<!-- <meta name="robots" content="noindex"> -->',
        "<!-- <title>Untitled</title> <h1>Untitled</h1> -->",
        '<!-- <link rel="canonical" href="/elsewhere"> <img src="/none.png"> -->',
        "<!--[if IE]> <p>lorem ipsum dolor</p> <![endif]-->",
    )

    def commented(text: str) -> str:
        return text.replace("\n", f"\n{chance.choice(said)}\n", 1) if not text.strip() and chance.random() < 1 / 2 else text

    return _between(html, commented), keywords


def blank_lines(html: str, keywords: Keywords, chance: random.Random) -> tuple[str, Keywords]:
    """More lines and another indentation between elements."""
    return _between(html, lambda text: text + "\n" * chance.randint(0, 3) + "\t" if not text.strip() else text), keywords


def _between(html: str, change: Callable[[str], str]) -> str:
    """Changes the space between tags behind the doctype, not inside what keeps its space."""
    kept, inside = [], ""
    for piece in pieces(html):
        if isinstance(piece, Tag):
            inside = "" if piece.close else piece.name.lower()
            kept.append(piece.source)
        else:
            kept.append(change(piece) if kept and "\n" in piece and inside not in RAW else piece)
    return "".join(kept)


def line_ends(html: str, keywords: Keywords, chance: random.Random) -> tuple[str, Keywords]:
    """Lines end as on Windows."""
    del chance
    return html.replace("\n", "\r\n"), keywords


def entities(html: str, keywords: Keywords, chance: random.Random) -> tuple[str, Keywords]:
    """Letters beyond ASCII as numbers, named references as numbers, in texts and in values."""

    def spelled(text: str) -> str:
        text = text.replace("&amp;", chance.choice(("&#38;", "&#x26;", "&AMP;", "&amp;")))
        return "".join(letter if letter.isascii() or chance.random() < 1 / 2 else f"&#{ord(letter)};" for letter in text)

    def value(name: str, written: str | None) -> tuple[str, str | None]:
        return name, None if written is None else spelled(written)

    return each_text(each_tag(html, lambda tag: _attributes(tag, value)), spelled), keywords


def header_case(html: str, keywords: Keywords, chance: random.Random) -> tuple[str, Keywords]:
    """Names of headers in upper or lower case, the page's and those of everything else."""

    def cased(given: Any) -> Any:
        if isinstance(given, Mapping):
            return {name: [_line(*line) for line in value] if name == "headers" else cased(value) for name, value in given.items()}
        return given

    def _line(name: str, value: str) -> list[str]:
        return [chance.choice((name.upper(), name.lower(), name.title())), value]

    return html, cased(keywords)


def header_order(html: str, keywords: Keywords, chance: random.Random) -> tuple[str, Keywords]:
    """Header lines in another order."""
    lines = list(keywords["headers"])
    chance.shuffle(lines)
    return html, {**keywords, "headers": lines}


TWINS: tuple[Rewrite, ...] = (
    attribute_order,
    upper_case,
    mixed_case,
    space_in_tags,
    single_quotes,
    no_quotes,
    closing_slashes,
    comments,
    blank_lines,
    line_ends,
    entities,
    header_case,
    header_order,
)
SHIFTING = (comments, blank_lines, line_ends)
"""Those that only move lines: the stable names of findings stay, too."""
