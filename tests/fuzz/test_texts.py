"""What we say of what strangers wrote: it stays text, wherever it goes: S31, S36, S46, S80."""

import csv
import html
import io
import re
import unicodedata

from hypothesis import strategies as st
from markdown_it import MarkdownIt

from findable.cli.terminal import clean as clean_for_terminal
from findable.export import pdf_texts
from findable.export.csv_cells import safe
from findable.export.markdown import code, escape
from findable.web.logs import one_line
from findable.web.pages.shared.page_templates import safe_href
from findable.web.pages.shared.untrusted_text import isolated, mark_spot, visible
from tests.fuzz.harness import example, fuzz, of_pieces

TEXT = of_pieces(
    "=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "'", '"', " ", ",", ";", "|", "`", "``", "*", "_", "#", "[", "](", "http://x", "<b>", "</script>", "<!--", "&lt;", "&#106;", "\\", "~~",
    "1.", "1)", "> ", "---", "===", "    ", "!", "$(x)", "{{7*7}}", "\x1b[31m", "\x9b", "\u202e", "\u2066", "\u200f", "\u2028", "\u2029", "\x85", "\ufeff", "\ud800", "😀", "א", "ا", "é", "www.x.com",
    "a@b.com", "javascript:", "JaVa\tscript:", "data:", "//", "\U000e0041", "\u00a0", "\u3000", "\x0b", "\x0c", "\x1c", most=15,
)  # fmt: skip
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠")
COMMONMARK, GITHUB = MarkdownIt("commonmark"), MarkdownIt("gfm-like", {"linkify": False})


@example("\u00a0=1")
@example("\x01\t=")
@fuzz(TEXT)
def test_s46_no_cell_begins_like_a_formula(text: str) -> None:
    file = io.StringIO(newline="")
    csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n").writerow([safe(text), safe("beside")])
    row = next(csv.reader(io.StringIO(file.getvalue(), newline="")))
    assert row[1] == "beside"
    assert not row[0].startswith(DANGEROUS)
    assert not row[0].lstrip().startswith(DANGEROUS)


@example(";=1+1")
@example(';"=1+1')
@example("\x01;\t=1")
@fuzz(TEXT)
def test_s46_no_cell_begins_like_a_formula_where_semicolons_or_tabs_part_cells(text: str) -> None:
    file = io.StringIO(newline="")
    csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n").writerow([safe("beside"), safe(text), safe("beside")])
    for delimiter in (";", "\t"):
        for row in csv.reader(io.StringIO(file.getvalue(), newline=""), delimiter=delimiter):
            assert not [cell for cell in row[1:] if cell.strip(" \"'\u00a0").startswith(DANGEROUS) and not cell.lstrip().startswith("'")]


def _tokens(markdown: MarkdownIt, text: str) -> list[str]:
    return [token.type for block in markdown.parse(text) for token in [block, *(block.children or [])]]


@example("1. a")
@example("---")
@example("www.x.com")
@fuzz(TEXT)
def test_s31_escaped_text_stays_text_in_markdown(text: str) -> None:
    for markdown in (COMMONMARK, GITHUB):
        for line in (escape(text), f"- {escape(text)}", f"**{escape(text) or 'x'}** said"):
            allowed = {
                "paragraph_open",
                "paragraph_close",
                "inline",
                "text",
                "text_special",
                "bullet_list_open",
                "bullet_list_close",
                "list_item_open",
                "list_item_close",
                "strong_open",
                "strong_close",
            }
            assert set(_tokens(markdown, line)) <= allowed, line
        (paragraph, *_) = [block for block in markdown.parse(f"x{escape(text)}") if block.type == "inline"]
        said = "".join(token.content for token in paragraph.children or [])
        assert said.split() == f"x{escape(text)}".replace("\\", "").split() or "\\" in text


@example("@everyone")
@example("by @ann, #12")
@fuzz(TEXT)
def test_s31_nobody_is_called_from_markdown(text: str) -> None:
    """Trackers look for names in the text that is left when the Markdown is read."""
    (paragraph, *_) = [block for block in COMMONMARK.parse(f"x {escape(text)}") if block.type == "inline"]
    said = "".join(token.content for token in paragraph.children or [])
    assert not re.search(r"(?<!\w)(?:@\w|#\d)", said)


@fuzz(TEXT)
def test_s31_code_cannot_be_left(text: str) -> None:
    made = code(text)
    plain = " ".join(re.sub("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", " ", text).split())
    if plain:
        inline = next(block for block in COMMONMARK.parse(f"a {made} b") if block.type == "inline")
        types = [token.type for token in inline.children or []]
        assert types == ["text", "code_inline", "text"], made
        assert (inline.children or [])[1].content.strip() == plain.replace("\0", "\ufffd").strip()


@fuzz(TEXT)
def test_s31_text_for_the_pdf_is_one_line_that_turns_nothing_round(text: str) -> None:
    made = pdf_texts.clean(text)
    assert len(made) <= pdf_texts.TEXT_CHARS
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", made)
    assert pdf_texts.clean(made) == made
    assert pdf_texts.direction(text) in {"ltr", "rtl"}
    pdf_texts.paragraphs(text)
    pdf_texts.prose(text)
    pdf_texts.address_of(text)
    pdf_texts.ascii_url(text)


@fuzz(TEXT)
def test_s36_a_line_of_terminal_and_log_is_one_line(text: str) -> None:
    shown = clean_for_terminal(text)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]", line)


@fuzz(TEXT)
def test_s31_controls_are_shown_and_markup_escaped(text: str) -> None:
    made = visible(text)
    assert visible(made) == made
    assert not any(
        unicodedata.category(character) == "Cf"
        and unicodedata.bidirectional(character) in {"RLO", "LRO", "RLE", "LRE", "PDF", "RLI", "LRI", "FSI", "PDI"}
        for character in made
    )


@fuzz(TEXT, st.lists(TEXT, max_size=3))
def test_s31_what_is_isolated_and_marked_is_the_same_text(text: str, parts: list[str]) -> None:
    for made in (isolated(text, parts), mark_spot(text, parts)):
        bare = re.sub("</?(?:bdi|mark)>", "", str(made))
        assert "<" not in bare
        assert html.unescape(bare).replace("\x00", "") is not None
        assert bare.replace("&lt;", "<").replace("&gt;", ">").replace("&#34;", '"').replace("&#39;", "'").replace("&amp;", "&") == visible(
            text
        )


@fuzz(TEXT)
def test_s33_nothing_that_runs_becomes_a_link(text: str) -> None:
    made = safe_href(text)
    assert made == "" or re.match(r"https?://", made)
