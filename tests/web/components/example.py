"""Example values of the page of components."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, FileSystemLoader
from msgspec.structs import replace

from findable.capture.site_graph import Template
from findable.crawl.changes import ChangeKind, PageChange
from findable.reports.analysis import analyse
from findable.reports.charts import findings_before_and_now, score_waterfall
from findable.reports.projection import score_parts
from findable.reports.score_change_words import score_before_outage
from findable.reports.site_areas import SiteArea, UrlState
from findable.reports.site_charts import states_before_and_now
from findable.reports.site_picture import site_picture
from findable.reports.site_structure import DepthStates, SiteStructure
from findable.vocabulary import Category, Rating
from findable.web.pages.result.changes import ChangedLine, FindingChange
from findable.web.pages.result.finding_cards import card, in_plain_words
from findable.web.pages.result.verdict import ResultVerdict
from findable.web.pages.shared.form_fields import Choice, FormView
from findable.web.pages.shared.local_times import moment_of
from findable.web.pages.shared.page_templates import environment, static_files, static_url
from findable.web.pages.shared.plots import plot_line, plot_of
from findable.web.pages.shared.project_tabs import ProjectHead
from findable.web.pages.shared.score_bar import Meter, score_bar
from findable.web.pages.shared.verdict_notice import VerdictNotice
from findable.web.pages.site.filtered_list_urls import PagesLinks
from findable.web.pages.site.site_parts import site_parts
from findable.web.pages.site.standout_lines import StandoutLine
from findable.wording import ENGLISH, Translator
from tests.checks.harness import capture, page

FOLDER = Path(__file__).parent
COMPONENTS = ("charts.html", "fields.html", "parts.html", "score_bar.html")
"""Templates whose macros are components."""
SHEETS = ("report.css", "client.css", "runs.css", "projects.css", "crawl.css", "account.css")
START = datetime(2026, 11, 1, tzinfo=UTC)


class Offer:
    """Offer to watch a site."""

    is_preselected = False

    def promise(self, say: Translator) -> str:
        return say("Watch this site")

    def words(self, say: Translator) -> str:
        return say("About %(count)s requests a week", count=642)


def document(say: Translator = ENGLISH) -> str:
    """Return the page of components, which needs the files of the service."""
    shown = environment(say).overlay()
    loader = shown.loader
    assert loader is not None
    shown.loader = ChoiceLoader([FileSystemLoader(FOLDER), loader])
    return shown.get_template("page.html").render(dict(_values(say)))


def write(folder: Path) -> Path:
    """Write the page and its stylesheets and scripts into a folder, and return the page."""
    folder.mkdir(parents=True, exist_ok=True)
    html = document()
    for name, data in static_files().items():
        html = html.replace(static_url(name), name)
        (folder / name).write_bytes(data)
    (folder / "index.html").write_text(html, encoding="utf-8")
    return folder / "index.html"


def _values(say: Translator) -> Iterator[tuple[str, Any]]:
    yield from {
        "say": say,
        "sheets": SHEETS,
        "moment": moment_of(START, say, UTC),
        "wrong": FormView({"name": "typed"}, {"email": "This is no email address."}),
        "failed": FormView(problem="The form could not be saved."),
        "choices": (Choice("a", "First", is_chosen=True), Choice("b", "Second", is_chosen=False)),
        "verdicts": ("failed", "minor", "limiting", "warned", "passed", "unknown", "info", "inapplicable"),
        "ratings": (*Rating, ""),
        "before": ResultVerdict(bar=score_bar(62, "decent", say), words="", counts="", limit="").of_before(
            score_before_outage(62, "1 November 2026", say), say
        ),
        "bars": [score_bar(30, "bad", say, 55, "55 after 3 fixes"), score_bar(62, "decent", say), score_bar(97, "good", say)],
        "meters": [Meter("Links", 52, "52", "5 of 7 checked", rating="decent"), Meter("Performance", None, "–", values="LCP 1.4 s")],
        "notices": (
            VerdictNotice(
                "bad", "Google cannot index any page of this site.", moment_of(START, say, UTC), "Pages disappear.", "Allow it.", True
            ),
            VerdictNotice("note", "The site responds to this service only with errors.", None, "", "", needs_access=False),
        ),
        "offer": Offer(),
        "head": ProjectHead("Bakery", "www.example.com", "/projects/x", "Overview", _tabs(), (), is_watched=True, offer=None, icon=""),
    }.items()
    yield from _findings(say).items()
    yield from _charts(say).items()


def _tabs() -> tuple[Choice, ...]:
    return tuple(Choice(name, name.title(), name == "overview", f"#{name}") for name in ("overview", "findings", "share", "settings"))


def _findings(say: Translator) -> Mapping[str, Any]:
    report = analyse(capture(page(head="<title>x</title>", body='<h1></h1><img src="/a.png"><a href="javascript:x()">y</a>')))
    cards = [card(one, say, names=True) for one in report.findings if one.has_problem]
    plain = next(one for shown in cards if (one := in_plain_words(say, "WordPress", shown)).plain)
    lines = tuple(ChangedLine(one, "+4 points", has_returned=True) for one in cards[:2])
    change = PageChange(ChangeKind.TITLE, "https://www.example.com/", "Old", "New", 3)
    return {
        "card": cards[0],
        "other": cards[1],
        "plain": plain,
        "standouts": [StandoutLine("failed", cards[0].fact, "#findings", "New:"), StandoutLine("warned", cards[1].fact, "")],
        "changes": [FindingChange(kind, lines) for kind in ("new", "returned", "worse", "better", "fixed", "lapsed")],
        "site_changes": [FindingChange(kind, lines, "2 problems") for kind in ("new", "worse", "better", "fixed")],
        "page_changes": [(change, "Old", "New"), (replace(change, kind=ChangeKind.STATUS), "200", "")],
    }


def _charts(say: Translator) -> Mapping[str, Any]:
    every = {UrlState.INDEXABLE: 60, UrlState.EXCLUDED: 12, UrlState.REDIRECT: 6, UrlState.BLOCKED: 4, UrlState.ERROR: 8}
    depths = tuple(DepthStates(depth, every) for depth in (0, 1, 2, 14, -1))
    areas = tuple(SiteArea(name, every) for name in ("/news/", "/shop/", "/about/"))
    structure = SiteStructure(areas=areas, depths=depths, scores=tuple(score % 7 for score in range(101)))
    fewer = replace(structure, depths=depths[:3])
    waterfall = score_waterfall(score_parts([("noindex", "", 20), ("h1-present", "", 8)]), 72, "decent", say)
    values = [(START + timedelta(days=day), score) for day, score in ((0, 40), (3, 72), (9, 95))]
    lines = tuple(plot_line(kind.title(), kind, values, 100, [], say, UTC) for kind in ("scores", "failed", "warned"))
    return {
        "tables": [waterfall, states_before_and_now(fewer, structure, say)],
        "pairs": [findings_before_and_now([Category.LINKS] * 3 + [Category.IMAGES], [Category.LINKS, Category.SECURITY], say)],
        "plot": replace(plot_of("Score", lines, (100, 0), say), markers=((60.0, "A", "Deployment"),), gaps=((100.0, 20.0),), note="A note"),
        "site": site_parts(structure, PagesLinks(""), say),
        "picture": site_picture(areas, (Template(1, "News", 90, 60),), say, lost={"/news/": 1}, notes={"/shop/": "5 clicks"}),
    }
