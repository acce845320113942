"""The PDF of a report: tagged, in its language, hostile text as text, within bounds."""

import gettext
import re
import struct
import subprocess
import time
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from findable import sandbox
from findable.capture.rendering import ConsoleLine
from findable.checks.engine import Evidence, all_checks
from findable.errors import PageError, PageErrorCode
from findable.export import pdf
from findable.export.client_words import SECTIONS, ClientWords
from findable.export.pdf import PdfFailed, PdfMissing, to_pdf
from findable.export.pdf_charts import score_line
from findable.export.pdf_content import CARDS, template_data
from findable.export.pdf_sheet import Branding, Screenshots, Sheet
from findable.export.pdf_texts import address_of, direction, readable
from findable.export.typesetting import MISSING, without_undrawable
from findable.reports.analysis import analyse
from findable.reports.fixes import first_fixes
from findable.reports.google_listing import google_listing
from findable.reports.project_report import TrendPoint
from findable.reports.prose import spans, unwrap_lines
from findable.reports.report import Report, unloaded_report
from findable.reports.scoring import Cap
from findable.service.reports.stored_images import encode_filmstrip
from findable.vocabulary import Verdict
from findable.wording import ENGLISH, Language, Translator, wording
from tests.checks.harness import capture, page, rendering
from tests.external import needs
from tests.fuzz.harness import example, fuzz, of_pieces
from tests.sites.server import Site
from tests.tiers import sampled
from tests.web.filmed_report import FRAMES, filmed

TYPST = '#read("/etc/passwd") #panic("x") $x^2$ \\ @label <l> *b* _i_ `raw` = h // c /* d */ #{ while true {} } #include "x.typ"'
PAGE_ENDS_PT = 785.0
"""Where the text of an A4 page ends and its footer begins."""
reads_pdf = needs("pdftotext")


@pytest.fixture(scope="module")
def made() -> Report:
    head = '<title>Blue widgets</title><meta name="twitter:card" content="photo">'
    html = page(head=head, body='<h1>x</h1><img src="/a.png"><a href="javascript:x()">y</a>')
    return analyse(capture(html))


def titled(made: Report, title: str) -> Report:
    assert made.facts.title
    return replace(made, facts=replace(made.facts, title=replace(made.facts.title, text=title)))


def changed(made: Report, **members: Any) -> Report:
    """The report with every finding changed alike."""
    return replace(made, findings=tuple(replace(finding, **members) for finding in made.findings))


def png(width_px: int, height_px: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack("!I", len(data)) + kind + data + struct.pack("!I", zlib.crc32(kind + data))

    rows = zlib.compress(b"".join(b"\0" + b"\x20\x80\x60" * width_px for _ in range(height_px)))
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack("!IIBBBBB", width_px, height_px, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", rows)
        + chunk(b"IEND", b"")
    )


def words_of(document: bytes) -> str:
    shown = subprocess.run(["pdftotext", "-layout", "-", "-"], input=document, capture_output=True, check=True)
    return shown.stdout.decode()


def about(document: bytes, *options: str) -> str:
    return subprocess.run(["pdfinfo", *options, "-"], input=document, capture_output=True, check=True).stdout.decode()


def inflated(document: bytes) -> bytes:
    """All of it, compressed objects too."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", document, re.DOTALL)
    return document + b"".join(zlib.decompressobj().decompress(stream) for stream in streams if stream[:1] == b"x")


def flat(text: str) -> str:
    return re.sub(r"\s+", "", text)


@reads_pdf
def test_it_is_a_tagged_a4_document_with_language_and_title(made: Report) -> None:
    document = to_pdf(made)
    told = about(document)

    assert re.search(r"Tagged:\s+yes", told)
    assert re.search(r"Page size:.*A4", told)
    assert re.search(r"Title:\s+SEO report: Blue widgets", told)
    assert re.search(rb"/Lang ?\(en\)", inflated(document))
    assert b"pdfuaid:part" in inflated(document)
    structure = about(document, "-struct")
    assert structure.count("H1") == 1
    assert all(kind in structure for kind in ("H2", "H3", "Figure", "L ", "Link"))


@reads_pdf
def test_screenshots_stand_beside_the_name_with_their_words(made: Report) -> None:
    plain, shown = to_pdf(made), to_pdf(made, Sheet(screenshots=Screenshots(png(480, 334), png(240, 480))))
    figures = [about(document, "-struct").count("Figure") for document in (plain, shown)]
    assert figures[1] == figures[0] + 2
    assert b"pdfuaid:part" in inflated(shown)


@reads_pdf
def test_a_filmstrip_stands_with_the_lab_values_and_its_times() -> None:
    report = analyse(capture(page(head="<title>Tea and cups</title>", body="<h1>Tea and cups</h1>"), rendering=filmed()))
    strip = encode_filmstrip(FRAMES)
    assert strip is not None
    plain, shown = to_pdf(report), to_pdf(report, Sheet(filmstrip=strip.data))
    figures = [about(document, "-struct").count("Figure") for document in (plain, shown)]
    assert figures[1] == figures[0] + 1
    assert "2.4 s LCP" in words_of(shown)
    assert "LCP" not in words_of(plain).partition("How the page loads (lab)")[2].replace("(LCP)", "")


def test_a_pdf_says_what_scripts_change_and_what_the_console_has() -> None:
    """All parts, and more of the console, where all tables are wanted."""
    sent = page(head="<title>Shop</title>")
    lines = tuple(ConsoleLine("error", f"Error {number}", "https://www.example.com/app.js", number) for number in range(20))
    seen = replace(rendering(page(head="<title>Tea and cups</title>")), console=lines)
    report = analyse(capture(sent, rendering=seen))
    short, whole = (
        {table["title"]: table for table in template_data(report, Sheet(tables=has_tables))["tables"]} for has_tables in (False, True)
    )
    title = ["Title", "Shop", "Tea and cups"]
    assert title in short["Before and after scripts"]["rows"]
    assert "Language" not in [row[0] for row in short["Before and after scripts"]["rows"]]
    assert {"Title", "Language"} <= {row[0] for row in whole["Before and after scripts"]["rows"]}
    assert (len(short["Console"]["rows"]), short["Console"]["more"]) == (10, "10 more in the JSON of this report.")
    assert len(whole["Console"]["rows"]) == 20
    assert any("a crawl is needed" in sentence and "browser" not in sentence for sentence in template_data(report, Sheet())["counted"])


def test_a_fix_that_costs_no_points_and_brings_some_is_among_the_first(made: Report) -> None:
    gate = replace(made.findings[0], id="noindex", verdict=Verdict.FAILED, lost=0.0, gain=30, gain_alone=30)
    free = replace(gate, id="favicon", gain=0, gain_alone=0)
    fixes = template_data(replace(made, findings=(gate, free), explained=None), Sheet())["fixes"]
    assert len(fixes) == 1
    assert fixes[0]["about"][0] == "+30 points"


@reads_pdf
def test_it_says_verdict_fixes_findings_and_counts(made: Report) -> None:
    words = words_of(to_pdf(made))
    problems = [finding for finding in made.findings if finding.has_problem]

    assert "SEO report" in words
    assert {"bad": "Bad", "decent": "Decent", "good": "Good"}[made.result or ""] in words
    assert "Fix first" in words
    assert "How to fix" in words
    assert all(flat(finding.summary())[1:] in flat(words) for finding in problems)
    assert all(f"{category.score}" in words and category.title in words for category in made.categories if category.score is not None)
    assert "Search result on a desktop" in words
    assert f"{made.counts['passed']} checks passed" in words
    assert "Tables" not in words


@reads_pdf
def test_it_says_before_all_else_whether_google_can_list_the_page(made: Report) -> None:
    noindex = analyse(capture(page(head='<meta name="robots" content="noindex">')))
    for report in (made, noindex):
        listing, words = google_listing(report, ENGLISH), words_of(to_pdf(report))
        assert listing is not None
        assert words.index(listing.words) < words.index("Fix first")
    hidden = Sheet(client=ClientWords(sections=tuple(name for name in SECTIONS if name != "search")))
    assert template_data(noindex, hidden)["listing"] is None


def test_a_page_that_is_missing_has_one_fix_and_promises_no_points() -> None:
    missing = analyse(capture(page(), url="https://www.example.com/", status=404))
    sheet = template_data(
        replace(missing, findings=tuple(one for one in missing.findings if one.has_problem or one.id in ("noindex", "robots-txt-allows"))),
        Sheet(),
    )
    assert [(fix["text"], fix["about"][0]) for fix in sheet["fixes"]] == [("The page returns 404.", "then the content can be checked")]
    assert [row["label"] for row in sheet["search"]] == ["Status", "robots.txt"]


def test_the_bar_draws_the_score_its_limit_and_the_way_to_the_next_rating(made: Report) -> None:
    held = replace(made.explained, held_down_by=Cap(45, ("noindex",)), next_rating=None) if made.explained else None
    finding = replace(made.findings[0], id="noindex", verdict=Verdict.FAILED, gain=38)
    verdict = template_data(replace(made, score=45, explained=held, findings=(finding,)), Sheet())["verdict"]
    assert (verdict["score"], verdict["after"]) == (45, 83)
    assert verdict["legend"] == ["45 now", "83 after the first fix: decent", "decent from 47", "good from 85"]
    assert verdict["marks"] == [47, 85]
    free = template_data(replace(made, score=93, explained=replace(held, held_down_by=None) if held else None), Sheet())["verdict"]
    assert (free["score"], free["after"], free["legend"], free["marks"]) == (93, 93, ["93 now", "good from 85"], [85])


def test_charts_say_how_the_score_is_made_up_and_what_the_page_weighs(made: Report) -> None:
    charts = {chart["kind"]: chart for chart in template_data(made, Sheet())["charts"]}
    rows = charts["bars"]["rows"]
    assert (rows[0]["value"], rows[-1]["value"]) == ("100", str(made.score))
    assert 100 + sum(int(row["value"].replace("−", "-")) for row in rows[1:-1]) == made.score
    assert [row["name"] for row in charts["pairs"]["rows"]][:2] == ["HTML", "image"]
    plain = template_data(made, Sheet(is_plain=True))
    assert [chart["kind"] for chart in plain["charts"]] == ["bars"]
    crowded = changed(made, evidence=(Evidence(kind="snippet", text="x"),) * 5, evidence_count=12)
    assert "and 9 more" in {card["more"] for card in template_data(crowded, Sheet(is_plain=True))["cards"]}


def test_scores_over_time_are_a_line_for_each_ruleset() -> None:
    day = datetime(2026, 11, 1, tzinfo=UTC)
    points = [TrendPoint(day + timedelta(days=at), 0, 0, 3, score, rule) for at, score, rule in ((0, 50, "a"), (1, 75, "b"), (4, 100, "b"))]
    chart = score_line(points, ENGLISH, UTC)
    assert chart is not None
    assert chart["lines"] == [[[0.0, 50.0]], [[25.0, 25.0], [100.0, 0.0]]]
    assert score_line(points[:1], ENGLISH, UTC) is None


@reads_pdf
def test_categories_say_how_much_was_checked(made: Report) -> None:
    lines = template_data(made, Sheet())["categories"]
    passed = sum(int(line["passed"].split()[0]) for line in lines)
    assert passed == sum(category.counts.get("passed", 0) for category in made.categories if category.score is not None)
    assert not template_data(made, Sheet(client=ClientWords(sections=("fixes",))))["categories"]
    assert not template_data(made, Sheet(client=ClientWords(sections=("fixes",))))["previews"]


def test_what_matters_stands_whole_and_the_rest_in_brief(made: Report) -> None:
    noted = next(finding.id for finding in made.findings if finding.verdict == "warned" and not finding.lost)
    data = template_data(made, Sheet(client=ClientWords(notes={noted: "Ours."})))
    held = {finding.id: finding for finding in made.findings if finding.has_problem}
    first = [finding.id for finding in first_fixes(made)]
    whole, brief = ([one["text"] for one in data[part]] for part in ("cards", "brief"))

    assert len(whole) + len(brief) == len(held)
    assert len(whole) <= max(CARDS, len(first) + 1)
    for name in (*first, noted):
        assert any(flat(text)[1:].startswith(flat(held[name].summary())[1:]) for text in whole)
    for card in data["cards"]:
        assert (card["how"] and card["why"]) or card["note"]
        assert card["evidence"] or card["mark"]["kind"] != "failed"
    assert all(row["how"] for row in data["brief"])
    assert any(row["evidence"] for row in data["brief"])


@reads_pdf
@pytest.mark.parametrize("say", [ENGLISH, wording("de")])
def test_a_page_with_many_faults_takes_six_pages_at_most(say: Translator) -> None:
    """Each part at its longest: a summary, notes, and long snippets everywhere."""
    links = "".join(
        f'<a href="/a/rather/long/address/that/goes/on/and/on/{number}">here</a><img src="/{number}.png">' for number in range(300)
    )
    odd = '<form><input></form><b id="x"></b><b id="x"></b><font>Lorem ipsum dolor sit amet</font><a href="http://a.example">x</a><iframe></iframe>'
    faulty = analyse(capture(page(head='<meta name="viewport" content="width=1175">', body=f"<h3>Hi</h3>{links}{odd}")))
    client = ClientWords(summary="Three sentences. " * 20, notes={one.id: "A note of ours. " * 5 for one in faulty.findings[:3]})

    assert sum(faulty.counts[verdict] for verdict in ("failed", "warned")) > 12
    assert int(re.findall(r"Pages:\s+(\d+)", about(to_pdf(faulty, Sheet(say, client=client))))[0]) <= 6


@reads_pdf
def test_what_the_owner_wrote_stands_on_it(made: Report) -> None:
    problem = next(finding.id for finding in made.findings if finding.verdict == "failed")
    client = ClientWords(
        summary="All is well.\n\nNearly.", notes={problem: "We mend this."}, prepared_by="Jane", prepared_for="Acme", sections=("findings",)
    )
    words = words_of(to_pdf(made, Sheet(branding=Branding("Search & Sons", "#ffee00", png(400, 90)), client=client)))

    assert all(text in words for text in ("All is well.", "Nearly.", "We mend this.", "Jane", "Acme", "Search & Sons"))
    assert "Fix first" not in words
    assert "What search engines may do" not in words


@reads_pdf
def test_long_tables_come_when_asked_for(made: Report) -> None:
    words = words_of(to_pdf(made, Sheet(tables=True)))

    assert "Tables" in words
    assert "Response headers" in words


@reads_pdf
def test_a_page_that_was_not_seen_has_a_plate_and_no_ring() -> None:
    words = words_of(to_pdf(unloaded_report("https://www.example.com/", PageError(PageErrorCode.DNS_FAILED), "2026-11-01T12:30:05Z")))

    assert "No rating: the page could not be loaded" in words
    assert "of 100" not in words


def test_the_same_report_gives_the_same_bytes(made: Report) -> None:
    assert to_pdf(made) == to_pdf(made)


# --- hostile text -----------------------------------------------------------------------------------------------------


@reads_pdf
def test_s43_typst_in_texts_stays_text(made: Report) -> None:
    evidence = (Evidence("element", TYPST, line=1, url=TYPST, note=TYPST),)
    hostile = changed(titled(made, TYPST), message=TYPST, evidence=evidence)
    client = ClientWords(summary=TYPST, notes={hostile.findings[0].id: TYPST}, prepared_by=TYPST, prepared_for=TYPST)
    words = words_of(to_pdf(hostile, Sheet(branding=Branding(TYPST), client=client)))

    assert flat('#read("/etc/passwd")#panic("x")$x^2$\\@label<l>*b*_i_`raw`=h//c/*d*/') in flat(words)
    assert "root:" not in words


def test_s43_the_template_names_no_file_and_no_package() -> None:
    template = (Path(pdf.__file__).parent / "templates" / "report.typ").read_text()

    assert not re.search(r"\b(read|include|import|plugin|eval)\b *[(\"]", template)
    assert set(re.findall(r"\bimage\(([a-z]+)", template)) == {"bytes"}


@reads_pdf
def test_s43_what_a_page_wants_to_be_fetched_is_text_and_nothing_is_fetched(made: Report) -> None:
    site = Site().start()
    at = site.url("/fetched")
    wants = (
        f'<img src="{at}"><img src="file:///etc/passwd"><link rel="attachment" href="{at}"><style>@import url({at})</style>'
        f'<iframe src="{at}"></iframe>#image("{at}")#read("/etc/hostname")'
    )
    hostile = changed(titled(made, wants), message=wants, evidence=(Evidence("element", wants, line=1, url=at, note=wants),))
    client = ClientWords(summary=wants, notes={hostile.findings[0].id: wants}, prepared_by=wants, prepared_for=wants)
    document = to_pdf(hostile, Sheet(branding=Branding(wants), client=client, tables=True))
    site.stop()

    shown = flat(words_of(document)).replace("\u200b", "")  # where a long address may break
    assert flat(f'<img src="{at}"><img src="file:///etc/passwd">') in shown
    assert (site.connections_count, site.requests) == (0, [])
    whole = inflated(document)
    assert not re.search(rb"/(?:EmbeddedFile|Launch|GoToR|ImportData|SubmitForm|RichMedia|OpenAction|AA)\b", whole)
    assert b"root:" not in whole
    assert pdf.LIMITS.time_s <= 30
    assert pdf.LIMITS.memory_bytes <= 2 * 1024**3


@reads_pdf
def test_s44_a_title_ends_neither_its_string_nor_its_metadata(made: Report) -> None:
    title = "x) /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> ( ]]></rdf:RDF><b> & %%EOF endobj"
    document = to_pdf(titled(made, title), Sheet(branding=Branding(title), client=ClientWords(prepared_by=title, prepared_for=title)))
    told = about(document)

    assert re.search(r"^JavaScript: +no$", told, re.MULTILINE)
    assert "/OpenAction <<" in next(line for line in told.splitlines() if line.startswith("Title:"))
    assert not re.search(rb"^\s*/OpenAction", document, re.MULTILINE)
    (metadata,) = re.findall(r"<x:xmpmeta.*</x:xmpmeta>", about(document, "-meta"), re.DOTALL)
    shown = "".join(ET.fromstring(metadata).itertext())
    assert "]]></rdf:RDF><b> &" in shown


def test_s44_only_http_addresses_are_links(made: Report) -> None:
    evidence = (Evidence("url", url="file:///etc/passwd"), Evidence("url", url="https://www.example.com/ok"))
    hostile = changed(replace(made, requested_url="javascript:alert(1)"), evidence=evidence, evidence_count=2)
    document = inflated(to_pdf(hostile))
    addresses = set(re.findall(rb"/URI ?\((.*?)\)", document))

    sources = {span.url.encode() for check in all_checks().values() for span in spans(unwrap_lines(check.documentation.sources))}
    assert addresses - sources == {b"https://www.example.com/ok"}
    assert b"/JavaScript" not in document
    assert b"/EmbeddedFile" not in document


def test_an_address_is_named_with_its_port_and_in_its_own_script() -> None:
    assert address_of("http://xn--bcher-kva.example:8080/a/") == "bücher.example:8080/a"


@reads_pdf
@pytest.mark.parametrize(
    "title", ["a\x00b\x1b[31m\u202eevil\u2066", "\ud800\udfff lone", "x" * 5000, "\n\n\n", "{page} {pages} %(count)s {0}"]
)
def test_s31_odd_titles(made: Report, title: str) -> None:
    words = words_of(to_pdf(titled(made, title)))

    assert not {"\u202e", "\u2066", "\x1b", "\x00"} & set(words)
    assert "SEO report" in words


@reads_pdf
@pytest.mark.parametrize(
    "title",
    [
        "أفضل المتاجر في العالم",
        "שלום עולם",
        "東京の天気予報",
        "한국어",
        "สวัสดี",
        "🚀 deals",
        "\ue000 icon",
        "Überraschung – Ελλάδα – Привет",
    ],
)
def test_titles_of_any_script_give_a_document(made: Report, title: str) -> None:
    words = words_of(to_pdf(titled(made, title)))

    assert re.search(r"SEO report", words)
    if title.startswith("Ü"):
        assert title in words


@reads_pdf
@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("The effect of \U0001f468\u200d\U0001f469\u200d\U0001f467 on feeds", "The effect of □□□ on feeds"),
        ("\u0f56\u0f7c\u0f51\u0f0b\u0f61\u0f72\u0f42 widgets of oak", "□□□□□ widgets of oak"),
        ("The effect\u20e3 of feeds", "The effect□ of feeds"),
        ("The effect of \ufffe\ufdd0\U0010ffff feeds", "The effect of feeds"),
        ("The effect of \udc80 feeds", "The effect of feeds"),
        ('The "effect" of \\u{fffe} \U00012000 feeds', 'The "effect" of \\u{fffe} □ feeds'),
    ],
    ids=["joined emoji", "marks", "mark on a drawn letter", "noncharacters", "surrogate", "quotes and escapes"],
)
def test_undrawable_characters_are_replaced_and_the_letters_beside_them_stay(made: Report, title: str, shown: str) -> None:
    assert flat(shown) in flat(words_of(to_pdf(titled(made, title))))


STAYS = 'The effect of "feeds" before Überraschung – Ελλάδα – Привет, {1fffe} ends.'
NEAR_FAULTS = (
    "\u200d",
    "\ufe0f",
    "\u0301",
    "\u20e3",
    "\u05d0\u05b7",
    "\U0001f468",
    "\U0001f3fd",
    "\ufffe",
    "\\u{fffe}",
    '"',
    "\u202e",
    "\udfff",
    "\u0e31",
)


@reads_pdf
@example(
    "\u202e\u0301\U0001f3fd\u202e\u05d0\u05b7\U000c8409\u017e\U00025b15\ufffe\uff3a\u317e\u2504C\u20ae\u17ee\u022f\ufe0f\u05d0\u05b7\u20e3"
)
@fuzz(of_pieces(*NEAR_FAULTS), examples=5)
def test_any_text_gives_a_pdf_and_the_letters_beside_it_stay(text: str) -> None:
    report = analyse(capture(page(head="<title>Tea</title>")))
    words = f"{STAYS}\n\n{text}"
    finding = changed(report, message=f"The title is {text}", evidence=(Evidence("element", text, note=text),))
    client = ClientWords(summary=words, prepared_by=text, prepared_for=text)
    document = to_pdf(titled(finding, text), Sheet(branding=Branding(text), client=client, tables=True))

    assert flat(STAYS) in flat(words_of(document))


def test_only_characters_without_a_font_are_replaced_and_a_lost_name_by_the_url() -> None:
    sheet = {"name": {"text": "東京 天気e\u20e3"}, "other_name": {"text": "example.com"}, "above": {"text": "東"}, "document_title": "東"}

    assert without_undrawable(sheet, set()) == {**sheet, "has_unshown": False}
    assert without_undrawable(sheet, {"東"})["name"]["text"] == f"{MISSING}京 天気e\u20e3"
    assert without_undrawable(sheet, {"東", "京", "e\u20e3"})["name"]["text"] == f"{MISSING * 2} 天気e{MISSING}"
    sheet["name"] = {"text": "東京 天"}
    shown = without_undrawable(sheet, {"東", "京"})
    assert shown["name"]["text"] == "example.com"
    assert shown["has_unshown"]
    assert shown["document_title"] == "東"


def test_marks_behind_a_replaced_letter_are_removed_with_it() -> None:
    sheet = {"name": {"text": "Tea"}, "text": "Über \u2129\u0301e\u0301"}

    assert without_undrawable(sheet, {"\u2129"})["text"] == f"Über {MISSING}e\u0301"


@reads_pdf
@pytest.mark.parametrize("run", sampled(["a=b&amp;c%3D" * 40, "A" * 500, "x-y_z." * 80, "Ü" * 400]))
def test_nothing_runs_out_of_the_page(made: Report, run: str) -> None:
    evidence = (Evidence("element", run, line=1, url=f"https://www.example.com/?{run}", note=run),)
    long = changed(replace(titled(made, run), requested_url=f"https://www.example.com/{run}"), message=run, evidence=evidence)
    client = ClientWords(summary=run, notes={finding.id: run for finding in long.findings}, prepared_by=run, prepared_for=run)
    document = to_pdf(long, Sheet(branding=Branding(run), client=client, tables=True))
    boxes = subprocess.run(["pdftotext", "-bbox", "-", "-"], input=document, capture_output=True, check=True).stdout.decode()
    rights = [float(right) for right in re.findall(r'<word [^>]*xMax="([\d.]+)"', boxes)]

    assert len(rights) > 1000
    assert max(rights) < 595.3 - 20  # A4 is 595.3 pt wide, its margin 57


def test_directions() -> None:
    assert direction("שלום abc") == "rtl"
    assert direction("123 العالم") == "rtl"
    assert direction("abc שלום") == "ltr"
    assert direction("123") == "ltr"


def test_a_right_to_left_language_turns_the_sheet(made: Report) -> None:
    say = Translator(Language("ar", "العربية", ",", ".", "rtl"), gettext.NullTranslations())
    data = template_data(made, Sheet(say=say))

    assert (data["lang"], data["dir"]) == ("ar", "rtl")
    assert "\u200e+" in data["fixes"][0]["about"][0]  # a sign stays before its number
    assert any(part.startswith("\u200e−") for part in data["cards"][0]["about"])
    assert to_pdf(made, Sheet(say=say)).startswith(b"%PDF-")


@reads_pdf
def test_cards_break_rather_than_leave_a_page_half_empty(made: Report) -> None:
    long = changed(made, evidence=(Evidence("text", f"<p>{'a piece of the page ' * 11}</p>"),) * 3, evidence_count=3)
    boxes = subprocess.run(["pdftotext", "-bbox", "-", "-"], input=to_pdf(long), capture_output=True, check=True).stdout.decode()
    lowest = [
        max(float(low) for low in re.findall(r'yMax="([\d.]+)"', page) if float(low) < PAGE_ENDS_PT) for page in boxes.split("<page ")[1:]
    ]

    assert len(lowest) > 3
    assert min(lowest[:-2]) > 0.8 * PAGE_ENDS_PT  # what ends the report stays together


# --- branding ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("color", ["#fff", "red", "#12345g", "#1a5442;", 'rgb("x")'])
def test_s37_a_colour_is_six_hex_digits(color: str) -> None:
    with pytest.raises(ValueError, match="#1a5442"):
        Branding(color=color)


def test_a_pale_colour_is_darkened_until_it_can_be_read() -> None:
    assert readable("#1a5442") == "#1a5442"
    assert int(readable("#ffee00")[1:3], 16) < 0x90


def test_sections_are_known() -> None:
    assert ClientWords().sections == SECTIONS


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_without_the_extra_the_error_names_it(made: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "find_spec", lambda name: None)
    pdf.is_available.cache_clear()
    try:
        with pytest.raises(PdfMissing, match=r"needs the extra .pdf."):
            to_pdf(made)
    finally:
        monkeypatch.undo()
        pdf.is_available.cache_clear()
    assert pdf.is_available()


@pytest.mark.parametrize(
    "limits",
    [sandbox.Limits(0.002, 2 * 1024**3, 10**7), sandbox.Limits(20.0, 40 * 1024**2, 10**7), sandbox.Limits(20.0, 2 * 1024**3, 1000)],
)
def test_s43_time_memory_and_size_end_at_their_bounds(made: Report, monkeypatch: pytest.MonkeyPatch, limits: sandbox.Limits) -> None:
    monkeypatch.setattr(pdf, "LIMITS", limits)
    began_s = time.monotonic()

    with pytest.raises(PdfFailed):
        to_pdf(made)
    assert time.monotonic() - began_s < 15


def test_a_logo_that_is_no_picture_fails_and_nothing_else(made: Report) -> None:
    with pytest.raises(PdfFailed):
        to_pdf(made, Sheet(branding=Branding(logo=b"no picture")))
    assert to_pdf(made).startswith(b"%PDF-")


def test_a_long_report_stays_quick_and_small(made: Report) -> None:
    evidence = (Evidence("element", "x" * 100_000, note="y" * 100_000, url="https://a.example/" + "z" * 9000),) * 50
    long = changed(made, verdict=Verdict.FAILED, evidence=evidence, message="s" * 100_000)
    began_s = time.monotonic()
    document = to_pdf(long)

    assert time.monotonic() - began_s < 15
    assert len(document) < 3_000_000
