"""Previews of a page: search results on two screens, and shared links."""

from msgspec import Struct, UnsetType

from findable.artifacts.page.serp_width import DESCRIPTION_LIMIT_PX, DESCRIPTION_SIZE_PX, TITLE_LIMIT_PX, TITLE_SIZE_PX, Line, line
from findable.reports.facts import Facts
from findable.reports.facts.browser_facts import BrowserFacts, PagePart
from findable.reports.facts.content_facts import ResultLineFacts
from findable.urls import display_host, parse
from findable.wording import Translator

PHONE_TITLE_LIMIT_PX = 640
"""Width of about two lines of a title on a phone, as observed."""
PHONE_DESCRIPTION_LIMIT_PX = 680
"""Width of about two lines of a description on a phone, as observed; shorter than on a desktop."""
LARGE_CARD = "summary_large_image"


class SearchResult(Struct, frozen=True):
    """Search result on one screen."""

    screen: str
    """Screen: ``desktop`` or ``phone``; a class of the stylesheet."""
    caption: str
    title: str
    """Title, truncated to the available width."""
    description: str
    """Description, truncated to the available width; empty if the page has none."""
    measured: tuple[str, ...]
    """Width of title and description, in words."""


class SocialCard(Struct, frozen=True):
    """Shared link as displayed by a social network."""

    network: str
    is_large: bool
    """Whether the image is above the text and as wide."""
    title: str
    description: str
    host: str
    image: str
    """URL of the preview image; empty without one. The image is never loaded."""


class Previews(Struct, frozen=True):
    """Search and social previews of a page."""

    host: str
    crumbs: str
    """URL as displayed in results, with ``›`` between its parts."""
    results: tuple[SearchResult, ...]
    cards: tuple[SocialCard, ...]


def search_and_social_previews(facts: Facts, url: str, say: Translator) -> Previews | None:
    """Return the previews; None for a page without a title."""
    if not facts.title or not facts.title.text:
        return None
    title, description = facts.title.text, facts.description.text if facts.description else ""
    parsed = parse(url)
    host = f"{display_host(parsed.host)}{parsed.port_part}" if parsed else url
    parts = [part for part in parsed.path.split("/") if part] if parsed else []
    origin = f"{parsed.scheme}://{host}" if parsed else url
    return Previews(
        host=host,
        crumbs=" › ".join([origin, *parts]),
        results=(
            _result("desktop", say("Search result on a desktop"), _desktop(facts.title), _desktop(facts.description), say),
            _result(
                "phone",
                say("Search result on a phone"),
                line(title, PHONE_TITLE_LIMIT_PX, TITLE_SIZE_PX),
                line(description, PHONE_DESCRIPTION_LIMIT_PX, DESCRIPTION_SIZE_PX),
                say,
            ),
        ),
        cards=_cards(facts, title, description, host),
    )


def results_before_and_after(facts: BrowserFacts, say: Translator) -> tuple[SearchResult, ...]:
    """Return the search result of the page as sent and after scripts; none if they are equal."""
    parts = {one.page_part: one for one in facts.compared}
    title, description = parts.get(PagePart.TITLE), parts.get(PagePart.DESCRIPTION)
    if title is None or description is None or (title.as_sent, description.as_sent) == (title.rendered, description.rendered):
        return ()
    return (
        _unmeasured(say("Search result as sent"), title.as_sent, description.as_sent),
        _unmeasured(say("Search result after scripts"), title.rendered, description.rendered),
    )


def _unmeasured(caption: str, title: str, description: str) -> SearchResult:
    title_line, text_line = line(title, TITLE_LIMIT_PX, TITLE_SIZE_PX), line(description, DESCRIPTION_LIMIT_PX, DESCRIPTION_SIZE_PX)
    return SearchResult("desktop", caption, title_line.preview, text_line.preview, ())


def _desktop(facts: ResultLineFacts | UnsetType) -> Line:
    if not facts:
        return line("", 0, DESCRIPTION_SIZE_PX)
    return Line(facts.text, facts.characters_count, facts.width_px, facts.limit_px, facts.truncated_at)


def _result(screen: str, caption: str, title: Line, description: Line, say: Translator) -> SearchResult:
    measured = [_width_words(say("Title"), title, say)]
    if description.text:
        measured.append(_width_words(say("Description"), description, say))
    return SearchResult(screen, caption, title.preview, description.preview, tuple(measured))


def _width_words(name: str, line: Line, say: Translator) -> str:
    characters = say.plural("%(count)s character", "%(count)s characters", line.characters_count)
    if line.width_px is None:
        return say("%(name)s: %(characters)s; their width is unknown for this script", name=name, characters=characters)
    width, limit = say.number(line.width_px), say.number(line.limit_px)
    if line.truncated_at is None:
        return say(
            "%(name)s: %(characters)s, about %(width)s of %(limit)s px: shown whole",
            name=name,
            characters=characters,
            width=width,
            limit=limit,
        )
    return say(
        "%(name)s: %(characters)s, about %(width)s of %(limit)s px: cut after %(cut)s",
        name=name,
        characters=characters,
        width=width,
        limit=limit,
        cut=say.number(line.truncated_at),
    )


def _cards(facts: Facts, title: str, description: str, host: str) -> tuple[SocialCard, ...]:
    preview = facts.social.preview if facts.social else None
    words = (
        (preview.title if preview else "") or title,
        (preview.description if preview else "") or description,
        host,
        preview.image_url if preview else "",
    )
    if preview and preview.card == LARGE_CARD and preview.image_url:
        return (SocialCard("Open Graph, X", True, *words),)
    return (SocialCard("Open Graph", True, *words), SocialCard("X", False, *words))
