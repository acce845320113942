"""A finding names the number that its verdict depends on."""

import ast
from pathlib import Path

from findable.checks import engine

FOLDER = Path(engine.__file__).parent

WORDED = {
    "content/heading_order": {"TOP_LEVEL"},
    "content/title_length": {"TOLERANCE_PX"},
    "images/image_responsive": {"FAILED_ABOVE_BYTES"},
    "indexability/redirect_chain": {"FEW"},
    "mobile/content_width": {"FAIL_SHARE", "TOLERANCE_PX"},
    "security/hsts": {"LONG_S"},
}
"""Written out in the words of the finding, or the screen's or the text's own size is there to compare with."""

FAILS_FROM = {
    "content/title_unique": {"MANY_PAGES"},
    "indexability/redirect_kind": {"LONG_S"},
    "links/links_internal_broken": {"FAIL_COUNT"},
    "performance/cache_lifetime": {"NO_CACHING_SHARE"},
    "performance/cls": {"POOR"},
    "performance/dom_size": {"POOR_COUNT"},
    "performance/fcp": {"POOR_MS"},
    "performance/lcp": {"POOR_MS"},
    "performance/load_time": {"POOR_MS"},
    "performance/page_weight": {"POOR_BYTES"},
    "performance/tbt": {"POOR_MS"},
    "performance/ttfb": {"POOR_MS"},
}
"""Between warned and failed: the finding names the first limit, or a single case is a fault, and the documentation names this one."""

COUNTED = {
    "ai/data_nosnippet": {"COMPARED_CHARS"},
    "accessibility/control_names": {"NAME_CHARS"},
    "accessibility/duplicate_id": {"REFERENCES_READ"},
    "accessibility/iframe_title": {"MAX_TITLE_CHARS"},
    "ai/ai_edge_access": {"SIZE_TOLERANCE", "TOO_MANY_REQUESTS"},
    "ai/llms_txt": {"MIN_CHARACTERS"},
    "content/content_keywords": {"MIN_PART_CHARS", "MIN_WORDS", "PARAGRAPHS_AT_MOST", "STUFFED_TIMES"},
    "content/content_length": {"LABELS"},
    "content/h1_present": {"IN_TITLE_SHARE", "MANY_ELEMENTS", "MIN_SHARE", "NEXT_LEVEL", "SAME_SHARE"},
    "content/heading_order": {"MAX_HEADING_CHARS", "SMALL_TYPE_LEVEL"},
    "content/keyword_overlap": {"MIN_NAME_CHARS", "MIN_SHARE", "MIN_WORDS", "NAME_SHARE", "TERMS_SHOWN"},
    "content/meta_description": {
        *("MAX_CHARS", "MIN_CHARS", "REPEATED_LENGTH", "REPEATED_SHARE", "SHARED_WORDS", "TELLING_CHARS", "TELLING_WORDS"),
    },
    "content/placeholder_text": {"LOCATED_CHARS", "MOJIBAKE_TIMES"},
    "content/title_length": {"FAR_TOO_LONG", "SITE_NAME_CHARS"},
    "content/title_quality": {
        "BRIEF_WORDS",
        "MIN_DIGITS",
        "REPEATED_LEAST_CHARS",
        "REPEATED_TIMES",
        "SLOGAN_TEXT_WORDS",
        "SLOGAN_WORDS",
        "STEM_CHARS",
    },
    "images/image_alt": {"RULE_RATIO", "TINY_PX"},
    "images/image_indexable": {"LARGE_DATA_CHARS"},
    "images/image_keywords": {"LONG_ALT_CHARS", "SAME_ALT_COUNT"},
    "images/image_loading": {"BANNER_RATIO", "EAGER_FAR_BELOW_COUNT", "FIRST_VIEW_CHARS", "ICON_PX", "LARGE_PIXELS", "MAX_SIBLINGS"},
    "indexability/canonical_self": {"SAME_TEXT", "SLUG_HYPHENS"},
    "indexability/html_size": {"LARGE_SHARE", "MIN_SHOWN_CHARS"},
    "indexability/http_status": {"REDIRECT"},
    "indexability/not_found_status": {"MIN_BYTES"},
    "indexability/raw_vs_rendered": {"MIN_LINKS", "MIN_WORDS"},
    "indexability/sitemap_valid": {"SAME_DATES", "SAMPLE_SHARE"},
    "indexability/soft_404": {"FEW_WORDS", "SIMILAR_SHARE"},
    "international/html_lang": {"SURE"},
    "international/language_match": {"MIN_CHARS", "SURE", "WORDS_READ"},
    "international/locale_redirect": {"MIN_ANSWERS"},
    "links/links_localhost": {"MAX_HOSTS"},
    "performance/dom_size": {"LONG_LIST_COUNT", "NAMED_SHARE"},
    "performance/load_time": {"SMALL_BYTES"},
    "performance/minified": {"LONG_LINES", "WORTH_SHARE"},
    "performance/page_weight": {"MEASURED_SHARE"},
    "performance/text_compression": {"WORTH_BYTES"},
    "security/sri": {"ASSET_IMAGES"},
    "security/tls_certificate": {"SOON_SHARE"},
    "social/og_basic": {"MAX_RATIO"},
    "structured_data/sd_breadcrumb": {"FOLDERS", "MIN_ITEMS"},
    "structured_data/sd_matches_page": {"CENTS", "MIN_TITLES", "MIN_TITLE_WORDS", "PRICES_READ", "PRICE_CHARS", "SHARED_WORDS"},
    "structured_data/sd_required": {"DEPTH_JUDGED"},
    "technical/charset": {"CUT_CHARACTER_BYTES"},
}
"""What is counted, compared or read at all; which kind of fault, draft or advice it is."""


def _numbers(tree: ast.Module) -> set[str]:
    """Names of a module that stand for a number."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            inside = list(ast.walk(node.value))
            if all(isinstance(part, ast.Constant | ast.BinOp | ast.operator) for part in inside) and any(
                isinstance(part, ast.Constant) and isinstance(part.value, int | float) for part in inside
            ):
                found.add(node.targets[0].id)
    return found


def _unnamed(path: Path) -> set[str]:
    """Numbers of a check that something is compared with, and that are no value of a message."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    compared = {part.id for node in nodes if isinstance(node, ast.Compare) for part in ast.walk(node) if isinstance(part, ast.Name)}
    values = [node.value for node in nodes if isinstance(node, ast.keyword)]
    values += [node.value for node in nodes if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)]
    said = {part.id for value in values for part in ast.walk(value) if isinstance(part, ast.Name)}
    return (_numbers(tree) & compared) - said


def test_a_number_that_decides_a_verdict_is_a_value_of_the_finding() -> None:
    modules = [path for path in sorted(FOLDER.glob("*/*.py")) if path.parent.name != "site"]  # their findings name counts of counts
    unnamed = {f"{path.parent.name}/{path.stem}": names for path in modules if (names := _unnamed(path))}
    explained = {
        check: WORDED.get(check, set()) | FAILS_FROM.get(check, set()) | COUNTED.get(check, set())
        for check in (*WORDED, *FAILS_FROM, *COUNTED)
    }

    assert {check: names - explained.get(check, set()) for check, names in unnamed.items() if names - explained.get(check, set())} == {}
    assert {check: names - unnamed.get(check, set()) for check, names in explained.items() if names - unnamed.get(check, set())} == {}
