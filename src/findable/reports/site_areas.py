"""Areas of a site: its folders as a small tree, each with its URLs by state, for the picture of the site."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from findable.urls import origin_part
from findable.vocabulary import Code
from findable.wording import later

DEPTH = 3
"""Levels of folders below the host."""
MAX_PARTS = 24
"""Maximum number of parts of an area; the smallest ones are merged."""
MIN_PERCENT = 4
"""Share of the site from which an area is divided into parts (set by Findable: smaller ones cannot be read)."""


MIN_PART_PER_MILLE = 5
"""Share of the site below which parts of an area are merged (set by Findable)."""
MIN_TEMPLATE_PERCENT = 10
"""Share of the URLs of a folder below which a template is merged with a larger one (set by Findable)."""
PER_MILLE = 1000


class UrlState(Code):
    """State of a URL of a site: for search engines, by the requests of search bots in 30 days, or its level on another scale."""

    INDEXABLE = "indexable", later("indexable")
    EXCLUDED = "excluded", later("noindex or canonical elsewhere")
    """The page itself says that it should not be indexed: it is noindex, or another page is its canonical one."""
    REDIRECT = "redirect", later("redirect")
    BLOCKED = "blocked", later("blocked")
    """robots.txt disallows it, or visitors without a login get something else."""
    ERROR = "error", later("error")
    DAILY = "daily", later("requested daily")
    """One or more requests a day on average."""
    WEEKLY = "weekly", later("requested weekly")
    RARE = "rare", later("requested less often")
    NEVER = "never", later("not requested")
    """No request."""
    LOW = "low"
    """First level of the scale of a colouring, whose words say what it means."""
    MEDIUM = "medium"
    HIGH = "high"
    HIGHEST = "highest"
    NOTABLE = "notable"
    """Pages that a colouring is there to find."""
    LOST = "lost"
    """No longer indexable, or gone."""
    REST = "rest"
    """URLs that a colouring does not tell apart."""


class SiteArea(Struct, frozen=True, omit_defaults=True):
    """Folder of a site, or the pages of one template in a folder that has no other parts."""

    name: str
    """Path of the folder like ``/blog/``, with its host if the site has several; empty for merged areas."""
    states: Mapping[UrlState, int]
    """Number of URLs by state; states without URLs are absent."""
    template: int | None = None
    """Number of the template of the URLs, which lie in the folder itself; None for all URLs of the folder."""
    merged_count: int = 0
    """Number of areas that are merged in this one."""
    parts: tuple["SiteArea", ...] = ()
    """Parts with all URLs of the area, by name; empty if it is not divided."""

    @property
    def urls_count(self) -> int:
        """Number of URLs."""
        return sum(self.states.values())

    @property
    def indexable_count(self) -> int:
        """Number of indexable pages."""
        return self.states.get(UrlState.INDEXABLE, 0)


class SiteAreas:
    """Divides the URLs of a site into areas. URLs are added in their order, so that memory does not grow with the site."""

    def __init__(self) -> None:
        self._open = [_Folder("")]
        self._place = ""
        """Last URL up to its last slash: most URLs lie in the folder of the one before."""

    def add(self, url: str, state: UrlState, template: int) -> None:
        """Add a URL, which sorts after those before it; ``template``: number of its template, 0 for none."""
        place = url.partition("?")[0].rpartition("/")[0]
        if place == self._place and "#" not in place:
            self._open[-1].own[template, state] += 1
            return
        self._place = place
        names = folders_of(url)
        same = 0
        for opened, name in zip_longest(self._open[1:], names):
            if opened is None or opened.name != name:
                break
            same += 1
        self._close(same + 1)
        self._open += [_Folder(name) for name in names[same:]]
        self._open[-1].own[template, state] += 1

    def areas(self) -> tuple[SiteArea, ...]:
        """Return the areas of the first level. No URL can be added afterwards."""
        self._close(1)
        site = self._open[0].area()
        shown = _readable(site, site.urls_count)
        return tuple(area for area in shown.parts or (shown,) if area.urls_count)

    def _close(self, depth: int) -> None:
        while len(self._open) > depth:
            folder = self._open.pop()
            self._open[-1].add(folder.area())


class _Folder:
    """Folder whose URLs are being added."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.own: Counter[tuple[int, UrlState]] = Counter()
        """Number of URLs of the folder itself by template and state."""
        self._parts: list[SiteArea] = []

    def add(self, part: SiteArea) -> None:
        self._parts.append(part)
        if len(self._parts) >= 4 * MAX_PARTS:
            self._parts = _largest(self._parts)

    def area(self) -> SiteArea:
        own = self._templates()
        if not own and len(self._parts) == 1:
            return self._parts[0]  # a folder that has only one folder says nothing of its own
        parts = [*own, *sorted(_largest(self._parts), key=lambda part: (not part.name, part.name))]
        return SiteArea(self.name, _sum(parts), parts=tuple(parts) if len(parts) > 1 else ())

    def _templates(self) -> list[SiteArea]:
        """Return the URLs of the folder itself by template; small templates are merged if most of their URLs are in the same state."""
        of_template: dict[int, Counter[UrlState]] = {}
        for (template, state), count in self.own.items():
            of_template.setdefault(template, Counter())[state] += count
        least = MIN_TEMPLATE_PERCENT * self.own.total()
        merged: dict[UrlState, list[int]] = {}
        for template, states in sorted(of_template.items(), key=lambda item: (-item[1].total(), item[0])):
            alike = merged.setdefault(max(states, key=lambda state: (states[state], state)), [])
            if alike and 100 * states.total() < least:
                of_template[alike[0]] += of_template.pop(template)
            else:
                alike.append(template)
        return [SiteArea(self.name, _ordered(states), template) for template, states in sorted(of_template.items())]


def _largest(parts: Iterable[SiteArea]) -> list[SiteArea]:
    """Return the largest areas, the others merged in one."""
    found = sorted(parts, key=lambda part: (not part.name, -part.urls_count, part.name))
    if len(found) <= MAX_PARTS:
        return found
    rest = found[MAX_PARTS - 1 :]
    return [*found[: MAX_PARTS - 1], _merged(rest)]


def _readable(area: SiteArea, total: int) -> SiteArea:
    """Return an area without the parts that would be too small to see."""
    if 100 * area.urls_count < MIN_PERCENT * total:
        return replace(area, parts=())
    seen = [part for part in area.parts if part.name and PER_MILLE * part.urls_count >= MIN_PART_PER_MILLE * total]
    rest = [part for part in area.parts if part not in seen]
    parts = [_readable(part, total) for part in seen] + ([_merged(rest)] if rest else [])
    return replace(area, parts=tuple(parts) if len(parts) > 1 else ())


def _merged(parts: Sequence[SiteArea]) -> SiteArea:
    """Return areas as one; a single one stays as it is."""
    if len(parts) == 1:
        return parts[0]
    return SiteArea("", _sum(parts), merged_count=sum(part.merged_count or 1 for part in parts))


def _sum(parts: Iterable[SiteArea]) -> Mapping[UrlState, int]:
    total: Counter[UrlState] = Counter()
    for part in parts:
        total.update(part.states)
    return _ordered(total)


def _ordered(states: Mapping[UrlState, int]) -> Mapping[UrlState, int]:
    return {state: states[state] for state in UrlState if states.get(state)}


def folders_of(url: str) -> list[str]:
    """Return the host of a URL, then its folders with their paths."""
    origin = origin_part(url)
    names = url[len(origin) :].partition("?")[0].partition("#")[0].split("/")[1:-1][:DEPTH]
    return [origin, *("/".join(["", *names[: depth + 1], ""]) for depth in range(len(names)))]
