"""Areas of a site: its folders as a small tree, each with its URLs by state, for the picture of the site."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, zip_longest

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
    number: int = 0
    """Number by which the store of the crawl counts the URLs of an area that is not divided; 0 for others."""

    @property
    def urls_count(self) -> int:
        """Number of URLs."""
        return sum(self.states.values())

    @property
    def indexable_count(self) -> int:
        """Number of indexable pages."""
        return self.states.get(UrlState.INDEXABLE, 0)


class SiteAreas:
    """Divides the URLs of a site into areas. URLs are added in their order, so that memory hardly grows with the site."""

    def __init__(self) -> None:
        self._places = _Places()
        self._open = [_Folder("", self._places)]
        self._folder = ""
        """Last URL up to its last slash: most URLs lie in the folder of the one before."""

    def add(self, url: str, state: UrlState, template: int) -> int:
        """Add a URL, which sorts after those before it; ``template``: number of its template, 0 for none. Return its place in an area."""
        folder = url.partition("?")[0].rpartition("/")[0]
        if folder != self._folder or "#" in folder:
            self._folder = folder
            names = folders_of(url)
            same = 0
            for opened, name in zip_longest(self._open[1:], names):
                if opened is None or opened.name != name:
                    break
                same += 1
            self._close(same + 1)
            self._open += [_Folder(name, self._places) for name in names[same:]]
        return self._open[-1].count(template, state)

    def areas(self) -> tuple[SiteArea, ...]:
        """Return the areas of the first level. No URL can be added afterwards."""
        self._close(1)
        site = self._open[0].area()
        if not site.urls_count:
            return ()
        shown = self._places.readable(site, site.urls_count)
        return self._places.numbered(shown.parts or (shown,))

    def number_at(self, place: int) -> int:
        """Return the number of the area to which the place of a URL belongs, once the areas are known."""
        return self._places.number_at(place)

    def _close(self, depth: int) -> None:
        while len(self._open) > depth:
            folder = self._open.pop()
            self._open[-1].add(folder.area())


class _Places:
    """Places of URLs, each of one folder and template, that are joined when areas are merged.

    While a site is divided, the number of an area is one of its places.
    """

    def __init__(self) -> None:
        self._joined = array("i")
        """Another place of the same area for each place; itself for one of each area."""
        self._numbers: dict[int, int] = {}

    def new(self) -> int:
        self._joined.append(len(self._joined))
        return self._joined[-1]

    def numbered(self, areas: Iterable[SiteArea]) -> tuple[SiteArea, ...]:
        """Return areas with their numbers from 1 up."""
        numbers = count(1)

        def renumber(area: SiteArea) -> SiteArea:
            if area.parts:
                return replace(area, number=0, parts=tuple(map(renumber, area.parts)))
            self._numbers[self._first(area.number)] = number = next(numbers)
            return replace(area, number=number)

        return tuple(map(renumber, areas))

    def number_at(self, place: int) -> int:
        return self._numbers[self._first(place)]

    def _first(self, place: int) -> int:
        while self._joined[place] != place:
            self._joined[place] = place = self._joined[self._joined[place]]
        return place

    def join(self, areas: Sequence[SiteArea]) -> int:
        """Return the place of several areas as one."""
        places = [self._first(leaf.number) for area in areas for leaf in _leaves(area)]
        for place in places:
            self._joined[place] = places[0]
        return places[0] if places else 0

    def largest(self, parts: Iterable[SiteArea]) -> list[SiteArea]:
        """Return the largest areas, the others merged in one."""
        found = sorted(parts, key=lambda part: (not part.name, -part.urls_count, part.name))
        if len(found) <= MAX_PARTS:
            return found
        return [*found[: MAX_PARTS - 1], self.merged(found[MAX_PARTS - 1 :])]

    def readable(self, area: SiteArea, total: int) -> SiteArea:
        """Return an area without the parts that would be too small to see."""
        if 100 * area.urls_count < MIN_PERCENT * total:
            return self.divided(area, ())
        seen = [part for part in area.parts if part.name and PER_MILLE * part.urls_count >= MIN_PART_PER_MILLE * total]
        rest = [part for part in area.parts if part not in seen]
        return self.divided(area, [self.readable(part, total) for part in seen] + ([self.merged(rest)] if rest else []))

    def divided(self, area: SiteArea, parts: Sequence[SiteArea]) -> SiteArea:
        """Return an area with these parts, without them if there are not several."""
        return replace(area, parts=tuple(parts)) if len(parts) > 1 else replace(area, parts=(), number=self.join([area]))

    def merged(self, parts: Sequence[SiteArea]) -> SiteArea:
        """Return areas as one; a single one stays as it is."""
        if len(parts) == 1:
            return parts[0]
        return SiteArea("", _sum(parts), merged_count=sum(part.merged_count or 1 for part in parts), number=self.join(parts))


class _Folder:
    """Folder whose URLs are being added."""

    def __init__(self, name: str, places: _Places) -> None:
        self.name = name
        self._states: Counter[tuple[int, UrlState]] = Counter()
        """Number of URLs of the folder itself by template and state."""
        self._place_of: dict[int, int] = {}
        """Places of the URLs of the folder itself by template."""
        self._parts: list[SiteArea] = []
        self._places = places

    def count(self, template: int, state: UrlState) -> int:
        """Count a URL of the folder itself; return its place."""
        self._states[template, state] += 1
        place = self._place_of.get(template)
        if place is None:
            place = self._place_of[template] = self._places.new()
        return place

    def add(self, part: SiteArea) -> None:
        self._parts.append(part)
        if len(self._parts) >= 4 * MAX_PARTS:
            self._parts = self._places.largest(self._parts)

    def area(self) -> SiteArea:
        own = self._templates()
        if not own and len(self._parts) == 1:
            return self._parts[0]  # a folder that has only one folder says nothing of its own
        parts = [*own, *sorted(self._places.largest(self._parts), key=lambda part: (not part.name, part.name))]
        number = parts[0].number if len(parts) == 1 else 0
        return SiteArea(self.name, _sum(parts), parts=tuple(parts) if len(parts) > 1 else (), number=number)

    def _templates(self) -> list[SiteArea]:
        """Return the URLs of the folder itself by template; small templates are merged if most of their URLs are in the same state."""
        of_template: dict[int, Counter[UrlState]] = {}
        for (template, state), urls_count in self._states.items():
            of_template.setdefault(template, Counter())[state] += urls_count
        least = MIN_TEMPLATE_PERCENT * self._states.total()
        alike: dict[UrlState, list[SiteArea]] = {}
        for template, states in sorted(of_template.items(), key=lambda item: (-item[1].total(), item[0])):
            same = alike.setdefault(max(states, key=lambda state: (states[state], state)), [])
            area = SiteArea(self.name, _ordered(states), template, number=self._place_of[template])
            if same and 100 * states.total() < least:
                same[0] = replace(same[0], states=_sum([same[0], area]), number=self._places.join([same[0], area]))
            else:
                same.append(area)
        return sorted((area for same in alike.values() for area in same), key=lambda area: area.template or 0)


def with_states(areas: Iterable[SiteArea], counts: Mapping[int, Mapping[UrlState, int]], rest: UrlState) -> tuple[SiteArea, ...]:
    """Return areas with their URLs by other states: ``counts`` of them by the number of the area, and ``rest`` for the others."""

    def recounted(area: SiteArea) -> SiteArea:
        if area.parts:
            parts = with_states(area.parts, counts, rest)
            return replace(area, parts=parts, states=_sum(parts))
        found = counts.get(area.number, {})
        return replace(area, states=_ordered({**found, rest: area.urls_count - sum(found.values())}))

    return tuple(map(recounted, areas))


def _leaves(area: SiteArea) -> Iterator[SiteArea]:
    """Yield the areas within an area that are not divided."""
    if not area.parts:
        yield area
    for part in area.parts:
        yield from _leaves(part)


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
