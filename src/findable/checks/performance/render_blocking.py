"""Scripts and stylesheets delay the first paint.

In plain words: Visitors look at an empty screen while files load that the page does not need at first.

Why it matters: A browser paints nothing before it has loaded every stylesheet in the head that applies, and stops reading at every plain
script there.

How to fix: Defer scripts, keep one small stylesheet, and load the rest only for its medium.

    <script src="app.js" defer></script>
    <link rel="stylesheet" href="print.css" media="print">

Sources: [HTML Standard: The link element](https://html.spec.whatwg.org/multipage/semantics.html#the-link-element) and [the script
element](https://html.spec.whatwg.org/multipage/scripting.html#the-script-element); [Lighthouse: render-blocking
insight](https://developer.chrome.com/docs/performance/insights/render-blocking); the limits are set by this report: two stylesheets of the
site itself, one if another site serves one, and no script.

Not judged: Files behind an element that ends the head early (see head-valid). How long they block needs a browser. Stylesheets behind a
media query that depends on the device are not counted, nor are those of a print medium that a script turns on.
"""

from findable.artifacts.page.early_head_end import EarlyHeadEnd
from findable.artifacts.responses.assets import Assets, AssetState
from findable.artifacts.responses.resources import Resources, Script
from findable.checks.engine import Evidence, Finding, as_evidence, check, element, passed, warned
from findable.checks.performance.deferral import defer_fixes
from findable.vocabulary import Effort, Importance

MAX_STYLESHEETS = 1
MAX_OWN_STYLESHEETS = 2
SCRIPTS_ADVICE = (
    "Defer scripts. First change scripts that write into the page, and scripts whose functions are called immediately by a later script."
)
STYLESHEETS_ADVICE = "Combine the stylesheets into one, and set the media attribute of stylesheets for other media."
BOTH_ADVICE = (
    "Defer scripts, keep one small stylesheet, and set the media attribute of stylesheets for other media. First change scripts that"
    " write into the page, and scripts whose functions are called immediately by a later script."
)


@check("What blocks the first paint?", Importance.MEDIUM, Effort.HEAD, failed=10, warned=5)
def render_blocking(resources: Resources, assets: Assets, early_end: EarlyHeadEnd) -> Finding:
    blocking = [sheet for sheet in resources.stylesheets if sheet.blocking]
    sheets = [sheet.element for sheet in blocking]
    stopping = [script for script in resources.scripts if script.in_head and script.parser_blocking]
    scripts = [script.element for script in stopping]
    end = _head_end(early_end)
    limit = MAX_STYLESHEETS if any(sheet.third_party for sheet in blocking) else MAX_OWN_STYLESHEETS
    if len(sheets) <= limit and not scripts:
        return passed(
            "{sheets_count|stylesheet|stylesheets} and no script delay the first paint", sheets_count=len(sheets), evidence=[*sheets, *end]
        )
    pairs = [(script.element, _script_note(script, assets)) for script in stopping]
    pairs += [(node, "delays the first paint") for node in sheets]
    message, advice = _message_and_advice(bool(scripts), bool(sheets), len(sheets) > limit)
    return warned(
        message,
        scripts_count=len(scripts),
        sheets_count=len(sheets),
        evidence=[*as_evidence(pairs), *end],
        fixes=defer_fixes(scripts, resources, assets),
        advice=advice,
    )


def _script_note(script: Script, assets: Assets) -> str:
    asset = assets.for_url(script.url or "")
    if asset is not None and asset.state is AssetState.BROKEN:
        return "stops the parser and cannot be loaded: correct the URL or remove the script"
    return "stops the parser: neither async, defer nor module"


def _head_end(early_end: EarlyHeadEnd) -> list[Evidence]:
    """Return the element that ends the head before its end tag."""
    return (
        [element(early_end.element, "ends the head; files after it are not counted")]
        if early_end.element is not None and early_end.is_in_head
        else []
    )


def _message_and_advice(has_scripts: bool, has_sheets: bool, has_many_sheets: bool) -> tuple[str, str]:  # noqa: FBT001 - one private caller
    """Return message and advice for the kinds of files that block rendering."""
    if not has_scripts:
        return "{sheets_count|stylesheet delays|stylesheets delay} the first paint", STYLESHEETS_ADVICE
    if not has_sheets:
        return "{scripts_count|script in the head delays|scripts in the head delay} the first paint", SCRIPTS_ADVICE
    message = "{scripts_count|script|scripts} and {sheets_count|stylesheet|stylesheets} delay the first paint"
    return message, BOTH_ADVICE if has_many_sheets else SCRIPTS_ADVICE
