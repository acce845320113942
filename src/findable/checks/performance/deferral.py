"""Find the scripts that can be deferred without breaking the page."""

import re
from collections.abc import Iterable

from findable.artifacts.html.document import Element
from findable.artifacts.responses.assets import Assets, AssetState
from findable.artifacts.responses.resources import Resources, Script
from findable.checks.engine import EVIDENCE_SHOWN
from findable.checks.page_fix import Fix, attribute_fixes
from findable.lazy_pattern import lazy_pattern

_NEEDED_EARLY = lazy_pattern(rb"document\.write|document\.documentElement\.(?:class|set|dataset|style)")
"""Code that writes into the page while it is parsed, or changes the look of the page before its first paint."""
_CONSENT = lazy_pattern(r"consent|cookie|onetrust|otsdkstub|didomi|usercentrics|klaro|iubenda|axeptio", re.IGNORECASE)
"""Consent managers, which block other scripts and must run before them."""
MAX_ATTRIBUTE_CHARS = 500


def defer_fixes(blocking: Iterable[Element], resources: Resources, assets: Assets) -> list[Fix]:
    """Return the script elements with defer, from the first one that no other classic script follows; none if uncertain.

    A later classic script, inline or not, may use definitions of an earlier one immediately.
    """
    wanted = set(blocking)
    found: list[Element] = []
    for script in reversed(resources.scripts):
        if script.module or script.nomodule or script.async_ or script.defer:
            continue
        if script.element not in wanted or not _is_deferrable(script, assets):
            break
        found.append(script.element)
    if len(found) > EVIDENCE_SHOWN or resources.is_cut:
        return []
    return [fix for fix in attribute_fixes(reversed(found), defer=True) if fix]


def _is_deferrable(script: Script, assets: Assets) -> bool:
    """Return whether the script can be deferred, because nothing depends on its early execution.

    Scripts in the body write into the page more often, so they are deferrable only if their file was loaded and does not.
    """
    if any(_CONSENT.search(f"{name} {value}"[:MAX_ATTRIBUTE_CHARS]) for name, value in script.element.attrs.items()):
        return False
    asset = assets.for_url(script.url or "")
    if asset is not None and asset.state is AssetState.BROKEN:
        return False  # failed-requests reports it; the resource must be fixed or removed
    if asset is not None and asset.is_loaded:
        return not _NEEDED_EARLY.search(asset.response.body) and not asset.response.truncated
    return script.in_head and not script.third_party
