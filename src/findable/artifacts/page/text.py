"""Text of the page: all of it, and the main content."""

from msgspec import Struct

from findable.artifacts.content import Content
from findable.artifacts.html.document import Document
from findable.artifacts.html.main_content import main_content
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.page.word_count import count_words, has_any_word, has_words
from findable.artifacts.registry import artifact
from findable.values import once

MAIN_WORDS = 50
"""Number of words from which extracted main content without a main heading is accepted: less may be the introduction of a list."""
NON_MAIN_TAGS = frozenset({"nav", "header", "footer", "aside", "svg"})
"""Elements whose text is not main text: navigation and the like, and labels of SVG drawings."""


class Text(Struct, frozen=True, dict=True):
    """Text of the page as far as markup determines it; white space folded."""

    visible: str
    """Text of the whole body."""
    main: str
    """Main content, may be empty.

    It is the article, product or thread. On home pages, and on pages without such text, it is ``<main>`` if there is one, else the text
    outside navigation, header, footer, aside and drawings (SVG).
    """

    @property
    def has_words(self) -> bool:
        """Whether the visible text has any words."""
        return has_any_word(self.visible)

    @once
    def visible_count(self) -> int:
        """Number of words in the visible text."""
        return count_words(self.visible)

    @once
    def main_count(self) -> int:
        """Number of words in the main content."""
        return count_words(self.main)


@artifact
def make_text(content: Content, address: PageUrl) -> Text:
    """Return the visible text and the main content of the page."""
    return Text(content.document.text, main_text(content.document, is_home=address.is_home))


def main_text(document: Document, *, is_home: bool) -> str:
    """Return the text of the page's main content, with folded white space."""
    found = None if is_home else main_content(document)
    if found and (found.has_heading or has_words(found.text, MAIN_WORDS)):
        return found.text
    del found  # free a long text before the next one is created
    marked = " ".join(filter(None, (element.text for element in document.all("main")[:3])))
    return marked or document.text_outside(NON_MAIN_TAGS)
