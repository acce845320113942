"""Part of a result that lists show, stored as JSON beside the report and passed on unparsed."""

import json
from collections.abc import Mapping
from typing import Any

import msgspec

CATEGORY = ("id", "title", "score")
"""Fields of a category in lists."""


class Listed(msgspec.Struct, frozen=True):
    """JSON values of the summary."""

    engine: msgspec.Raw = msgspec.Raw(b"null")
    judged_as: msgspec.Raw = msgspec.Raw(b"null")
    counts: msgspec.Raw = msgspec.Raw(b"{}")
    categories: msgspec.Raw = msgspec.Raw(b"[]")


NOTHING = Listed()
_decoder = msgspec.json.Decoder(Listed)


def summary_json(document: Mapping[str, Any]) -> str:
    """Encode the summary of an analysis."""
    kept = {name: document.get(name) for name in ("engine", "judged_as", "counts")}
    kept["categories"] = [{name: category.get(name) for name in CATEGORY} for category in document.get("categories", ())]
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def listed_of(text: str | None) -> Listed:
    """Decode the stored summary of a report."""
    return _decoder.decode(text) if text else NOTHING
