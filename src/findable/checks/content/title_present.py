"""The page has no title, or more than one.

In plain words: Google does not know what to call this page in its results, because it has no title, or more than one.

Why it matters: The title element is the first source of the title link in search results and the name of the page in tabs, bookmarks and
screen readers. Without it, search engines use different text.

How to fix: Put one title into the head that describes this page.

    <title>Blue widgets, made to measure – Example Ltd</title>

Sources: [Google: title links](https://developers.google.com/search/docs/appearance/title-link) (2025); [WCAG 2.2, 2.4.2 Page
Titled](https://www.w3.org/TR/WCAG22/#page-titled); [HTML Standard,
3.1.5](https://html.spec.whatwg.org/multipage/dom.html#document.title): the first title element is the title of the document.

Not judged: a title element inside an SVG drawing names the drawing, not the page.
"""

from html import escape

from findable.artifacts.html.head_scripts import HeadPart, HeadScripts
from findable.artifacts.page.early_head_end import EarlyHeadEnd
from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.social import Social
from findable.checks.engine import Finding, check, covered_by, element, failed, passed, warned, with_fault
from findable.checks.page_fix import Fix, head_fix
from findable.checks.script_written import written_by_script
from findable.vocabulary import EditPlace, Effort, Fault, Importance, Verdict


@check(
    "Does the page have a title?",
    Importance.HIGH,
    Effort.HEAD,
    place=EditPlace.TITLE,
    costs={Fault.EMPTY_FIRST_TITLE: 150, Verdict.FAILED: 280, Verdict.WARNED: 40},
    accepts_partial_input=True,
    warned_summary="The page has several titles, or its title is outside the head.",
)
def title_present(
    head: Head, headings: Headings | None, social: Social | None, scripts: HeadScripts | None, early_end: EarlyHeadEnd | None
) -> Finding:
    """Checks the HTML title elements."""
    filled = [title for title in head.titles if title.text]
    if not filled:
        if head.titles:
            return failed("The title is empty", evidence=[title.element for title in head.titles])
        if scripts and (script := scripts.writer_of(HeadPart.TITLE)):
            return written_by_script(script)
        return failed("The page has no title", evidence=element(head.element, "no title element in here"), fixes=_fixes(headings, social))
    first = head.titles[0]
    if not first.text:
        empty = failed("The first of {count} titles is empty, and the first counts", count=len(head.titles), evidence=first.element)
        return with_fault(empty, Fault.EMPTY_FIRST_TITLE)
    if len(head.titles) > 1:
        return warned(
            "{count} title elements; only the first is used", count=len(head.titles), evidence=[title.element for title in head.titles]
        )
    if not first.in_head:
        if early_end and early_end.loses(first.element):
            return covered_by("head-valid")
        return warned("The title is outside the head", evidence=first.element)
    return passed("Title, {characters} characters: “{title}”", characters=len(first.text), title=first.text, evidence=first.element)


def _fixes(headings: Headings | None, social: Social | None) -> list[Fix | None]:
    """Return a title made from other texts of the page."""
    known = (social.content("og:title") if social else "", headings.main[0].name if headings and headings.main else "")
    text = next((text for text in known if text), "")
    return [head_fix(f"<title>{escape(text, quote=False)}</title>")] if text else []
