"""Charts of a page: its bytes and requests by type."""

from collections.abc import Mapping

from msgspec import structs

from findable.reports.charts import PairTable, pair_lines
from findable.reports.facts.delivery_facts import ResourceFacts
from findable.reports.messages import format_bytes
from findable.wording import Translator, later

TYPE_WORDS: Mapping[str, str] = {
    "frame": later("frame"),
    "image": later("image"),
    "media": later("audio or video"),
    "script": later("script"),
    "stylesheet": later("stylesheet"),
}
"""Types of requests; other types are shown as they are."""


def weight_pairs(found: ResourceFacts, say: Translator) -> PairTable:
    """Return the transferred bytes of a page and its requests by type, the heaviest type first."""
    rows, notes = [("HTML", found.html_bytes, 1)], [say("%(size)s uncompressed", size=format_bytes(found.html_raw_bytes, say))]
    for one in sorted(found.by_type, key=lambda one: -one.known_bytes):
        rows.append((say.text(TYPE_WORDS.get(one.type, one.type)), one.known_bytes, one.count))
        foreign = say("%(count)s of other sites", count=say.number(one.third_party_count)) if one.third_party_count else ""
        unknown = say("%(count)s of unknown size", count=say.number(one.count - one.known_count)) if one.count > one.known_count else ""
        notes.append(", ".join(filter(None, (foreign, unknown))))
    lines = pair_lines(rows, say, one_scale=False, words=lambda size: format_bytes(size, say) if size else "–")
    noted = (structs.replace(line, note=note) for line, note in zip(lines, notes, strict=True))
    return PairTable("by-type", say("Bytes and requests by type"), (say("Bytes"), say("Type"), say("Requests")), tuple(noted))
