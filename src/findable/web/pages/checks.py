"""The pages of the checks, from their docstrings."""

from itertools import groupby

from litestar import Response, get
from litestar.params import FromPath

from findable.checks.engine import all_checks
from findable.errors import NotFound
from findable.reports.judgement import CATEGORY_TITLES
from findable.web.pages.rendering import page


@get("/docs/checks")
async def get_checks() -> Response[bytes]:
    """Every check, by category."""
    groups = [(CATEGORY_TITLES[category], list(found)) for category, found in groupby(all_checks().values(), lambda check: check.category)]
    return page("checks.html", groups=groups, total=len(all_checks()))


@get("/docs/checks/{check_id:str}")
async def get_check(check_id: FromPath[str]) -> Response[bytes]:
    """One check."""
    check = all_checks().get(check_id)
    if check is None:
        raise NotFound
    return page("check.html", check=check, text=check.documentation, category=CATEGORY_TITLES[check.category])
