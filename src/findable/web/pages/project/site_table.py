"""Table of sites, the same on the home page and on the page of all sites."""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain

from msgspec import Struct

from findable.service.projects.project_lists import ProjectSummary
from findable.service.values.project_values import ProjectSort
from findable.web.pages.shared.form_fields import SortedColumn
from findable.web.query_strings import url_with
from findable.wording import Translator, later

COLUMNS: tuple[tuple[ProjectSort | None, bool, str], ...] = (
    (ProjectSort.PROJECT, False, later("Site")),
    (ProjectSort.SCORE, False, later("Score")),
    (ProjectSort.CHANGE, False, later("This week")),
    (None, False, later("12 weeks")),
    (ProjectSort.INDEXABLE, False, later("Indexable")),
    (ProjectSort.PROBLEMS, True, later("Problems")),
    (ProjectSort.CHECKED, True, later("Last checked")),
    (None, False, later("Watched")),
    (None, False, later("Owner")),
)
"""Order by the column, whether the first link sorts downwards, and title."""
GROUPS: Mapping[str, tuple[str, Callable[[ProjectSummary], Iterable[str]]]] = {
    "tag": (later("by tag"), lambda line: line.project.tags),
    "client": (later("by client"), lambda line: filter(None, [line.project.client])),
    "owner": (later("by owner"), lambda line: filter(None, [line.project.owner])),
}
"""Words and labels of a site, by the value of the parameter ``group``."""


class SiteGroup(Struct, frozen=True):
    """Sites with a common label."""

    label: str
    """Tag, client or owner; empty for the sites without one, and for the only group of a list that is not grouped."""
    lines: tuple[ProjectSummary, ...]


class SiteTable(Struct, frozen=True):
    """Table of sites."""

    heads: tuple[SortedColumn, ...]
    groups: tuple[SiteGroup, ...]
    group: str = ""
    """Label by which the sites are grouped, a key of `GROUPS`; empty for one group."""
    may_select: bool = False
    """Whether each site has a checkbox."""


def site_table(
    lines: tuple[ProjectSummary, ...],
    order: tuple[ProjectSort, bool],
    query: Mapping[str, str],
    say: Translator,
    *,
    may_select: bool = False,
) -> SiteTable:
    """Return the table of these sites; ``query``: parameters that links of columns keep, ``order``: key, and whether it descends."""
    group = query.get("group", "")
    heads = tuple(_head(column, order, query, say) for column in COLUMNS)
    return SiteTable(heads, tuple(_groups(lines, group)), group if group in GROUPS else "", may_select)


def _head(
    column: tuple[ProjectSort | None, bool, str], order: tuple[ProjectSort, bool], query: Mapping[str, str], say: Translator
) -> SortedColumn:
    sort, downwards, words = column
    if sort is None:
        return SortedColumn(say(words), "", "")
    is_chosen = sort is order[0]
    descends = not order[1] if is_chosen else downwards
    href = url_with("/projects", {**query, "sort_by": sort.value, "sort": "desc" if descends else "asc"}, "list")
    return SortedColumn(say(words), href, ("descending" if order[1] else "ascending") if is_chosen else "")


def _groups(lines: tuple[ProjectSummary, ...], group: str) -> Iterable[SiteGroup]:
    if group not in GROUPS:
        yield SiteGroup("", lines)
        return
    _, labels_of = GROUPS[group]
    labels = sorted(set(chain.from_iterable(map(labels_of, lines))), key=str.casefold)
    yield from (SiteGroup(label, tuple(line for line in lines if label in labels_of(line))) for label in labels)
    if rest := tuple(line for line in lines if not [*labels_of(line)]):
        yield SiteGroup("", rest)
