"""Header, footer and titles that the PDFs of pages, sites and projects share."""

from datetime import datetime
from typing import Any

from findable import __version__
from findable.export.pdf_sheet import Sheet
from findable.export.pdf_texts import (
    ascii_url,
    breakable,
    clean,
    link_to,
    paragraphs,
    readable,
    shorten,
    snippet_of,
    text_of,
)

RUNNING_CHARS = 70
"""Maximum length of headers and footers, which have a single line."""
OWN_COLOUR = "#1a5442"
_OPTIONAL = ("search", "categories", "previews", "charts")
"""Parts that a sheet may lack."""


def foot_of(sheet: Sheet, ruleset: str, version: str = __version__) -> list[str]:
    """Return what a score means, and the version (not in a branded report) and the ruleset that checked the pages."""
    say, is_branded = sheet.say, sheet.branding.name or sheet.branding.logo
    return [
        say("A score compares a page with the rules of one ruleset; it does not predict a position."),
        say("Ruleset %(ruleset)s", ruleset=ruleset)
        if is_branded
        else say("Findable %(version)s, ruleset %(ruleset)s", version=version, ruleset=ruleset),
    ]


def frame_of(sheet: Sheet, heading: str, name: str, url: str, at: datetime) -> dict[str, Any]:
    """Return the members of a PDF that all reports share: titles, branding, owner's texts, headers, footers, empty optional parts."""
    say, client = sheet.say, sheet.client
    brand = clean(sheet.branding.name)
    sender = brand or ("" if sheet.branding.logo else "Findable")
    return {
        "lang": say.code.partition("-")[0],
        "dir": say.language.direction,
        "document_title": f"{heading}: {name}",
        "author": clean(client.prepared_by) or sender,
        "date": [at.year, at.month, at.day, at.hour, at.minute, at.second],
        "color": readable(sheet.branding.color or OWN_COLOUR),
        "brand": brand,
        "kicker": heading,
        "shot_words": [say("Screenshot of the page on a desktop computer"), say("Screenshot of the page on a phone")],
        "name": text_of(name),
        "other_name": text_of(ascii_url(url)),
        "address": link_to(url),
        "prepared": [
            [label, snippet_of(text)]
            for label, text in ((say("Prepared for"), client.prepared_for), (say("Prepared by"), client.prepared_by))
            if clean(text)
        ],
        "summary": paragraphs(client.summary),
        "summary_title": say("Summary"),
        "fixes_title": say("Fix first"),
        "cards_title": say("Findings"),
        "brief_title": say("Also found"),
        "tables_title": say("Tables"),
        "labels": {"how": say("How to fix"), "why": say("Why it matters"), "note": say("Our note"), "source": say("Source")},
        "page": say("Page {page} of {pages}"),
        "running": breakable(shorten(sender or heading, RUNNING_CHARS // 2)),
        "above": text_of(shorten(name, RUNNING_CHARS)),
        "below": breakable(shorten(clean(url), RUNNING_CHARS)),
        "unshown": say("Characters without a font on the server are shown as □."),
        "listing": None,
        "plate": None,
        **{f"{part}_title": "" for part in _OPTIONAL},
        **{part: [] for part in _OPTIONAL},
    }
