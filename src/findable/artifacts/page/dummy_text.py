"""Recognize dummy text (lorem ipsum)."""

from findable.lazy_pattern import lazy_pattern

_DUMMY_WORD = lazy_pattern(
    r"\b(?:lorem|ipsum|dolor|sit|amet|consectetur|adipisi?cing|elit|sed|eiusmod|tempor|incididunt|labore|dolore|magna|aliqua|enim|minim"
    r"|veniam|quis|nostrud|exercitation|ullamco|laboris|nisi|aliquip|commodo|consequat|duis|aute|irure|reprehenderit|voluptate|velit"
    r"|esse|cillum|fugiat|nulla|pariatur|excepteur|sint|occaecat|cupidatat|proident|sunt|culpa|officia|deserunt|mollit|anim|laborum)\b"
)
"""Words of dummy text (lorem ipsum), which has no language."""
DUMMY_SHARE = 0.2
"""Share of characters in words of dummy text from which a sample is dummy text."""


def is_dummy_text(sample: str) -> bool:
    """Return whether a text consists of dummy text (lorem ipsum)."""
    text = sample.lower()
    return "lorem" in text and len("".join(_DUMMY_WORD.findall(text))) > len(text) * DUMMY_SHARE
