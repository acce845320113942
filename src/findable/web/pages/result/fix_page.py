"""Page of one finding for the person who fixes it: without an account, with a check whether it is fixed."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace
from starlette.responses import Response

from findable.errors import NotRecheckable, PageUnavailable, RateLimited, Unavailable
from findable.recheck import RecheckResult
from findable.reports.page_error_text import sentences_of
from findable.reports.plain import plain_finding
from findable.service.results.fix_links import PAGES_SHOWN, FixView, fix_token, recheck_by_link
from findable.service.results.shareable import Shareable, Shared
from findable.service.runtime.service import Service
from findable.web.auth import refuse_cross_site
from findable.web.pages.result.finding_cards import Card, card, in_plain_words
from findable.web.pages.result.link_pages import NOT_PUBLIC, requested_language
from findable.web.pages.result.presentation import Brand, brand_of
from findable.web.pages.shared.form_fields import problem_of
from findable.web.pages.shared.page_templates import PageContext, page_response
from findable.web.pages.shared.viewer import wording_of
from findable.web.path_parts import without_nul
from findable.web.routing import Endpoint, Request
from findable.wording import Translator, wording

PAGE_NUMBERS = frozenset(map(str, range(PAGES_SHOWN)))
"""Values of the form for the page to check again."""
Open = Callable[[Service, str, str, str], FixView]


class CheckedAgain(Struct, frozen=True):
    """Result of checking a page again."""

    words: str
    """The new finding, or the reason why there is none."""
    url: str
    result: RecheckResult | None = None

    @property
    def is_fixed(self) -> bool:
        """Whether the finding is gone."""
        return self.result is not None and self.result.is_fixed


class FixPage(PageContext, frozen=True, kw_only=True):
    """Variables of fix.html."""

    path: str
    """Path of the page, which its form is sent to."""
    fix: FixView
    title: str
    cards: tuple[Card, ...]
    """Findings of the check; empty once it has none."""
    last_day: str
    again: CheckedAgain | None
    brand: Brand | None


def fix_url(service: Service, target: Shareable[Shared], base_url: str, prefix: str, public_id: str, check: str) -> str:
    """Return the URL of the page of one finding; ``prefix`` is that of the pages of its report."""
    return f"{base_url}/fix{prefix}{public_id}/{check}/{fix_token(service, target, public_id, check)}"


def fix_pages(prefix: str, open_fix: Open) -> tuple[Endpoint, ...]:
    """Declare the page of one finding of a report or site, and its form that checks a page again."""
    path = f"/fix{prefix}{{public_id}}/{{check}}/{{token}}"

    async def show(request: Request, public_id: str, check: str, token: str) -> Response:
        return _page(request, await request.service.run(open_fix, without_nul(public_id), check, token), None)

    async def check_again(request: Request, public_id: str, check: str, token: str) -> Response:
        service = request.service
        refuse_cross_site(request.headers, service.settings.base_url)
        found = await service.run(open_fix, without_nul(public_id), check, token)
        number = str((await request.fields()).get("page", "0"))
        again = await _checked(service, found, token, int(number) if number in PAGE_NUMBERS else -1, _say(request, found))
        return _page(request, await service.run(open_fix, public_id, check, token), again)

    return Endpoint("GET", (path,), show), Endpoint("POST", (path,), check_again)


async def _checked(service: Service, found: FixView, token: str, number: int, say: Translator) -> CheckedAgain:
    url = found.jobs[number].finding.url if 0 <= number < len(found.jobs) else ""
    try:
        result = await recheck_by_link(service, found, token, number)
    except PageUnavailable as error:
        return CheckedAgain(sentences_of(error.error, say), url)
    except NotRecheckable as error:
        return CheckedAgain(say.text(error.message), url)
    except (RateLimited, Unavailable) as error:
        return CheckedAgain(problem_of(error, say), url)
    return CheckedAgain(result.finding.summary(say), url, result)


def _say(request: Request, found: FixView) -> Translator:
    language = found.presentation.language or requested_language(request)
    return wording(language) if language else wording_of(request.headers)


def _page(request: Request, found: FixView, again: CheckedAgain | None) -> Response:
    say = _say(request, found)
    plain = plain_finding(found.check, found.cms, say)
    path = request.scope["path"]
    page = FixPage(
        path=path,
        fix=found,
        title=plain.summary if plain else say.text(found.check.question),
        cards=tuple(in_plain_words(say, found.cms, card(one, say, names=False)) for one in found.findings),
        last_day=say.day(found.expires_at),
        again=again,
        brand=brand_of(replace(found.presentation.brand, logo=b""), path),
    )
    return page_response(page, say, headers={**NOT_PUBLIC, "Cache-Control": "private, no-store"})
