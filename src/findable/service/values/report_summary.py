"""The part of a result that lists show, kept as JSON beside the report and passed on without being taken apart."""

import json
from collections.abc import Mapping
from typing import Any

import msgspec

CATEGORY = ("id", "title", "score")
"""What lists show of a category."""


class Listed(msgspec.Struct, frozen=True):
    """JSON, each."""

    engine: msgspec.Raw = msgspec.Raw(b"null")
    judged_as: msgspec.Raw = msgspec.Raw(b"null")
    counts: msgspec.Raw = msgspec.Raw(b"{}")
    categories: msgspec.Raw = msgspec.Raw(b"[]")


NOTHING = Listed()
_decoder = msgspec.json.Decoder(Listed)


def summary_json(document: Mapping[str, Any]) -> str:
    """Of an analysis (Analysis document), as it is kept."""
    kept = {name: document.get(name) for name in ("engine", "judged_as", "counts")}
    kept["categories"] = [{name: category.get(name) for name in CATEGORY} for category in document.get("categories", ())]
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def listed_of(text: str | None) -> Listed:
    """From what is kept of a report."""
    return _decoder.decode(text) if text else NOTHING
