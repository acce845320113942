"""Sites that got worse: each once, with its new problems by cause."""

from datetime import UTC, datetime

from findable.checks.engine import all_checks
from findable.reports.recent_changes import FailedFinding
from findable.reports.reported_finding import FindingText
from findable.service.projects.change_overview import ChangedView, NewFinding
from findable.service.projects.worse_sites import WorseSite, worse_sites

NOINDEX, TITLE, BROKEN = "noindex", "title-present", "links-internal-broken"
TEXT = FindingText("noindex keeps the page out of search results")


def changed(
    path: str,
    *new: str,
    project: str = "a.example",
    is_site: bool = False,
    score: int = 49,
    said: FailedFinding | None = None,
    scored: int = 5,
) -> ChangedView:
    findings = tuple(NewFinding(check, said) for check in new)
    at = datetime(2026, 11, 24, tzinfo=UTC)
    url = f"https://{project}/{path}"
    return ChangedView(
        project=project,
        url=url,
        title="",
        path=f"/{path}",
        is_site=is_site,
        at=at,
        score_before=90,
        score=score,
        fixed=(),
        new_count=len(new),
        fixed_count=0,
        open_count=0,
        findings=findings,
        scored_pages=scored,
    )


def causes(*views: ChangedView) -> list[tuple[str, int, list[str]]]:
    (site,) = worse_sites(views)
    return [(cause.check, cause.pages_count, [page.path for page in cause.pages]) for cause in site.causes]


def order(*views: ChangedView) -> list[str]:
    return [site.project for site in worse_sites(views)]


def test_pages_with_a_problem_of_their_site_share_its_cause() -> None:
    pages = changed("one", NOINDEX, TITLE), changed("two", NOINDEX)
    site = changed("site", BROKEN, NOINDEX, is_site=True, said=FailedFinding(TEXT, 19))
    assert causes(pages[0], site, pages[1]) == [(NOINDEX, 19, ["/one", "/two"]), (BROKEN, 19, [])]


def test_a_start_page_out_of_the_index_shares_the_cause_of_its_site() -> None:
    site = changed("", "site-start-page", is_site=True)
    assert causes(changed("", NOINDEX), site) == [("site-start-page", 1, ["/"])]
    assert causes(changed("other", NOINDEX), site) == [("site-start-page", 0, [])]
    links = changed("", "site-links-broken", is_site=True)
    assert causes(changed("page", BROKEN), links) == [("site-links-broken", 1, ["/page"])]


def test_each_crawled_site_of_a_project_shows_its_own_drop_and_pages() -> None:
    main, shop = changed("", TITLE, is_site=True, score=80), changed("shop/", BROKEN, is_site=True, score=40)
    pages = changed("about", TITLE), changed("shop/desk", NOINDEX), changed("shop", NOINDEX)
    found = worse_sites((main, *pages, shop))
    assert [(site.project, site.drop, [page.path for page in site.pages]) for site in found] == [
        ("a.example", 50, ["/shop/desk"]),
        ("a.example", 10, ["/about", "/shop"]),
    ]


def test_checks_that_find_the_same_exist() -> None:
    checks = all_checks().values()
    named = {name for check in checks for name in (*check.site_twins, check.site_cause, check.start_page_twin) if name}
    assert named <= {check.id for check in checks if check.category == "site"}


def test_up_to_two_sentences_of_the_pages_are_shown() -> None:
    def texts(*said: FailedFinding | None, check: str = NOINDEX, is_site: bool = False) -> tuple[FindingText, ...]:
        views = [changed(str(number), check, said=one, is_site=is_site) for number, one in enumerate(said)]
        return worse_sites(views)[0].causes[0].texts

    one, two, three = (FailedFinding(FindingText(text)) for text in ("noindex", "The server sends noindex", "none"))
    assert texts(one, one) == (one.text,)
    assert texts(one, two, one) == (one.text, two.text)
    assert texts(one, two, three) == ()
    assert texts(one, None) == ()
    assert texts(one, check="site-links-broken", is_site=True) == (), "it needs the name of its cause"


def test_pages_with_a_lower_score_only_are_the_last_cause() -> None:
    assert causes(changed("fell"), changed("one", TITLE)) == [(TITLE, 1, ["/one"]), ("", 1, ["/fell"])]


def test_a_site_out_of_the_index_precedes_a_fallen_page_of_a_large_one() -> None:
    page = changed("page", "http-status", project="large.example", score=0, scored=40)
    only = changed("", NOINDEX, project="small.example", scored=1)
    site = changed("", NOINDEX, project="crawled.example", is_site=True, score=60)
    assert order(page, site, only) == ["small.example", "crawled.example", "large.example"]


def test_scores_stand_for_a_site_or_its_only_page() -> None:
    def shown(*views: ChangedView) -> ChangedView | None:
        found: WorseSite = worse_sites(views)[0]
        return found.shown

    site, only, one = changed("", NOINDEX, is_site=True), changed("", NOINDEX, scored=1), changed("one", NOINDEX)
    assert shown(one, site) is site
    assert shown(only) is only
    assert shown(one) is None
