"""The page has very many elements.

Why it matters: Styles and layout are worked out for every element; on a phone thousands of them make every change slow.

How to fix: Show long lists a page at a time and drop wrappers that do nothing.

    <ul> … 50 items … </ul>
    <a href="?page=2">More</a>

Sources: [Lighthouse: DOM size](https://developer.chrome.com/docs/lighthouse/performance/dom-size): 1,500 elements was its older
limit and is SEOnaut's; Lighthouse 13 judges the cost of layout, not the number.

Not judged: Elements in the head and in ``<pre>`` (highlighted code), when the widest is named; what the elements cost in layout;
elements that scripts add.
"""

from findable.artifacts.content import Content
from findable.checks.engine import Finding, check, element, failed, passed, warned
from findable.vocabulary import Effort, Importance

GOOD_COUNT = 1500
POOR_COUNT = 5000


@check(question="How big is the DOM?", importance=Importance.LOW, effort=Effort.CONTENT)
def dom_size(content: Content) -> Finding:
    document = content.document
    count = document.element_count
    widest, children = document.widest_shown
    judge = passed if count <= GOOD_COUNT else warned if count <= POOR_COUNT else failed
    return judge(
        "{count|element|elements}, nested up to {depth} deep",
        count=count,
        depth=document.max_depth,
        evidence=element(widest or document.html, "the widest element, {children|child|children}", children=children),
    )
