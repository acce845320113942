"""Badge: a rating as a small SVG image."""

from html import escape

from findable.reports.report import Report

# White text on these colours has a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3).
COLOURS = {"good": "#1a7f37", "decent": "#8a5a00", "bad": "#b42318", None: "#57606a"}
_CHAR_PX = 7
_PAD_PX = 8


def to_badge(report: Report, name: str = "Findable") -> str:
    """Return the SVG of a badge like ``Findable | good 93`` or ``Findable | not rated``. ``name``: text of its left half."""
    rating = report.result
    value = f"{rating} {report.score}" if rating else "not rated"
    left, right = _width_px(name), _width_px(value)
    total, name = left + right, escape(name)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="20" role="img" aria-label="{name}: {value}">'
        f"<title>{name}: {value}</title>"
        f'<rect width="{left}" height="20" rx="3" fill="#30363d"/><rect x="{left - 3}" width="{right + 3}" height="20" rx="3" '
        f'fill="{COLOURS[rating]}"/><rect x="{left - 3}" width="6" height="20" fill="{COLOURS[rating]}"/>'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{left / 2:g}" y="14">{name}</text><text x="{left + right / 2:g}" y="14">{value}</text></g></svg>\n'
    )


def _width_px(text: str) -> int:
    return len(text) * _CHAR_PX + 2 * _PAD_PX
