"""Language versions that a page itself declares: every ``rel=alternate hreflang`` in the head, the body and Link headers."""

import re
from collections.abc import Iterable
from enum import StrEnum
from itertools import chain, islice

from msgspec import Struct

from findable.artifacts.html.document import Element
from findable.artifacts.page.canonical import comparable
from findable.artifacts.page.head import Head, LinkTag
from findable.artifacts.registry import artifact
from findable.artifacts.tables.language_tags import PREFERRED, UNREGISTERED, is_language
from findable.artifacts.tables.language_tags import REGIONS as REGISTERED_REGIONS
from findable.capture.response import Response
from findable.formats.link_header import header_links
from findable.patterns import lazy_pattern
from findable.urls import join, other_scheme, parse, without_fragment
from findable.values import once
from findable.wording import later

MAX_ENTRIES = 1000
X_DEFAULT = "x-default"
_FEED_SIGNS = ("rss", "atom", "json", "text/xml", "application/xml")
"""Link types of feeds and data, which are not versions of this page."""


def _codes(text: str) -> frozenset[str]:
    return frozenset(text.split())


REGIONS = _codes(
    "ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt bv bw by bz ca cc cd cf cg ch "
    "ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg eh er es et fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn "
    "gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li "
    "lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om "
    "pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv sx sy sz tc td "
    "tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug um us uy uz va vc ve vg vi vn vu wf ws xk ye yt za zm zw"
)
"""ISO 3166-1 alpha-2 codes (2026), and xk (Kosovo), which is user-assigned and in general use."""

_THREE = 3
"""Letters of the longest language codes."""
_CODE = lazy_pattern(r"([a-z]{2,3})(?:-([a-z]{4}))?(?:-([a-z]{2}|\d{3}))?")


class CodeFault(StrEnum):
    """Fault of an hreflang code: a message template with ``{code}`` and, where used, ``{part}``."""

    NONE = ""
    EMPTY = "the code is empty"
    UNDERSCORE = "“{code}” is written with an underscore"
    NOT_A_CODE = "“{code}” is not a language code"
    BARE_COUNTRY = "“{code}” is a country, not a language"
    NO_LANGUAGE = "“{part}” is not a language of ISO 639-1"
    NO_REGION = "“{part}” is not a country of ISO 3166-1"
    NUMERIC_REGION = "“{part}” is a group of countries, search engines know single countries only"
    THREE_LETTERS = "“{part}” has a code of two letters, which search engines want"


class UrlFault(StrEnum):
    """Fault of the URL of a language version."""

    NONE = ""
    MISSING = "it has no URL"
    RELATIVE = "its URL is not complete"
    SCHEME = "its URL begins with {scheme}:, not with http: or https:"
    UNREADABLE = "its URL cannot be read"


class Alternate(Struct, frozen=True):
    """One language version as declared."""

    code: str
    """Code in lower case, trimmed."""
    code_as_written: str
    """Code as written."""
    href: str
    url: str | None
    """Resolved URL without a fragment; None if it is not an http(s) URL."""
    element: Element | None
    header_line: str
    sitemap_url: str
    """Sitemap that lists it; empty for other sources."""
    in_body: bool
    code_fault: CodeFault
    part: str
    """Faulty part of the code."""
    url_fault: UrlFault

    @property
    def url_fault_with(self) -> dict[str, str]:
        """Values for the message template of the URL fault."""
        return {"scheme": other_scheme(self.href)} if self.url_fault is UrlFault.SCHEME else {}

    @property
    def source(self) -> str:
        """Source of the declaration: ``link``, ``header`` or ``sitemap``."""
        return "link" if self.element else "sitemap" if self.sitemap_url else "header"

    @property
    def listed_as(self) -> str:
        """Element that declares the version in a sitemap, with the usual prefix of its namespace."""
        return f'<xhtml:link rel="alternate" hreflang="{self.code_as_written}" href="{self.href}"/>'

    @property
    def language(self) -> str:
        """Primary language, empty for x-default."""
        return "" if self.code == X_DEFAULT else self.code.partition("-")[0]

    @property
    def usable(self) -> bool:
        """Whether a search engine can use the declaration."""
        return self.code_fault is CodeFault.NONE and self.url is not None and not self.in_body


class Hreflang(Struct, frozen=True, dict=True):
    """Language versions that the page declares, at most MAX_ENTRIES; those in headers follow those in the markup."""

    page_url: str
    entries: tuple[Alternate, ...]
    entries_count: int

    @property
    def usable(self) -> list[Alternate]:
        """Entries that a search engine can use."""
        return [entry for entry in self.entries if entry.usable]

    def for_url(self, url: str) -> list[Alternate]:
        """Return usable entries for the URL."""
        return self._by_url.get(comparable(url), [])

    def faulty(self, url: str) -> list[Alternate]:
        """Return entries for the URL with a language code that search engines do not know."""
        wanted = comparable(url)
        return [entry for entry in self.entries if entry.code_fault is not CodeFault.NONE and comparable(entry.url or "") == wanted]

    @property
    def others(self) -> list[str]:
        """Different URLs of usable entries other than the page itself, without fragments."""
        own = comparable(self.page_url)
        return list(dict.fromkeys(entry.url for entry in self.usable if entry.url and comparable(entry.url) != own))

    @once
    def contradictions(self) -> tuple[tuple[str, tuple[Alternate, ...]], ...]:
        """Codes with more than one URL, and their entries."""
        by_code: dict[str, list[Alternate]] = {}
        for entry in self.usable:
            by_code.setdefault(entry.code, []).append(entry)
        return tuple(
            (code, tuple(entries)) for code, entries in by_code.items() if len({comparable(entry.url or "") for entry in entries}) > 1
        )

    @once
    def _by_url(self) -> dict[str, list[Alternate]]:
        found: dict[str, list[Alternate]] = {}
        for entry in self.usable:
            found.setdefault(comparable(entry.url or ""), []).append(entry)
        return found


@artifact
def make_hreflang(response: Response, head: Head) -> Hreflang:
    """Read links with both rel=alternate and hreflang; stylesheets have none, and feeds are not versions of the page."""
    links = [link for link in head.rel("alternate") if link.hreflang is not None and "stylesheet" not in link.rel and not _is_feed(link)]
    sent = [link for link in header_links(response.headers, response.final_url) if "alternate" in link.rel and "hreflang" in link.params]
    page_url = response.final_url
    own = chain(
        (alternate(link.hreflang or "", link.href, link.url, element=link.element, in_body=not link.in_head) for link in links),
        (alternate(link.params["hreflang"], link.href, join(page_url, link.href), line=link.line) for link in sent),
    )
    return Hreflang(page_url, tuple(islice(own, MAX_ENTRIES)), len(links) + len(sent))


def _is_feed(link: LinkTag) -> bool:
    kind = link.type.lower()
    return any(sign in kind for sign in _FEED_SIGNS)


def known_alternates(pairs: Iterable[tuple[str, str]]) -> tuple[Alternate, ...]:
    """Return the hreflang declarations of a page that was read earlier, from their codes and URLs."""
    return tuple(alternate(code, url, url) for code, url in pairs)


def alternate(
    written: str,
    href: str | None,
    url: str | None,
    *,
    element: Element | None = None,
    line: str = "",
    sitemap_url: str = "",
    in_body: bool = False,
) -> Alternate:
    """Parse one hreflang declaration from a link, a header or a sitemap."""
    code = written.strip().lower()
    fault, part = code_fault(code)
    text = (href or "").strip()
    parsed = parse(url) if url and text else None
    usable = parsed is not None and parsed.is_http
    return Alternate(
        code=code[:100],
        code_as_written=written[:100],
        href=text,
        url=without_fragment(parsed.href) if parsed and usable else None,
        element=element,
        header_line=line,
        sitemap_url=sitemap_url,
        in_body=in_body,
        code_fault=fault,
        part=part,
        url_fault=_url_fault(text, usable=usable),
    )


def _url_fault(text: str, *, usable: bool) -> UrlFault:
    if not text:
        return UrlFault.MISSING
    if not usable:
        return UrlFault.SCHEME if other_scheme(text) else UrlFault.UNREADABLE
    return UrlFault.NONE if text.lower().startswith(("http://", "https://")) else UrlFault.RELATIVE


def code_fault(code: str) -> tuple[CodeFault, str]:
    """Return the fault of a lower-case hreflang code, and the faulty part.

    Valid are ISO 639-1 with an optional script and an optional ISO 3166-1 country, x-default, and three letters if there is no two-letter
    code.
    """
    if code == X_DEFAULT:
        return CodeFault.NONE, ""
    if not code:
        return CodeFault.EMPTY, ""
    if "_" in code:
        return CodeFault.UNDERSCORE, ""
    match = _CODE.fullmatch(code)
    if match is None:
        return CodeFault.NOT_A_CODE, ""
    language, script, region = match.groups()
    if language in UNREGISTERED or (len(language) == _THREE and len(PREFERRED.get(language, language)) < _THREE):
        return CodeFault.THREE_LETTERS, language
    if not is_language(language):
        bare = language in REGIONS and not script and not region
        return (CodeFault.BARE_COUNTRY, "") if bare else (CodeFault.NO_LANGUAGE, language)
    if region and region.isdigit():
        return CodeFault.NUMERIC_REGION, region
    return (CodeFault.NO_REGION, region) if region and region not in REGIONS else (CodeFault.NONE, "")


_TAG = re.compile(r"(?:[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?(?:-[A-Za-z0-9]{1,8})*")
_REGION = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z]{4})?-([A-Za-z]{2})(?:-|$)")


def tag_fault(tag: str) -> tuple[str, str]:
    """Return the fault of a language tag in a lang attribute (BCP 47) as a template with ``{lang}`` and ``{part}``, and the part.

    Languages and countries are looked up in the IANA registry; of other parts only the form is checked.
    """
    if "_" in tag:
        return later("lang “{lang}” is written with an underscore instead of a hyphen"), "_"
    if tag.lower().startswith(("x-", "i-")):
        return "", ""
    if not _TAG.fullmatch(tag):
        return later("lang “{lang}” is no language tag"), ""
    language = tag.partition("-")[0].lower()
    if len(language) > _THREE:  # reserved by RFC 5646, none is registered
        return later("lang “{lang}” is no language tag"), language
    if language in UNREGISTERED:
        return later("lang “{lang}”: the registered code of this language has two letters"), language
    if not is_language(language):
        return later("lang “{lang}”: “{part}” is not a language"), language
    region = _REGION.match(tag)
    if region and region[1].lower() not in REGIONS and region[1].lower() not in REGISTERED_REGIONS:
        return later("lang “{lang}”: “{part}” is not a country"), region[1]
    return "", ""
