"""Made sites in several languages, and what was found wrong with their versions."""

from collections.abc import Iterable
from typing import Any

from findable.capture.site_languages import LanguageFault
from tests.crawl.stored_crawl import url

LANGUAGES = ("de", "en", "es", "fr")
NAMES = ("", "lamps", "chairs", "tables")
Records = dict[str, dict[str, Any]]


def versions(name: str, codes: Iterable[str] = LANGUAGES) -> tuple[tuple[str, str], ...]:
    return tuple((code, url(f"/{code}/{name}")) for code in codes)


def whole_site(codes: Iterable[str] = LANGUAGES, names: Iterable[str] = NAMES) -> Records:
    """Pages in all languages, each with the whole set."""
    codes = tuple(codes)
    return {f"/{code}/{name}": {"lang": code, "alternates": versions(name, codes)} for code in codes for name in names}


def pairs(faults: Iterable[LanguageFault]) -> list[tuple[str, str, str, int]]:
    return [(fault.source, fault.target, fault.folder, fault.pages_count) for fault in faults]
