"""Read the items of a JSON-LD block: nodes, graphs and values, with their contexts."""

from collections.abc import Iterator, Mapping
from typing import Any

from findable.artifacts.html.document import Element
from findable.artifacts.page.structured_items import MAX_DEPTH, MAX_TEXT_CHARS, MAX_VALUES, Item, ItemStore, Syntax, Value, plain
from findable.formats.json_ld_context import Context

MAX_TYPES = 10
_NO_CONTEXT = Context()
Node = Mapping[str, Any]


def json_ld_items(value: Any, element: Element, store: ItemStore) -> tuple[tuple[Item, ...], bool]:
    """Return the top-level items of a parsed block, including those in graphs, and whether each has a context or needs none."""
    nodes = list(_nodes(value))
    items = tuple(item for node, context in nodes if (item := _item(node, context, element, store, 0)) is not None)
    return items, all(context.is_declared or _has_whole_names(node) for node, context in nodes)


def _has_whole_names(node: Node) -> bool:
    """Return whether keys and types of a node are IRIs, which mean the same without a context (JSON-LD 1.1, expanded form)."""
    types = _values_of(node.get("@type"), _NO_CONTEXT)
    return all(key.startswith("@") or "://" in key for key in node) and all("://" in name for name in types if isinstance(name, str))


def _nodes(value: Any) -> Iterator[tuple[Node, Context]]:
    """Yield top-level nodes that are not empty with their contexts, including the nodes of graphs and nested graphs."""
    stack: list[tuple[Any, Context, int]] = [(root, _NO_CONTEXT, 0) for root in reversed(_values_of(value, _NO_CONTEXT))]
    while stack:
        written, outer, depth = stack.pop()
        if not isinstance(written, dict):
            continue
        context = outer.extended(written["@context"]) if "@context" in written else outer
        node = _by_keyword(written, context)
        graph = None if depth > MAX_DEPTH else node.pop("@graph", None)
        included = None if depth > MAX_DEPTH else node.pop("@included", None)
        is_graph_alone = graph is not None and "@type" not in node
        if node and not is_graph_alone:
            yield node, context
        for inner in (included, graph):
            stack.extend((one, context, depth + 1) for one in reversed(_values_of(inner, context)))


def _by_keyword(written: Node, context: Context) -> dict[str, Any]:
    """Return a node without its context, with keywords instead of their aliases."""
    if not context.terms:
        return {key: value for key, value in written.items() if key != "@context"}
    return {context.keyword(key): value for key, value in written.items() if key != "@context"}


def _item(node: Node, context: Context, element: Element, store: ItemStore, depth: int) -> Item | None:
    """Return the item of a node, whose keys are without aliases."""
    if not store.has_room(depth):
        return None
    named = [name.strip() for name in _values_of(node.get("@type"), context)[:MAX_TYPES] if isinstance(name, str) and name.strip()]
    properties: dict[str, tuple[Value, ...]] = {}
    for key, raw in node.items():
        if not key.startswith("@") and (values := _read_values(raw, context, element, store, depth)):
            name = plain(context.expand(key))[:200]
            properties[name] = (*properties.get(name, ()), *values)
    identifier = node.get("@id")
    is_schema_org = any(context.means_schema_org(name) for name in named) if named else context.is_schema_org
    item = Item(
        Syntax.JSON_LD,
        tuple(plain(context.expand(name)) for name in named),
        identifier if isinstance(identifier, str) else "",
        properties,
        element,
        is_schema_org,
    )
    store.add(item)
    return item


def _read_values(raw: Any, context: Context, element: Element, store: ItemStore, depth: int) -> tuple[Value, ...]:
    found: list[Value] = []
    listed = _values_of(raw, context)
    store.is_cut = store.is_cut or len(listed) > MAX_VALUES
    for value in listed[:MAX_VALUES]:
        if isinstance(value, dict):
            inner_context = context.extended(value["@context"]) if "@context" in value else context
            node = _by_keyword(value, inner_context)
            if "@value" not in node:
                inner = _item(node, inner_context, element, store, depth + 1)
                if inner is not None:
                    found.append(inner)
                continue
            value = node["@value"]  # noqa: PLW2901 - the value of a value object
        if isinstance(value, bool):
            found.append("true" if value else "false")
        elif isinstance(value, str):
            found.append(value[:MAX_TEXT_CHARS].encode("utf-8", "replace").decode("utf-8"))
    return tuple(found)


def _values_of(raw: Any, context: Context) -> list[Any]:
    """Return the values of a property: one, a list, or JSON-LD's ``@list`` and ``@set``; nested lists are flattened once."""
    if isinstance(raw, dict):
        raw = next((value for key, value in raw.items() if context.keyword(key) in ("@list", "@set")), raw)
    if not isinstance(raw, list):
        return [] if raw is None else [raw]
    flat: list[Any] = []
    for value in raw[: MAX_VALUES + 1]:  # one more, to detect too many
        flat.extend(value if isinstance(value, list) else [value])
    return flat
