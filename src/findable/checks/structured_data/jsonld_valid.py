"""A JSON-LD block is invalid, or only valid for lenient parsers.

In plain words: Google cannot read the extra information about this page, such as prices or ratings, and does not show it.

Why it matters: A block that is not valid JSON is ignored completely, and its rich result does not appear.

How to fix: Fix the JSON at the line and column shown: commas between entries but not after the last, straight double quotes, no comments,
no line breaks inside texts.

    <script type="application/ld+json">
    {"@context": "https://schema.org", "@type": "Product", "name": "Blue widget"}
    </script>

Sources: [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259) (JSON); [W3C JSON-LD 1.1](https://www.w3.org/TR/json-ld11/); [Google: structured
data guidelines](https://developers.google.com/search/docs/appearance/structured-data/sd-policies) (2025).

Not judged: names that schema.org does not have, unless they are known names in another letter case: the vocabulary grows, and names of
other vocabularies are not errors. Blocks above a million characters are not parsed.
"""

from collections.abc import Iterator

from findable.artifacts.page.structured_data import Block, StructuredData
from findable.artifacts.page.structured_items import Item
from findable.artifacts.tables.schema_org import vocabulary
from findable.checks.engine import Evidence, Finding, check, element, failed, inapplicable, passed, unknown, warned, with_fault
from findable.formats.json_ld import BlockState
from findable.vocabulary import Effort, Importance

NAMES_SHOWN = 5
WRONG_CASE = "names in a wrong letter case: {names}"
NO_CONTEXT = "no @context: the block declares no vocabulary"


@check(
    "Does every JSON-LD block parse?",
    Importance.MEDIUM,
    Effort.HEAD,
    failed=80,
    warned=30,
    warned_summary="The JSON-LD has faults that readers may tolerate.",
)
def jsonld_valid(data: StructuredData) -> Finding:
    if not data.blocks:
        return inapplicable("No JSON-LD on the page")
    broken = [block for block in data.blocks if block.parsed.state in (BlockState.BROKEN, BlockState.TOO_DEEP)]
    if broken:
        finding = failed(
            "{count} of {blocks_count|JSON-LD block|JSON-LD blocks} cannot be read",
            blocks_count=len(data.blocks),
            evidence=[_fault(block) for block in broken],
        )
        return with_fault(finding, None, len(broken) / len(data.blocks))
    if all(block.parsed.state is BlockState.TOO_LARGE for block in data.blocks):
        return unknown("The JSON-LD is too large to be read", evidence=[block.element for block in data.blocks])
    warnings = [doubt for block in data.blocks for doubt in _warnings(block)]
    if warnings:
        return warned("{count|problem|problems} in the JSON-LD", evidence=warnings, advice=_advice(data, warnings))
    if not any(item.types or item.properties for block in data.blocks for item in block.items):
        return inapplicable("The JSON-LD is an empty list or object")
    return passed(
        "{count|JSON-LD block is|JSON-LD blocks are} valid: {types}",
        count=len(data.blocks),
        types=list(dict.fromkeys(item.name for block in data.blocks for item in block.items))[:NAMES_SHOWN],
        evidence=[block.element for block in data.blocks],
    )


def _advice(data: StructuredData, warnings: list[Evidence]) -> str:
    """Return the instruction if all problems are of one kind; empty for the documented one."""
    if all(block.parsed.state is BlockState.EMPTY for block in data.blocks if any(_warnings(block))):
        return "Remove the empty block, or fill it."
    if all(item.note == WRONG_CASE for item in warnings):
        return "Write types and properties with the letter case of schema.org."
    if all(item.note == NO_CONTEXT for item in warnings):
        return 'Add "@context": "https://schema.org" to the block.'
    return ""


def _fault(block: Block) -> Evidence:
    if block.line is None:
        return element(block.element, "{reason}", reason=block.parsed.reason)
    return element(
        block.element,
        "{reason} (line {line_number}, column {column_number})",
        reason=block.parsed.reason,
        line_number=block.line,
        column_number=block.column or 0,
    )


def _warnings(block: Block) -> Iterator[Evidence]:
    state = block.parsed.state
    if state is BlockState.EMPTY:
        yield element(block.element, "the block is empty")
    if not block.readable:
        return
    if state is BlockState.LENIENT:
        yield _fault(block)
    if block.parsed.duplicates:
        yield element(block.element, "keys that occur twice in one object: {keys}", keys=list(block.parsed.duplicates[:NAMES_SHOWN]))
    if not block.has_context and any(item.types or item.properties for item in block.items):
        yield element(block.element, NO_CONTEXT)
    if any(not item.types and item.properties for item in block.items):
        yield element(block.element, "an item without @type")
    if wrong := list(_wrong_case(block.items)):
        yield element(block.element, WRONG_CASE, names=wrong[:NAMES_SHOWN])


_XPATH_OF_GOOGLE = "xPath"
"""Spelling of `xpath` in Google's documentation of speakable, which its readers copy."""


def _wrong_case(items: tuple[Item, ...]) -> Iterator[str]:
    """Yield each misspelt name once, with the correct spelling."""
    known = vocabulary().by_lower_case
    seen: set[str] = set()
    stack = list(items)
    while stack:
        item = stack.pop()
        stack.extend(value for values in item.properties.values() for value in values if isinstance(value, Item))
        if not item.is_schema_org:
            continue
        for name, is_type in (*((name, True) for name in item.types), *((name, False) for name in item.properties)):
            meant = known.get(name.lower())
            if name in seen or meant is None or name in meant or name == _XPATH_OF_GOOGLE:
                continue
            seen.add(name)
            right = sorted(other for other in meant if other[:1].isupper() == is_type)
            if right:
                yield f"{name} → {right[0]}"
