"""Scripts stop the parser.

In plain words: Visitors wait for the text, because programs of the page load first.

Why it matters: At a plain script the browser stops reading the page until the script has loaded and run.

How to fix: Use defer, or async if the order does not matter.

    <script src="app.js" defer></script>

Sources: [HTML Standard: The script element](https://html.spec.whatwg.org/multipage/scripting.html#the-script-element).

Not judged: Inline scripts; scripts at the end of the body, where at most hidden elements follow; whether a script can be deferred (one that
writes into the page cannot).
"""

from findable.artifacts.html.document import Document
from findable.artifacts.html.landmarks import Surroundings
from findable.artifacts.html.markup import SentDocument
from findable.artifacts.responses.assets import Assets
from findable.artifacts.responses.resources import Resources
from findable.checks.engine import Finding, check, covered_by, inapplicable, passed, warned
from findable.checks.performance.deferral import defer_fixes
from findable.vocabulary import Effort, Importance

END_SHARE = 0.95
"""Share of the elements after which a script counts as at the end (set by Findable)."""
PASSIVE = frozenset({"script", "noscript", "style", "link", "template", "iframe", "html", "body", "head", "meta", "img"})
"""Elements that show no content."""
ADVICE = (
    "Use defer, or async if the order does not matter. First change scripts that write into the page, and scripts whose functions are"
    " called immediately by a later script."
)


@check("Are scripts deferred?", Importance.LOW, Effort.HEAD, failed=4, warned=3)
def script_defer(sent_document: SentDocument, resources: Resources, assets: Assets, surroundings: Surroundings) -> Finding:
    external = [script for script in resources.scripts if script.url]
    if not external:
        return inapplicable("The page loads no scripts")
    document = sent_document.document
    end = _end_of_content(document, surroundings if surroundings.document is document else Surroundings(document))
    blocking = [script.element for script in external if script.parser_blocking and script.element.order + 1 < end]
    in_head = {script.element for script in external if script.in_head}
    if blocking and in_head.issuperset(blocking):
        return covered_by("render-blocking")
    if blocking:
        blocking = [node for node in blocking if node not in in_head]
        return warned(
            "{blocking_count|script stands|scripts stand} within the content without defer or async, of {count} that the page loads",
            blocking_count=len(blocking),
            count=len(external),
            evidence=blocking,
            fixes=defer_fixes(blocking, resources, assets),
            advice=ADVICE,
        )
    return passed("{count|script|scripts}, all deferred, asynchronous, modules or at the end", count=len(external))


def _end_of_content(document: Document, surroundings: Surroundings) -> float:
    """Return the position of the last shown element, or the one that only a few elements follow."""
    last = document.element_count - 1
    while last >= 0 and (document.tags[last] in PASSIVE or surroundings.context_of(document.element_at(last)).hidden):
        last -= 1
    return min(last + 1, document.element_count * END_SHARE)
