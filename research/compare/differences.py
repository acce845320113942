"""Find the differences between two records, grouped by kind of change, with their locations."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Change = tuple[str, str, str]
"""Group, location, and old and new value as one text."""
GONE = object()
SHOWN_CHARS = 100


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    """Yield every difference between two records."""
    for name in sorted({*old["pages"], *new["pages"]}):
        before, after = old["pages"].get(name), new["pages"].get(name)
        if before is None or after is None:
            yield f"page {'added' if before is None else 'gone'}", name, ""
            continue
        yield from _page(name, before, after)
    if "routes" not in old or "routes" not in new:
        return
    for name in sorted({*old["routes"], *new["routes"]}):
        yield from _route(name, old["routes"].get(name), new["routes"].get(name))


def _page(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    for member in sorted({*old, *new} - {"findings", "facts"}):
        for path, before, after in _leaves(old.get(member, GONE), new.get(member, GONE), member):
            yield f"report {path}", name, _values(before, after)
    for check in sorted({*old.get("findings", ()), *new.get("findings", ())}):
        yield from _finding(f"finding {check}", name, old["findings"].get(check), new["findings"].get(check))
    for path, before, after in _leaves(old.get("facts", GONE), new.get("facts", GONE), "facts"):
        word = "added" if before is GONE else "gone" if after is GONE else "changed"
        yield f"{path} {word}", name, _values(before, after)


def _finding(group: str, name: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> Iterator[Change]:
    if old is None or new is None:
        yield f"{group} {'added' if old is None else 'gone'}", name, ""
        return
    for member in sorted({*old, *new}):
        before, after = old.get(member, GONE), new.get(member, GONE)
        if before == after:
            continue
        if member == "verdict":
            yield f"{group} verdict {before} → {after}", name, f"{old['key']} → {new['key']}"
        elif member == "evidence":
            yield f"{group} evidence", name, _evidence(before, after)
        else:
            yield f"{group} {member}", name, _values(before, after)


def _evidence(old: Sequence[Any], new: Sequence[Any]) -> str:
    """Return the counts if they differ, and the first location with a difference."""
    counts = "" if len(old) == len(new) else f"{len(old)} → {len(new)} places; "
    for number in range(max(len(old), len(new))):
        before, after = (items[number] if number < len(items) else GONE for items in (old, new))
        if before != after:
            return f"{counts}first at {number}: {_values(before, after)}"
    return counts


def _route(name: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> Iterator[Change]:
    if old is None or new is None:
        yield f"route {'added' if old is None else 'gone'}", name, ""
        return
    if old.get("status") != new.get("status"):
        yield f"route status {old.get('status')} → {new.get('status')}", name, ""
    for part, word in (("headers", "header"), ("json", "json"), ("operations", "operation")):
        before, after = old.get(part, {}), new.get(part, {})
        for member in sorted({*before, *after}):
            if member not in after:
                yield f"route {word} {member} gone", name, str(before[member])
            elif member not in before:
                yield f"route {word} {member} added", name, str(after[member])
            elif before[member] != after[member]:
                yield f"route {word} {member} changed", name, _values(before[member], after[member])
    if old.get("forms") != new.get("forms"):
        gone, added = set(old.get("forms", ())) - set(new.get("forms", ())), set(new.get("forms", ())) - set(old.get("forms", ()))
        yield "route forms", name, f"gone {sorted(gone)}, added {sorted(added)}"


def _leaves(old: Any, new: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Yield paths at which two values differ; positions in lists are written ``[]``."""
    if old == new and type(old) is type(new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted({*old, *new}):
            yield from _leaves(old.get(name, GONE), new.get(name, GONE), f"{path}.{name}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for before, after in zip(old, new, strict=True):
            yield from _leaves(before, after, f"{path}[]")
    elif old != new or isinstance(old, bool) != isinstance(new, bool):
        yield path, old, new


def _values(old: Any, new: Any) -> str:
    return f"{_shown(old)} → {_shown(new)}"


def _shown(value: Any) -> str:
    if value is GONE:
        return "nothing"
    text = repr(value)
    if len(text) > SHOWN_CHARS and isinstance(value, list):
        return f"{len(value)} items"
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"


class Expected:
    """Intended changes, one per line: ``GROUP [@ LOCATION]  # reason``; ``*`` matches any text."""

    def __init__(self, text: str = "") -> None:
        self._rules: list[tuple[str, re.Pattern[str], re.Pattern[str]]] = []
        self.used: set[str] = set()
        for line in text.splitlines():
            rule = line.partition(" #")[0].strip()
            if rule and not rule.startswith("#"):
                group, _, place = rule.partition(" @ ")
                self._rules.append((rule, _pattern(group), _pattern(place or "*")))

    def covers(self, group: str, place: str) -> bool:
        """Return whether a rule matches this change."""
        for rule, groups, places in self._rules:
            if groups.fullmatch(group) and places.fullmatch(place):
                self.used.add(rule)
                return True
        return False

    @property
    def unused(self) -> list[str]:
        """Return the rules that match no change."""
        return [rule for rule, _, _ in self._rules if rule not in self.used]


def _pattern(glob: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in glob.strip().split("*")), re.DOTALL)
