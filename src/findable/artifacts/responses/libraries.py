"""JavaScript libraries and their versions, detected by URL and by the banner at the beginning of fetched scripts."""

import re
from functools import cache

from msgspec import Struct

from findable.artifacts.html.document import Element
from findable.artifacts.registry import artifact
from findable.artifacts.responses.assets import Assets
from findable.artifacts.responses.resources import Resources
from findable.artifacts.tables.table_file import read_table
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse

BANNER_BYTES = 2000
MAX_SCRIPTS = 300

_VERSION = r"v?(\d{1,4}\.\d{1,4}(?:\.\d{1,4})?)"
_VARIANT = (
    r"(?:[.-](?:min|slim|bundle|full|core|prod|production|global|browser|umd|esm|all|locales|with-locales|compat|runtime|legacy))*"
    r"\.m?js$"
)

_NAMES = read_table("library_names", dict[str, tuple[tuple[str, ...], str]])
"""Library names, with their names in URLs and the beginning of their banner."""


class Library(Struct, frozen=True):
    """JavaScript library that the page loads."""

    name: str
    version: tuple[int, ...]
    url: str
    element: Element

    @property
    def version_text(self) -> str:
        """Version as text, like ``3.4.1``."""
        return ".".join(map(str, self.version))


class Libraries(Struct, frozen=True):
    """JavaScript libraries with a known version, in document order."""

    items: tuple[Library, ...]
    scripts_count: int
    """Number of external scripts that were checked."""


@cache
def _url_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    name = "(?:" + "|".join(map(re.escape, names)) + ")"
    return re.compile(
        rf"/{name}@{_VERSION}(?:/|$)"  # unpkg, jsdelivr
        rf"|/{name}/{_VERSION}/(?:[a-z]{{1,10}}/){{0,3}}{name}{_VARIANT}"  # cdnjs, Google
        rf"|/{name}[.-]{_VERSION}{_VARIANT}",
        re.IGNORECASE,
    )


@cache
def _banner_pattern(banner: str) -> re.Pattern[str]:
    return re.compile(banner + _VERSION)


_MAY_BE_VERSION = lazy_pattern(r"\d\.\d")
"""Part of every version; URLs without it are not searched for names."""
_ANY_NAME = lazy_pattern("|".join(re.escape(name) for names, _ in _NAMES.values() for name in names), re.IGNORECASE)


@artifact
def make_libraries(resources: Resources, assets: Assets) -> Libraries:
    """Check URLs of all external scripts and beginnings of the fetched ones; a banner outweighs a URL."""
    found = []
    scripts = [script for script in resources.scripts if script.url][:MAX_SCRIPTS]
    for script in scripts:
        url = script.url or ""
        asset = assets.for_url(url)
        known = _find_in_banner(asset.response.body[:BANNER_BYTES]) if asset and asset.is_loaded else None
        known = known or find_in_url(url)
        if known:
            found.append(Library(*known, url, script.element))
    return Libraries(tuple(found), len(scripts))


def find_in_url(url: str) -> tuple[str, tuple[int, ...]] | None:
    """Return (name, version) in a URL. Query parameters are ignored, because they may have another version."""
    parsed = parse(url)
    if parsed is None or not _MAY_BE_VERSION.search(parsed.path) or not _ANY_NAME.search(parsed.path):
        return None
    path = parsed.path[:500].lower()
    for name, (names, _) in _NAMES.items():
        match = _url_pattern(names).search(path) if any(part in path for part in names) else None
        if match:
            return name, _numbers(next(group for group in match.groups() if group))
    return None


def _find_in_banner(start: bytes) -> tuple[str, tuple[int, ...]] | None:
    text = start.decode("latin-1")
    if "/*" not in text and "//" not in text:
        return None
    for name, (_, banner) in _NAMES.items():
        match = _banner_pattern(banner).search(text)
        if match:
            return name, _numbers(match.group(1))
    return None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
