"""Sections of a site, counted while its pages are read: the first folders of their paths, with the clicks that lead to their pages."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from msgspec import Struct, field

from findable.capture.site_graph import URL_LIMIT
from findable.capture.site_reach import FarSection
from findable.checks.site.site_depth import FAR_CLICKS
from findable.urls import origin_part

MAX_SECTIONS = 2000
"""Number of first folders from which they are no sections: each page of such a site has its own folder."""
MIN_PAGES = 3
MIN_SHARE = 0.005
"""Share of the pages from which a section is named (set by Findable)."""
_LANGUAGE = re.compile(r"[a-z]{2}(-[a-zA-Z]{2})?")


class _Section(Struct):
    clicks: Counter[int] = field(default_factory=Counter)
    listed_count: int = 0
    urls: list[str] = field(default_factory=list)


class Sections:
    """Counts the clicks to the pages of each section."""

    def __init__(self) -> None:
        self._found: defaultdict[str, _Section] = defaultdict(_Section)
        self._all: Counter[int] = Counter()

    def add(self, url: str, clicks: int, *, is_listed: bool) -> None:
        """Count a page."""
        self._all[clicks] += 1
        if len(self._found) > MAX_SECTIONS:
            return
        section = self._found[section_of(url)]
        section.clicks[clicks] += 1
        section.listed_count += is_listed
        if len(section.urls) < URL_LIMIT:
            section.urls.append(url)

    def far(self) -> Iterator[FarSection]:
        """Yield the sections that are many more clicks away than the other pages, the largest first."""
        if len(self._found) > MAX_SECTIONS:
            return
        least = max(MIN_PAGES, MIN_SHARE * self._all.total())
        for folder, section in sorted(self._found.items(), key=lambda item: (-item[1].clicks.total(), item[0])):
            others = self._all - section.clicks
            count = section.clicks.total()
            if folder == "/" or count < least or not others:
                continue
            own, rest = _median(section.clicks), _median(others)
            if own - rest >= FAR_CLICKS:
                yield FarSection(folder, own, rest, count, section.listed_count, tuple(sorted(section.urls)))


def section_of(url: str) -> str:
    """Return the first folder of a page, like ``/guides/``, or below a language ``/de/guides/``; ``/`` for a page in none."""
    folders = url.removeprefix(origin_part(url)).partition("?")[0].strip("/").split("/")[:-1]
    shown = folders[: 2 if folders and _LANGUAGE.fullmatch(folders[0]) else 1]
    return "/".join(["", *shown, ""])


def _median(clicks: Counter[int]) -> int:
    """Return the lower median; the counts are not written out, which are as many as pages."""
    left = (clicks.total() + 1) // 2
    for number in sorted(clicks):
        left -= clicks[number]
        if left <= 0:
            return number
    return 0
