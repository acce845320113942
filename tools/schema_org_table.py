"""Write src/findable/artifacts/tables/data/schema_org.json from a release of schema.org.

Run it by hand with the file of all terms, including pending and retired ones:

    git clone --depth 1 https://github.com/schemaorg/schemaorg
    python tools/schema_org_table.py schemaorg/data/releases/30.0/schemaorg-all-https.jsonld 30.0 2026-03-19

Names that are only in the current table are kept as earlier names, because pages still use them.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parent.parent / "src/findable/artifacts/tables/data/schema_org.json"
PREFIX = "schema:"
THINGS = {"ImageObject", "Photograph", "WebContent", "VideoObject", "MediaObject"}
ENUMERATED = (
    # Properties of Google's rich results whose values are members of enumerations.
    *("availability", "itemCondition", "eventStatus", "eventAttendanceMode", "dayOfWeek", "bookFormat", "orderStatus", "reservationStatus"),
    *("returnPolicyCategory", "returnMethod", "returnFees", "refundType", "itemDefectReturnFees", "customerRemorseReturnFees"),
)
KINDS = {
    # Kind of value: ranges of which at least one must be present, and ranges that may also be present.
    "dates": ({"Date", "DateTime"}, {"Time"}),
    "times": ({"Time"}, set()),
    "durations": ({"Duration"}, {"QuantitativeValue"}),
    "numbers": ({"Number", "Integer", "Float"}, {"QuantitativeValue", "MonetaryAmount", "PriceSpecification"}),
    "urls": ({"URL"}, THINGS),
}


def main(path: str, release: str, date: str) -> None:
    """Write the table."""
    nodes = [node for node in json.loads(Path(path).read_text(encoding="utf-8"))["@graph"] if node["@id"].startswith(PREFIX)]
    types = {_name(node): _names(node.get("rdfs:subClassOf")) for node in nodes if "rdfs:Class" in _listed(node["@type"])}
    ranges = {_name(node): set(_names(node.get("schema:rangeIncludes"))) for node in nodes if "rdf:Property" in _listed(node["@type"])}
    members = {_name(node): _listed(node["@type"]) for node in nodes if _name(node) not in types and _name(node) not in ranges}
    known = {*types, *ranges, *members}
    before = json.loads(TARGET.read_text(encoding="utf-8")) if TARGET.exists() else {}
    earlier = {name for key in ("types", "properties", "members", "earlier") for name in before.get(key, ())} - known
    table = {
        "release": release,
        "date": date,
        "source": f"https://github.com/schemaorg/schemaorg, data/releases/{release}/{Path(path).name}; CC BY-SA 3.0, schema.org",
        "types": sorted(types),
        "properties": sorted(ranges),
        "members": sorted(members),
        "earlier": sorted(earlier),
        **{kind: sorted(_of_kind(ranges, wanted, beside)) for kind, (wanted, beside) in KINDS.items()},
        "enumerations": _enumerations(types, ranges, members),
    }
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(value)}" for name, value in table.items())
    TARGET.write_text(f"{{\n{lines}\n}}\n", encoding="ascii")


def _of_kind(ranges: Mapping[str, set[str]], wanted: set[str], beside: set[str]) -> list[str]:
    return [name for name, range_ in ranges.items() if range_ & wanted and range_ <= wanted | beside]


def _enumerations(types: Mapping[str, list[str]], ranges: Mapping[str, set[str]], members: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the properties whose values are only members of enumerations, with the members."""
    by_class: dict[str, set[str]] = {}
    for name, classes in members.items():
        for direct in classes:
            for outer in _with_parents(direct.removeprefix(PREFIX), types):
                by_class.setdefault(outer, set()).add(name)
    for inner in types:
        for outer in _with_parents(inner, types):
            by_class.setdefault(outer, set()).add(inner)
    closed = {name for name in types if "Enumeration" in _with_parents(name, types) - {name} and by_class[name] - set(types)}
    return {name: sorted(set().union(*(by_class[one] for one in ranges[name]))) for name in sorted(ENUMERATED) if ranges[name] <= closed}


def _with_parents(name: str, types: Mapping[str, list[str]]) -> set[str]:
    found = {name}
    for parent in types.get(name, ()):
        found |= _with_parents(parent, types)
    return found


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _name(node: Mapping[str, Any]) -> str:
    return str(node["@id"]).removeprefix(PREFIX)


def _names(value: Any) -> list[str]:
    return [_name(node) for node in _listed(value)]


if __name__ == "__main__":
    main(*sys.argv[1:])
