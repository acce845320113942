"""The page uses obsolete HTML elements, frames or plugins.

In plain words: Visitors may miss parts of the page, because it uses techniques that browsers no longer support or soon will not.

Why it matters: Presentational elements still work, but mix appearance with content. Frames and plugins do not: search engines index frames
separately from their frameset, and no browser runs Flash, applets or Silverlight any more.

How to fix: Use stylesheets for the appearance, and HTML or video in place of plugins.

    <abbr title="Hypertext Markup Language">HTML</abbr>

Sources: [HTML Standard, 16.2 Non-conforming features](https://html.spec.whatwg.org/multipage/obsolete.html#non-conforming-features); Adobe,
"Flash Player end of life" (2020).

Not judged: obsolete attributes, and elements of the same name inside drawings (SVG has its own ``font`` element).
"""

from collections import Counter

from findable.artifacts.html.document import Document, Element
from findable.artifacts.tables.table_file import read_table
from findable.checks.engine import Finding, as_evidence, check, element, failed, passed, warned
from findable.checks.page_fix import rename_fix
from findable.vocabulary import Effort, Importance

OBSOLETE = read_table("obsolete_elements", tuple[str, ...])
SUCCESSORS = {"acronym": "abbr", "tt": "code", "strike": "s"}
"""Current elements with the same meaning."""
FOR_LOOKS = frozenset({"basefont", "big", "blink", "center", "font", "marquee", "multicol", "nobr", "spacer"})
PLUGIN_SIGNS = ("shockwave-flash", ".swf", "silverlight", "application/x-java", "futuresplash")
CONTENT_WORDS = 50
"""Number of words below which the plugin is the content (set by Findable)."""
PLUGIN_ADVICE = "Use HTML, or video, in place of plugins."
SUCCESSOR_ADVICE = "Write abbr for acronym, s or del for strike, and code, kbd or samp for tt."
LOOKS_ADVICE = "Use stylesheets for looks."
OTHERS_ADVICE = "Remove these elements: browsers ignore them, or may stop supporting them."
MAX_ELEMENTS = 1000
MAX_NAMES = 8


@check("Is the page free of obsolete elements and plugins?", Importance.LOW, Effort.CONTENT, failed=15, warned=15, mark=r"<[a-z]+")
def html_deprecated(document: Document) -> Finding:
    """Checks obsolete HTML elements, framesets and plugins."""
    frames = document.all("frameset")
    if frames:
        return failed("The page is a set of frames", evidence=frames, advice="Move the content of the frames into one page, or link to it.")
    plugins = [node for node in document.all("object", "embed", "applet", limit=MAX_ELEMENTS) if _is_plugin(node)]
    if plugins and len(document.text.split(maxsplit=CONTENT_WORDS)) < CONTENT_WORDS:
        return failed("The content is in a plugin that browsers no longer run", evidence=plugins, advice=PLUGIN_ADVICE)
    present = [tag for tag in OBSOLETE if tag in document.tag_counts]
    old = [node for node in document.all(*present, limit=MAX_ELEMENTS) if node.namespace == "html"] if present else []
    if plugins or old:
        kinds = Counter([*("plugin" for _ in plugins), *(node.tag for node in old)])
        return warned(
            "{count|obsolete element|obsolete elements}: {names}",
            count=len(plugins) + len(old),
            names=[f"{kind} ({count})" for kind, count in kinds.most_common(MAX_NAMES)],
            evidence=as_evidence([*((node, "browsers no longer run this plugin") for node in plugins), *((node, "") for node in old)]),
            fixes=(rename_fix(node, SUCCESSORS[node.tag]) for node in old if node.tag in SUCCESSORS),
            advice=_advice({node.tag for node in old}),
        )
    return passed("None of {count} elements is obsolete", count=document.element_count, evidence=element(document.html))


def _advice(names: set[str]) -> str:
    """Return the advice for obsolete elements of these names, or for plugins alone."""
    if not names:
        return PLUGIN_ADVICE
    if names <= SUCCESSORS.keys():
        return SUCCESSOR_ADVICE
    return OTHERS_ADVICE if names.isdisjoint(FOR_LOOKS) else LOOKS_ADVICE


def _is_plugin(node: Element) -> bool:
    if node.tag == "applet":
        return True
    attrs = node.attrs
    described = " ".join(attrs.get(name, "")[:300] for name in ("type", "data", "src", "classid")).lower()
    return any(sign in described for sign in PLUGIN_SIGNS)
