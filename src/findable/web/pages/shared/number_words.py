"""Names and values of uploaded metrics in words."""

from collections.abc import Mapping
from datetime import datetime

from findable.wording import Translator, later

MEGABYTE = 1_000_000
COLUMN_WORDS: Mapping[str, str] = {
    "clicks": later("Clicks"),
    "impressions": later("Impressions"),
    "ctr": later("CTR"),
    "position": later("Position"),
    "views": later("Views"),
    "users": later("Users"),
    "sessions": later("Sessions"),
    "key_events": later("Key events"),
    "revenue": later("Revenue"),
    "traffic": later("Organic traffic"),
    "traffic_value": later("Traffic value"),
    "keywords": later("Keywords"),
    "ref_domains": later("Referring domains"),
    "url_rating": later("URL rating"),
    "requests": later("Requests"),
    "bot_hits": later("Search bot requests"),
    "google_hits": later("Googlebot requests"),
    "ai_hits": later("AI bot requests"),
    "bot_first": later("First search bot request"),
    "bot_last": later("Last search bot request"),
}
WEIGHT_WORDS: Mapping[str, tuple[str, str]] = {
    "clicks": (later("on pages with %(count)s click"), later("on pages with %(count)s clicks")),
    "sessions": (later("on pages with %(count)s session"), later("on pages with %(count)s sessions")),
    "users": (later("on pages with %(count)s user"), later("on pages with %(count)s users")),
    "views": (later("on pages with %(count)s view"), later("on pages with %(count)s views")),
    "traffic": (later("on pages with an organic traffic of %(count)s"), later("on pages with an organic traffic of %(count)s")),
    "bot_hits": (
        later("on pages with %(count)s request of search bots in 30 days"),
        later("on pages with %(count)s requests of search bots in 30 days"),
    ),
    "requests": (later("on pages with %(count)s request"), later("on pages with %(count)s requests")),
    "impressions": (later("on pages with %(count)s impression"), later("on pages with %(count)s impressions")),
}


def megabytes(size_bytes: int) -> str:
    """Return a size on disk in MB, or in GB from 1 GB on."""
    return f"{size_bytes / MEGABYTE:,.0f} MB" if size_bytes < 1000 * MEGABYTE else f"{size_bytes / 1000 / MEGABYTE:,.1f} GB"


def column_words(name: str, say: Translator) -> str:
    """Return the display name of an uploaded metric's column; for an unknown column, its uploaded name."""
    return say(COLUMN_WORDS[name]) if name in COLUMN_WORDS else name


def weight_words(name: str, total: float, say: Translator) -> str:
    """Return the total of an uploaded metric over the pages of a finding in words; empty if it is zero."""
    return say(WEIGHT_WORDS[name][round(total) != 1], count=say.number(round(total))) if round(total) else ""


def number_words(value: float | str | None, say: Translator) -> str:
    """Return the value of an uploaded metric in the reader's format of numbers and days; empty for None."""
    if value is None:
        return ""
    if isinstance(value, str):
        return say.day(datetime.fromisoformat(value))
    return say.number(round(value)) if value == round(value) else say.number(value, 1)
