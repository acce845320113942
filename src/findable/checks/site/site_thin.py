"""Many pages have hardly any unique text.

In plain words: Many of your pages have so little text that visitors and Google hardly learn what they offer.

Why it matters: Pages that repeat their template and add a sentence offer search engines little to show. If there are many, crawlers spend
their time on them.

How to fix: Describe on each page what is unique to it, merge pages that belong together, or exclude pages from search results that are only
meant for visitors already on the site.

Sources: [Google: creating helpful content](https://developers.google.com/search/docs/fundamentals/creating-helpful-content) (2025). There
is no minimum number of words: 50 and the share of the pages are set by this report.

Not judged: Fewer than 5 % of the pages, unless they are half of a folder and 1 % of the pages; lists of products or articles, forms,
videos, diagrams, pages with three images; pages that scripts build; languages in which words are not counted. Text that variants of a
product share counts as unique; Chinese, Japanese and Thai are counted by their characters.
"""

from collections.abc import Sequence

from findable.capture.site_templates import CrawledThin, ThinFolder
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, inapplicable, unknown, url_evidence
from findable.vocabulary import EditPlace, Effort, Fixer, Importance, Verdict

THIN_SHARE = 0.05
"""Share of the indexable pages from which thin pages are reported."""
THIN_FROM = 3
"""Number of thin pages from which they are reported (set by Findable)."""
FOLDER_SHARE = 0.01
"""Share of the indexable pages from which thin pages are reported if they are half of their folder (set by Findable)."""
LIMIT_WORDS = 50


@check(
    "Do the pages have unique text?",
    Importance.LOW,
    Effort.CONTENT,
    place=EditPlace.TEXT,
    fixer=Fixer.EDITOR,
    warned=200,
    compares_texts=True,
    names_sections=True,
)
def site_thin(thin: CrawledThin) -> Finding:
    """Warns if at least 5 % of the indexable pages, or half of a folder, have fewer than 50 unique words."""
    if not thin.pages_count:
        return inapplicable("the site has no indexable pages")
    if not thin.known_count:
        return unknown("Not known: the words of {found_count|page|pages} are not counted", found_count=thin.pages_count)
    is_many = thin.thin_count >= max(THIN_FROM, THIN_SHARE * thin.pages_count)
    return by_cause(
        "{thin_count} of {known_count|page has|pages have} fewer than {least} unique words",
        _causes(thin.folders) if is_many else [_cause(folder) for folder in thin.folders if _is_thin(folder, thin.pages_count)],
        thin_count=thin.thin_count,
        known_count=thin.known_count,
        least=LIMIT_WORDS,
    )


def _is_thin(folder: ThinFolder, pages_count: int) -> bool:
    least = max(THIN_FROM, FOLDER_SHARE * pages_count)
    return folder.folder != "/" and folder.pages_count >= max(least, folder.all_count / 2)


def _causes(folders: Sequence[ThinFolder]) -> list[CausedFinding]:
    """Return a cause for each folder, and one for all folders of few thin pages: attachments have a folder each."""
    few = [folder for folder in folders if folder.pages_count < THIN_FROM]
    if len(few) < THIN_FROM:
        return [_cause(folder) for folder in folders]
    pages = tuple(page for folder in few for page in folder.pages)
    others = ThinFolder("", sum(folder.pages_count for folder in few), pages, 0)
    return [*(_cause(folder) for folder in folders if folder not in few), _cause(others)]


def _cause(folder: ThinFolder) -> CausedFinding:
    """Return the cause of the pages of a folder; without a name, of pages of several."""
    of_folder = Cause(CauseKind.FOLDER, folder.folder, "folder {folder}", {"folder": folder.folder})
    return CausedFinding(
        of_folder if folder.folder else Cause(CauseKind.GROUP, "others", "pages in different folders"),
        Verdict.WARNED,
        "{found_count|page has|pages have} fewer than {least} unique words",
        folder.pages_count,
        tuple(
            url_evidence(page.url, None, "{words_count|unique word|unique words}", words_count=page.words_count)
            for page in folder.pages[:EVIDENCE_SHOWN]
        ),
        {"found_count": folder.pages_count, "least": LIMIT_WORDS},
    )
