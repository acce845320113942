"""Facts of what the page says: title, description, headings, words, language, keywords, structured data, social tags.

Keys (each absent artifact leaves its key out):

``title``, ``description``
    ``text``, ``characters_count``, ``width_px`` (null where it cannot be estimated), ``limit_px``, ``truncated_at`` (characters
    shown, null where all of it fits), ``preview``.
``headings``
    ``outline``: list of ``{level, text, line, hidden}``; ``count``, ``left_count``.
``words``
    ``visible_count``, ``main_count``, ``main_share_percent``, ``counted`` (false where the language has no tested word count).
``language``
    ``declared``, ``detected``, ``confidence``, ``used``.
``keywords``
    ``words_count``; ``single``, ``pairs``, ``triples``: lists of ``{term, count, in_title, in_heading, in_description, in_url, in_alt}``.
``structured_data``
    ``blocks``: list of ``{state, reason, line, column}``; ``items``: tree of ``{types, id, syntax, line, properties}``, a property
    being a list of texts and items; ``items_count`` and ``left_count`` at the top level, ``blocks_count``; ``is_cut`` where a part was not
    read.
``social``
    ``tags``: list of ``{name, content}``; ``left_count``; ``preview``: ``{title, description, image_url, site_name, card}``.
"""

from collections.abc import Iterable
from typing import Any

from findable.artifacts.page.headings import Headings
from findable.artifacts.page.keywords import Keywords, Term
from findable.artifacts.page.serp_width import Line, ResultLines
from findable.artifacts.page.social import Preview, Social
from findable.artifacts.page.structured_data import Item, StructuredData
from findable.artifacts.page.text import COUNTED_LANGUAGES, Language, Text
from findable.artifacts.registry import Gathered

HEADINGS_SHOWN = 100
TERMS_SHOWN = 10
BLOCKS_SHOWN = 20
ITEMS_SHOWN = 200
"""Items of the whole tree."""
VALUES_SHOWN = 10
"""Of one property."""
PROPERTIES_SHOWN = 40
DEPTH_SHOWN = 6
TAGS_SHOWN = 60
TEXT_CHARS = 300


def facts(gathered: Gathered) -> dict[str, Any]:
    """JSON-ready and bounded."""
    found: dict[str, Any] = {}
    if lines := gathered.present(ResultLines):
        found["title"], found["description"] = _line(lines.title), _line(lines.description)
    if headings := gathered.present(Headings):
        found["headings"] = _headings(headings)
    language = gathered.present(Language)
    if text := gathered.present(Text):
        found["words"] = _words(text, language)
    if language:
        found["language"] = {
            "declared": language.declared[:TEXT_CHARS],
            "detected": language.detected,
            "confidence": language.confidence,
            "used": language.used,
        }
    if keywords := gathered.present(Keywords):
        found["keywords"] = _keywords(keywords)
    if data := gathered.present(StructuredData):
        found["structured_data"] = _structured_data(data)
    if social := gathered.present(Social):
        found["social"] = _social(social, gathered.present(Preview))
    return found


def _line(line: Line) -> dict[str, Any]:
    return {
        "text": line.text[: 4 * TEXT_CHARS],
        "characters_count": line.characters_count,
        "width_px": line.width_px,
        "limit_px": line.limit_px,
        "truncated_at": line.truncated_at,
        "preview": line.preview[: 4 * TEXT_CHARS],
    }


def _headings(headings: Headings) -> dict[str, Any]:
    count = len(headings.all) + headings.left_count
    return {
        "outline": [
            {"level": item.level, "text": item.name[:TEXT_CHARS], "line": item.element.line, "hidden": item.hidden}
            for item in headings.all[:HEADINGS_SHOWN]
        ],
        "count": count,
        "left_count": max(0, count - HEADINGS_SHOWN),
    }


def _words(text: Text, language: Language | None) -> dict[str, Any]:
    return {
        "visible_count": text.visible_count,
        "main_count": text.main_count,
        "main_share_percent": round(100 * len(text.main) / len(text.visible)) if text.visible else 0,
        "counted": language is None or not language.used or language.used in COUNTED_LANGUAGES,
    }


def _keywords(keywords: Keywords) -> dict[str, Any]:
    return {
        "words_count": keywords.words_count,
        "single": _terms(keywords.single),
        "pairs": _terms(keywords.pairs),
        "triples": _terms(keywords.triples),
    }


def _terms(terms: Iterable[Term]) -> list[dict[str, Any]]:
    return [
        {
            "term": term.text[:TEXT_CHARS],
            "count": term.count,
            "in_title": term.in_title,
            "in_heading": term.in_heading,
            "in_description": term.in_description,
            "in_url": term.in_url,
            "in_alt": term.in_alt,
        }
        for term in list(terms)[:TERMS_SHOWN]
    ]


def _structured_data(data: StructuredData) -> dict[str, Any]:
    tree = _Tree()
    items = [shown for item in data.items if (shown := tree.show(item, 0)) is not None]
    return {
        "blocks": [
            {"state": block.parsed.state.value, "reason": block.parsed.reason, "line": block.line, "column": block.column}
            for block in data.blocks[:BLOCKS_SHOWN]
        ],
        "items": items,
        "items_count": len(data.items),
        "left_count": len(data.items) - len(items),
        "blocks_count": len(data.blocks) + data.blocks_left_count,
        "is_cut": data.is_cut,
    }


class _Tree:
    """Shows items until ITEMS_SHOWN of them are shown."""

    def __init__(self) -> None:
        self._left = ITEMS_SHOWN

    def show(self, item: Item, depth: int) -> dict[str, Any] | None:
        if self._left <= 0 or depth > DEPTH_SHOWN:
            return None
        self._left -= 1
        properties = {
            name[:TEXT_CHARS]: [shown for value in values[:VALUES_SHOWN] if (shown := self._value(value, depth)) is not None]
            for name, values in list(item.properties.items())[:PROPERTIES_SHOWN]
        }
        return {
            "types": [name[:TEXT_CHARS] for name in item.types],
            "id": item.id[:TEXT_CHARS],
            "syntax": item.syntax.value,
            "line": item.element.line,
            "properties": properties,
        }

    def _value(self, value: str | Item, depth: int) -> Any:
        return value[:TEXT_CHARS] if isinstance(value, str) else self.show(value, depth + 1)


def _social(social: Social, preview: Preview | None) -> dict[str, Any]:
    shown = [{"name": tag.name, "content": tag.content[:TEXT_CHARS]} for tag in social.tags[:TAGS_SHOWN]]
    found: dict[str, Any] = {"tags": shown, "left_count": len(social.tags) - len(shown) + social.left_count}
    if preview:
        found["preview"] = {
            "title": preview.title[:TEXT_CHARS],
            "description": preview.description[: 4 * TEXT_CHARS],
            "image_url": preview.image_url,
            "site_name": preview.site_name[:TEXT_CHARS],
            "card": preview.card[:TEXT_CHARS],
        }
    return found
