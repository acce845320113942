"""Documentation pages of the checks, generated from their docstrings."""

from collections.abc import Mapping
from itertools import groupby

from starlette.responses import Response

from findable.checks.engine import Check, all_checks
from findable.errors import NotFound
from findable.reports.titles import IMPORTANCES, parts_of_check
from findable.vocabulary import Category, Importance, Profile, Stage
from findable.web.pages.shared.page_templates import Bar, PageContext, page_response, see_other
from findable.web.pages.shared.viewer import bar_of, signed_in, wording_of
from findable.web.routing import Request, get
from findable.wording import Translator, later

IMPORTANCE = {
    **IMPORTANCES,
    Importance.INFO: later("a fact, not scored"),
}
STAGE = {
    Stage.PREVIEW: later("preview: shown and not scored"),
    Stage.STABLE: "",
    Stage.DEPRECATED: later("deprecated: removed with a later ruleset"),
}
NEEDS = {Profile.STATIC: "", Profile.RENDERED: later("needs a browser"), Profile.CRAWLED: later("needs a crawl")}


class ChecksPage(PageContext, frozen=True):
    """Variables of checks.html."""

    bar: Bar | None
    total: int
    groups: tuple[tuple[Category, str, tuple[Check, ...]], ...]
    """Checks by category, after the title of the category."""
    importances: Mapping[str, str]
    """Words for importances."""


class CheckPage(PageContext, frozen=True):
    """Variables of check.html."""

    bar: Bar | None
    check: Check
    importance: str
    needs: str
    """Requirements besides the page's responses; empty for none."""
    stage: str
    """Stage of its life cycle; empty for a stable one."""
    parts: tuple[tuple[str, str], ...]
    """Parts of its documentation: title and text."""


@get("/docs/checks")
async def get_checks(request: Request) -> Response:
    """List all checks by category."""
    say, bar = await _reader(request)
    by_category = groupby(all_checks().values(), lambda check: check.category)
    groups = tuple((category, say(category.words), tuple(found)) for category, found in by_category)
    importances = {importance: say(words) for importance, words in IMPORTANCE.items()}
    return page_response(ChecksPage(bar, len(all_checks()), groups, importances), say, headers=LANGUAGES)


@get("/docs/checks/{check_id}.html")
async def get_check_file(_request: Request, check_id: str) -> Response:
    """Redirect from the documentation site to the check's page in the reader's language."""
    if check_id == "README":
        return see_other("/docs/checks")
    if check_id not in all_checks():
        raise NotFound
    return see_other(f"/docs/checks/{check_id}")


@get("/docs/checks/{check_id}")
async def get_check(request: Request, check_id: str) -> Response:
    """Show the documentation of one check."""
    check = all_checks().get(check_id)
    if check is None:
        raise NotFound
    say, bar = await _reader(request)
    return page_response(_page(check, bar, say), say, headers=LANGUAGES)


LANGUAGES = {"Vary": "Cookie, Accept-Language"}


async def _reader(request: Request) -> tuple[Translator, Bar | None]:
    """Return the translator for the reader, and the navigation bar; None for guests."""
    service = request.service
    headers = request.headers
    caller = await service.run(signed_in, headers) if "cookie" in headers else None
    return wording_of(headers, caller), bar_of(caller) if caller else None


def _page(check: Check, bar: Bar | None, say: Translator) -> CheckPage:
    text = check.documentation
    return CheckPage(
        bar=bar,
        check=check,
        importance=say(IMPORTANCE[check.importance]),
        stage=say.text(STAGE[check.stage]),
        needs=say.text(NEEDS[Profile.for_sources(check.sources)]),
        parts=tuple((say(title), say.text(said)) for title, said in ((later("What it finds"), text.summary), *parts_of_check(text))),
    )
