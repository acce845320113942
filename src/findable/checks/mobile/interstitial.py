"""A layer covers the content as soon as the page opens.

In plain words: Visitors from Google see a window in front of the page first, for which Google may rank it lower.

Why it matters: Readers who come from a search result want what they searched for. Google demotes pages with intrusive layers.

How to fix: Use a banner that takes a small part of the screen and can be closed.

    <aside class="banner" style="position: sticky; bottom: 0; max-height: 25vh">…</aside>

Sources: [Google: Avoid intrusive interstitials and
dialogs](https://developers.google.com/search/docs/appearance/avoid-intrusive-interstitials) (2025).

Not judged: layers that appear after scrolling, or after the page is ready. Consent layers, which may be legally required, are not
distinguished: even a large layer is only a warning.
"""

from findable.artifacts.browser.layout import Layout
from findable.artifacts.page.head import Head
from findable.checks.engine import Finding, check, element, passed, warned
from findable.vocabulary import Effort, Importance

WARN_SHARE = 0.30
"""Share of the viewport covered by a layer from which the check warns (set by Findable)."""


@check("Is the content free of covering layers?", Importance.LOW, Effort.CONTENT, failed=20, warned=15)
def interstitial(layout: Layout, head: Head) -> Finding:
    """Checks the share of the viewport that a fixed layer covers."""
    percent = round(layout.overlay_share * 100)
    if layout.overlay_share >= WARN_SHARE:
        shown = element(head.element, "the page when it is ready, not scrolled")
        return warned(
            "A fixed layer covers {covered_percent} of the view; less than {limit_percent} passes",
            covered_percent=percent,
            limit_percent=round(100 * WARN_SHARE),
            evidence=shown,
        )
    return passed("Fixed layers cover {covered_percent} of the view", covered_percent=percent)
