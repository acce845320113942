"""The share of visible text in the HTML is shown.

Why it matters: It does not matter. No search engine uses the ratio of text to code; it is shown because many tools show it. A very small
share may indicate inline data or styles that delay the first view.

How to fix: Nothing needs fixing. To make a page lighter, move long inline scripts and styles into files.

    <link rel="stylesheet" href="/styles.css">

Sources: none. No search engine documents such a ratio.
"""

from findable.artifacts.page.text import Text
from findable.capture.response import Response
from findable.checks.engine import Finding, check, info
from findable.vocabulary import Effort, Fixer, Importance


@check(question="How much of the HTML is text?", importance=Importance.INFO, effort=Effort.CONTENT, fixer=Fixer.DEVELOPER)
def text_html_ratio(response: Response, text: Text) -> Finding:
    html_bytes = response.size_bytes
    text_bytes = len(text.visible.encode("utf-8", "replace"))
    share = 100 * text_bytes / html_bytes if html_bytes else 0.0
    return info(
        "{share_percent} of the HTML is text: {text_bytes} of {html_bytes}",
        share_percent=round(share, 1),
        text_bytes=text_bytes,
        html_bytes=html_bytes,
    )
