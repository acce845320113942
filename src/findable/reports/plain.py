"""Finding in plain words, for owners of a site who do not know the terms of search engine optimization."""

from collections.abc import Mapping

from msgspec import UNSET, Struct

from findable.artifacts.tables.cms_clicks import SYSTEMS, Clicks, system_of
from findable.checks.engine import Check
from findable.reports.facts import Facts
from findable.reports.glossary import explained_words
from findable.reports.prose import unwrap_lines
from findable.vocabulary import Category, EditPlace, Effort, Fixer
from findable.wording import ENGLISH, Translator, later

TIMES: Mapping[Effort, str] = {
    Effort.HEAD: later("about 15 minutes"),
    Effort.SERVER: later("about half an hour"),
    Effort.CONTENT: later("one to three hours"),
}
"""Usual time of a fix by effort; estimates by Findable."""
PEOPLE: Mapping[Fixer, str] = {
    Fixer.EDITOR: later("you, or the person who writes your pages"),
    Fixer.DEVELOPER: later("the person or company that built your site"),
    Fixer.SERVER: later("the provider that runs your site"),
}
TIMES_EACH: Mapping[EditPlace | Effort, str] = {
    EditPlace.LINKS: later("about 2 minutes for each link"),
    EditPlace.IMAGE_TEXT: later("about 2 minutes for each image"),
    EditPlace.IMAGE_FILE: later("about 5 minutes for each image"),
    Effort.HEAD: later("about 5 minutes for each page"),
    Effort.SERVER: later("about 10 minutes for each page"),
    Effort.CONTENT: later("about 20 minutes for each page"),
}
"""Usual time of a fix that an editor makes at many places, by the kind of place, else by effort; estimates by Findable."""
STEPS: Mapping[EditPlace | Fixer, str] = {
    EditPlace.TITLE: later("Give each page one title of its own that says in about 50 letters what the page offers."),
    EditPlace.DESCRIPTION: later("Write one or two sentences for each page that say what it offers."),
    EditPlace.TEXT: later("Write text of its own for each of the pages: what you offer, for whom, where and at what price."),
    EditPlace.HEADING: later("Give each page one main heading that says what the page is about."),
    EditPlace.LINKS: later("Open the pages, find the links that the details name, and correct or delete them."),
    EditPlace.IMAGE_TEXT: later("Describe in a few words what each of the images shows. Begin with your home page."),
    EditPlace.IMAGE_FILE: later("Replace the images with working files that are not larger than needed."),
    EditPlace.VISIBILITY: later(
        "Tell the person who built your site which of these pages people should find in Google, so that those are no longer hidden."
    ),
    EditPlace.CANONICAL: later(
        "Delete what stands in this field on each of the pages. Leave it only where a page says the same as the one that it names."
    ),
    EditPlace.REDIRECT: later("Send the old web address directly to the page that should open."),
    EditPlace.SHARE_IMAGE: later("Choose an image for shared links, at least 1,200 pixels wide."),
    EditPlace.ICON: later("Upload a square picture of your logo as the icon of the site."),
    EditPlace.LANGUAGE: later("Set the language in which the page is written."),
    EditPlace.HTTPS: later("Switch encryption on; most providers include it."),
    Fixer.EDITOR: later("Change the pages; the details say where."),
    Fixer.DEVELOPER: later("Send this to the person or company that built your site. You need not understand it yourself."),
    Fixer.SERVER: later("Send this to the provider that runs your site. You need not understand it yourself."),
}
"""Next steps by the place of the fix, else by the person who makes it."""
FEW_PLACES = 3
"""Number of places up to which a fix is estimated as a whole; so few links or images take no longer than one line (set by Findable)."""


LINE_PLACES = frozenset({EditPlace.LINKS, EditPlace.TITLE, EditPlace.DESCRIPTION, EditPlace.HEADING})
"""Places where one line is changed, however much thought the check's effort allows for."""


class PlainFinding(Struct, frozen=True, kw_only=True):
    """Finding for owners of a site."""

    summary: str
    """Sentence about what visitors or search engines miss."""
    step: str
    """Next step in one sentence."""
    fixer: str
    """Person who usually fixes it."""
    time: str
    """Usual time of the fix."""
    cms: str = ""
    """Content management system of the page; empty unless its clicks are known."""
    clicks: str = ""
    """Way to the field in that system, menu by menu."""
    source: str = ""
    """URL of the manual that describes the way."""
    words: Mapping[str, str] = {}
    """Technical words in these texts, with their explanations."""


def cms_of(facts: Facts, url: str) -> str:
    """Return the content management system of a page whose clicks are known; empty for none."""
    return "" if facts.technologies is UNSET else system_of(((one.name, one.sign) for one in facts.technologies), url)


def plain_finding(check: Check | None, cms: str, say: Translator = ENGLISH, places: int = 0) -> PlainFinding | None:
    """Return a finding of a check in plain words; None if the check has none, or no longer exists.

    ``places``: number of its pieces of evidence; 0 if unknown.
    """
    if check is None or not check.documentation.plain:
        return None
    summary = unwrap_lines(say.text(check.documentation.plain))
    clicks = _clicks(check, cms)
    path = say(clicks.path) if clicks else ""
    step = say(STEPS[check.place or check.fixer])
    return PlainFinding(
        summary=summary,
        fixer=say("you, in %(cms)s", cms=cms) if clicks else say(PEOPLE[check.fixer]),
        step=step,
        time=say(_time(check, places)),
        cms=cms if clicks else "",
        clicks=path,
        source=clicks.source if clicks else "",
        words=explained_words(f"{summary} {step} {path}", say),
    )


def _time(check: Check, places: int) -> str:
    if check.fixer is not Fixer.EDITOR or places == 0:
        return TIMES[check.effort]
    effort = Effort.HEAD if check.place in LINE_PLACES else check.effort
    if places > FEW_PLACES:
        return TIMES_EACH.get(check.place or effort) or TIMES_EACH[effort]
    return TIMES[Effort.HEAD if check.category in (Category.LINKS, Category.IMAGES) else effort]


def _clicks(check: Check, cms: str) -> Clicks | None:
    return SYSTEMS[cms].way_to(check.place) if cms in SYSTEMS else None
