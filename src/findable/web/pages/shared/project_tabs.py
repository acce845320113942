"""Tabs of a project: the same on each of its pages, and on the reports of its crawls."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from findable.service.accounts.permissions import may
from findable.service.projects import watched_sites
from findable.service.projects.watched_sites import WatchOffer
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, OWNER, Caller
from findable.service.values.project_values import ProjectView
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.lines import project_icon, project_name, project_title, project_url
from findable.wording import Translator, later

OVERVIEW, FINDINGS, PAGES, REPORTS, STRUCTURE = "", "findings", "pages", "reports", "structure"
REDIRECT_MAP = f"{STRUCTURE}#redirect-map"
CHANGES, CRAWL_LIST, WATCHING, SHARE, SETTINGS = "changes", "crawls", "watching", "share", "settings"

TABS: Mapping[str, str] = {
    OVERVIEW: later("Overview"),
    FINDINGS: later("Findings"),
    PAGES: later("Pages"),
    STRUCTURE: later("Structure"),
    CHANGES: later("Changes"),
    WATCHING: later("Watching"),
    SHARE: later("Share"),
    SETTINGS: later("Settings"),
}
"""Words of the tabs by their path below the project."""
MORE: Mapping[str, Mapping[str, str]] = {
    PAGES: {
        PAGES: later("Crawled pages"),
        REPORTS: later("Page reports"),
        "questions": later("Questions"),
        "data": later("Uploaded numbers"),
    },
    STRUCTURE: {STRUCTURE: later("Site structure"), REDIRECT_MAP: later("Redirect map"), "bots": later("Bots")},
    CHANGES: {CHANGES: later("What changed"), CRAWL_LIST: later("Crawls")},
    SHARE: {SHARE: later("For the client"), "people": later("People"), "recipients": later("Monthly report")},
}
"""Pages of the tabs that have several, by their path."""
ROLES = {REDIRECT_MAP: MEMBER, SHARE: MEMBER, SETTINGS: OWNER, "people": OWNER, "recipients": OWNER}
"""Role that a page requires; others need none."""


class ProjectHead(Struct, frozen=True):
    """Head of the pages of a project: its name and its tabs."""

    title: str
    """Display name of the project."""
    name: str
    """Host of the project."""
    href: str
    words: str
    """Words of the page."""
    tabs: tuple[Choice, ...]
    pages: tuple[Choice, ...]
    """Pages of the tab; empty if it has only one."""
    is_watched: bool
    offer: WatchOffer | None
    """Offer to watch the site, on its overview and crawls until somebody answers it."""
    icon: str
    """Path of the icon of the site; empty without one."""


def project_head(service: Service, caller: Caller, project: ProjectView, place: str, say: Translator) -> ProjectHead:
    """Return the head of the page of a project at the path ``place``, which is a tab or one of its pages."""
    href = project_url(project.name)
    tab = next((name for name, pages in MORE.items() if place in pages), place)

    def choices(words: Mapping[str, str], chosen: str) -> Iterable[Choice]:
        for path, text in words.items():
            if path not in ROLES or may(caller, ROLES[path], project.id):
                yield Choice(path, say(text), path == chosen, f"{href}/{path}" if path else href)

    pages = tuple(choices(MORE.get(tab, {}), place))
    words = {**TABS, **MORE.get(tab, {})}[place]
    return ProjectHead(
        project_title(project),
        project_name(project.name),
        href,
        say(words),
        tuple(choices(TABS, tab)),
        pages if len(pages) > 1 else (),
        project.is_watched,
        watched_sites.open_offer(service, caller, project) if place in (OVERVIEW, CRAWL_LIST) else None,
        project_icon(project),
    )
