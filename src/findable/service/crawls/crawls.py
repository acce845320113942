"""Use cases of crawls. They raise NotFound for missing crawls and for those of other accounts."""

import logging
import secrets
from collections.abc import Sequence
from functools import partial

from msgspec import UNSET, Struct, structs

from findable import urls
from findable.capture.crawl import CrawlEnd
from findable.crawl.redirect_map import MapLine, map_lines
from findable.crawl.rolling import default_pages
from findable.crawl.settings import CONFIRM_AFTER_S, CONNECTIONS, DEFAULT_RATE, CrawlSettings, Render, RenderReason, RobotsRules
from findable.errors import Conflict, NotFound, QuotaExceeded, Unavailable, ValidationFailed, require_valid
from findable.fetch.egress_guard import Guard
from findable.limits import MAX_CONNECTIONS, MAX_LISTED, MAX_PAGES, MAX_SECONDS
from findable.reports.url_patterns import MAX_PATTERNS, problem_of
from findable.service.accounts.callers import has_operator
from findable.service.accounts.owned_projects import find_project, owned_project
from findable.service.accounts.permissions import reading, require, require_access, writing
from findable.service.crawls.crawl_access import CRAWLS, get, owned_crawl
from findable.service.crawls.crawl_end_events import write_end_event
from findable.service.crawls.crawl_views import crawl_view, expected_of, listed_settings_of, settings_json, settings_of, url_list_json
from findable.service.results.access_settings import PUBLIC_ID_BYTES, default_privacy, password_errors, password_hash, project_for
from findable.service.results.shareable import matching_row, require_match
from findable.service.runtime import audit_log
from findable.service.runtime.browsers import NO_BROWSER, has_browser, has_usable_browser
from findable.service.runtime.idempotency import IdempotencyKey, StoredReply, earlier_use, reserve_key
from findable.service.runtime.service import Service
from findable.service.sites.url_input import PageTarget, host_key, read_url
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import MEMBER, READ, WRITE, Caller
from findable.service.values.crawl_values import CrawlQuery, CrawlResume, CrawlStatus, CrawlView, NewCrawl
from findable.service.values.paging import EXACT_UP_TO, ListOrder, Page, cut, empty_page, position_of, require_bounds
from findable.service.values.stored_settings import browser_options_of, extractors_of, segments_of
from findable.store.crawl_row import CrawlRow, CrawlSelection
from findable.store.crawl_statements import sort_key
from findable.store.rows import ProjectRow
from findable.store.store_protocol import Session
from findable.values import shape_of
from findable.vocabulary import BrowserUse, Privacy
from findable.wording import Message, later

__all__ = ["again", "create", "delete", "find", "get", "known_urls", "rescore", "resume", "stop"]

MAX_QUEUED = 200
"""Maximum number of queued or running crawls of an account that were started together."""
LAST_CRAWLS = 10
MAX_HOSTS = 100
MAX_DEPTH = 1000
MONTH_S = 30 * 86_400
RETRY_S = 3600
FREE_BYTES = 500_000_000
"""Free disk space that a crawl must leave (set by Findable)."""
_MEGABYTE = 1_000_000
_log = logging.getLogger(__name__)
_RESUMABLE = frozenset({CrawlEnd.STOPPED, CrawlEnd.PAGES, CrawlEnd.TIME, CrawlEnd.UNREACHABLE})
_TOO_MANY_CRAWLS = later("%(limit)s crawls of this account are queued or running, which is the limit. Try again when one is done.")
_MONTH_USED = later("The crawls of this account requested %(limit)s URLs in 30 days, which is the limit.")
_STORE_USED = later("The crawls of this account take %(limit)s MB, which is the limit. Delete one.")
_LITTLE_SPACE = later("The disk has %(free)s MB left; a crawl needs %(needed)s MB.")


class CreatedCrawl(Struct, frozen=True):
    """Accepted crawl, or the crawl of an identical earlier request."""

    crawl: CrawlView
    reply: StoredReply | None = None
    """Stored response of an identical earlier request."""


class ValidatedCrawl(Struct, frozen=True):
    """Validated new crawl."""

    target: PageTarget
    settings: CrawlSettings
    password_hash: str | None


def create(service: Service, caller: Caller, new: NewCrawl, idempotency: IdempotencyKey | None = None) -> CreatedCrawl:
    """Accept a crawl: store and queue it in one transaction.

    Raises ValidationFailed (all fields at once), QuotaExceeded, Forbidden, Unavailable; with a key also Conflict and IdempotencyMismatch.
    """
    require(caller, WRITE)
    service.require_accepting()
    valid_crawl = validate(service, caller, new)
    settings = valid_crawl.settings
    require_space(service, expected_of(settings).megabytes * _MEGABYTE)
    with service.store.write() as session:
        replay = earlier_use(session, caller, idempotency, session.crawls.by_id)
        if replay is not None:
            require_access(caller, replay.row.project_id, for_update=True)
            return CreatedCrawl(crawl_view(replay.row, service.crawl_events), replay.reply)
        crawl_id = insert(service, session, caller, valid_crawl, new)
        robots = "" if settings.robots is RobotsRules.FINDABLE else settings.robots.value
        audit_log.record(session, caller, AuditAction.CRAWL_RUN, valid_crawl.target.typed, pages=settings.pages, robots=robots)
        reserve_key(session, caller, idempotency, crawl_id)
        created = CreatedCrawl(crawl_view(owned_crawl(session, caller, crawl_id), service.crawl_events))
    if settings.robots is not RobotsRules.FINDABLE:
        _log.warning("crawl %d of account %d obeys robots.txt: %s", crawl_id, caller.account_id, settings.robots.value)
    service.events.publish_queued()
    return created


def create_from_list(service: Service, caller: Caller, project: str, listed_urls: tuple[str, ...]) -> CrawlView:
    """Crawl URLs of a project as a list. Raises NotFound without URLs or the project, and the errors of `create`."""
    with reading(service, caller, scope=WRITE) as session:
        owned_project(session, caller, project, MEMBER)
    if not listed_urls:
        raise NotFound
    return create(service, caller, NewCrawl(listed_urls=listed_urls)).crawl


def again(service: Service, caller: Caller, crawl_id: int, scheme: str = "") -> CrawlView:
    """Start a crawl with the settings and the access of an ended one, and return it; or the one of its URL that is queued or running.

    ``scheme``: http or https to use the other scheme; empty for that of the crawl. Raises Conflict if the crawl has not ended,
    ValidationFailed, QuotaExceeded, Unavailable.
    """
    require(caller, WRITE)
    service.require_accepting()
    with service.store.write() as session:
        row = owned_crawl(session, caller, crawl_id)
        if not CrawlStatus(row.status).is_final:
            raise Conflict(later("The crawl has not ended yet."))
        running = session.crawls.unfinished_of(row)
        if running is not None:
            return crawl_view(running, service.crawl_events)
        again_crawl = _again(service, session, row, scheme)
        require_space(service, expected_of(again_crawl.settings).megabytes * _MEGABYTE)
        new = NewCrawl(url=again_crawl.target.url, privacy=Privacy(row.privacy))
        number = insert(service, session, caller, again_crawl, new)
        audit_log.record(session, caller, AuditAction.CRAWL_RUN, again_crawl.target.typed, pages=again_crawl.settings.pages)
        view = crawl_view(owned_crawl(session, caller, number), service.crawl_events)
    service.events.publish_queued()
    return view


def _again(service: Service, session: Session, row: CrawlRow, scheme: str) -> ValidatedCrawl:
    """Return a new crawl with the settings of an earlier one, within today's limits. Raises ValidationFailed."""
    rest = row.url.partition("://")[2]
    target = read_url(f"{scheme}://{rest}" if scheme in urls.DEFAULT_PORTS else row.url, service.guard)
    if isinstance(target, str):
        raise ValidationFailed({"url": [target]})
    target = structs.replace(target, scheme_guessed=bool(row.scheme_guessed) and not scheme)
    settings = listed_settings_of(session, row)
    if not settings.preview_origin:
        settings = structs.replace(settings, start_url=row.url).at_origin_of(target.url)
    if settings.render_reason is not RenderReason.CHOSEN:
        settings = settings.with_default_render(works=has_usable_browser(service))
    elif settings.render is not Render.NEVER and not has_browser(service):
        raise ValidationFailed({"render": [NO_BROWSER]})
    return ValidatedCrawl(target, structs.replace(settings, rate=min(settings.rate, service.settings.crawl_rate)), row.password_hash)


def insert(service: Service, session: Session, caller: Caller, valid_crawl: ValidatedCrawl, new: NewCrawl) -> int:
    """Store and queue a new crawl; return its id. Raises QuotaExceeded, ValidationFailed."""
    settings = valid_crawl.settings
    if not new.is_one_of_many:
        _require_free_slot(service, session, caller)
    elif session.crawls.count_unfinished(caller.account_id) >= MAX_QUEUED:
        raise QuotaExceeded(Message(_TOO_MANY_CRAWLS, limit=MAX_QUEUED), retry_after_s=RETRY_S)
    limited = "pages" if settings.rolling is None else "rolling"
    most = _page_limit(service, session, caller, limited, (getattr(new, limited), settings.url_limit))
    settings = structs.replace(settings, **{limited: most})
    url = valid_crawl.target.url
    project_id = project_for(session, caller, url)
    settings = _with_project_settings(settings, session.projects.by_id(caller.account_id, project_id))
    privacy = new.privacy if new.privacy is not None else default_privacy(session, caller.account_id, (urls.project_name(url),))
    values = {
        "public_id": secrets.token_urlsafe(PUBLIC_ID_BYTES),
        "account_id": caller.account_id,
        "project_id": project_id,
        "url": url,
        "scheme_guessed": int(valid_crawl.target.scheme_guessed),
        "privacy": int(privacy),
        "password_hash": valid_crawl.password_hash,
        "status": CrawlStatus.QUEUED.value,
        "created_at": session.moment,
        "updated_at": session.moment,
        "settings": settings_json(settings),
    }
    crawl_id = session.crawls.add(values, url_list_json(settings))
    service.crawl_home.delete(crawl_id)  # the store remains from before a backup was restored
    host = host_key(url, service.guard)
    session.crawl_jobs.add(caller.account_id, crawl_id=crawl_id, host=host, created_at=session.moment, person_id=caller.user_id)
    return crawl_id


def _with_project_settings(settings: CrawlSettings, project: ProjectRow | None) -> CrawlSettings:
    """Return the settings with the segments, extractors and options of the browser of the project."""
    if project is None:
        return settings
    if settings.render_reason is RenderReason.BROWSER and project.browser == BrowserUse.NONE:
        settings = structs.replace(settings, render=Render.NEVER, render_reason=RenderReason.PROJECT)
    return structs.replace(
        settings,
        segments=segments_of(project.segments_json),
        extractors=extractors_of(project.extractors_json),
        browser=browser_options_of(project.browser_options_json),
    )


def validate(service: Service, caller: Caller, new: NewCrawl) -> ValidatedCrawl:
    """Validate a new crawl. Raises ValidationFailed for all invalid fields at once."""
    errors: dict[str, list[str]] = {}
    site = read_url(new.url, service.guard) if new.url else ""
    lines = list(map_lines(new.listed_urls, "" if isinstance(site, str) else urls.origin_part(site.url)))
    listed, problem = _parse_list(lines, service.guard)
    if problem or (not lines and any(map(str.strip, new.listed_urls))):
        errors["list"] = [problem or later("The list contains no URL.")]
    first = lines[0].cells[0] if lines else None
    target = read_url(new.url or first, service.guard)
    if isinstance(target, str) and (new.url or "list" not in errors):
        errors["url"] = [target]
    hosts, problem = _hosts(new.hosts, service.guard)
    if problem:
        errors["hosts"] = [problem]
    for name, patterns in (("include", new.include), ("exclude", new.exclude)):
        if problem := _pattern_problem(patterns):
            errors[name] = [problem]
    most = service.settings.crawl_rate
    public, problem = _public_origin(new.judged_as)
    if problem:
        errors["as"] = [problem]
    errors |= (
        _number_errors("pages", new.pages, 1, MAX_PAGES)
        | _number_errors("rolling", new.rolling, 1, MAX_PAGES)
        | _number_errors("depth", new.depth, 0, MAX_DEPTH)
        | _number_errors("rate", new.rate, 0.01, most)
    )
    errors |= _number_errors("connections", new.connections, 1, MAX_CONNECTIONS) | _number_errors("seconds", new.seconds, 1, MAX_SECONDS)
    if new.render not in (None, Render.NEVER) and not has_browser(service):
        errors["render"] = [NO_BROWSER]
    errors |= password_errors(new.privacy, new.password)
    if errors or isinstance(target, str):
        raise ValidationFailed(errors)
    origin = urls.origin_part(target.url)
    public = public or origin
    settings = shape_of(
        CrawlSettings,
        new,
        start_url=urls.move_to_origin(target.url, origin, public),
        extent=new.scope,
        hosts=tuple(dict.fromkeys((*hosts, *(urls.host_of(to) for to in listed.values() if to)))),
        pages=len(listed) or new.pages or default_pages(new.rolling),
        rolling=None if listed else new.rolling,
        render=new.render or Render.NEVER,
        rate=new.rate if new.rate is not None else min(DEFAULT_RATE, most),
        connections=new.connections or CONNECTIONS,
        confirm_after_s=CONFIRM_AFTER_S,
        urls=tuple(urls.move_to_origin(url, origin, public) for url in listed),
        expected=tuple(
            (urls.move_to_origin(url, origin, public), urls.move_to_origin(to, origin, public)) for url, to in listed.items() if to
        ),
        preview_origin=origin if public != origin else "",
        uploaded=new.uploaded and not listed,
    )
    if settings.preview_origin:  # a preview uses one scheme
        target = structs.replace(target, scheme_guessed=False)
    if new.render is None:
        settings = settings.with_default_render(works=has_usable_browser(service))
    return ValidatedCrawl(target, settings, password_hash(service, caller, new.privacy, new.password))


def _public_origin(judged_as: str) -> tuple[str, str]:
    """Return the origin of a preview's future site, empty for none, and its problem."""
    text = judged_as.strip()
    url = urls.parse(text if "://" in text else f"https://{text}") if text else None
    if not text or (url is not None and url.is_http and url.path_and_query == "/" and "#" not in text and not url.has_login):
        return (url.origin if url is not None else ""), ""
    return "", Message(later("%(text)s is not an origin like https://www.example.com."), text=text[:200])


def _number_errors(name: str, value: float | None, least: float, most: float) -> dict[str, list[str]]:
    if value is None or least <= value <= most:
        return {}
    return {name: [Message(later("The %(field)s must be from %(least)s to %(most)s."), field=name, least=f"{least:g}", most=f"{most:,}")]}


_List = dict[str, str]
"""URLs with their expected targets; empty for none."""


def _parse_list(lines: Sequence[MapLine], guard: Guard) -> tuple[_List, str]:
    """Return the distinct URLs of a list with their expected targets, and the problem of the list."""
    if len(lines) > MAX_LISTED:
        return {}, Message(later("The list may have at most %(most)s URLs."), most=f"{MAX_LISTED:,}")
    found: _List = {}
    for line in lines:
        if line.problem:
            return {}, line.error(line.problem)
        targets = [read_url(text, guard) for text in line.cells]
        hrefs = [target.url for target in targets if not isinstance(target, str)]
        if wrong := [target for target in targets if isinstance(target, str)]:
            return {}, line.error(wrong[0])
        found[hrefs[0]] = hrefs[1] if len(hrefs) > 1 else found.get(hrefs[0], "")
    return found, ""


def _hosts(texts: Sequence[str], guard: Guard) -> tuple[tuple[str, ...], str]:
    """Return further hosts in normalized form, and their problem."""
    if len(texts) > MAX_HOSTS:
        return (), Message(later("The hosts field may have at most %(most)s hosts."), most=MAX_HOSTS)
    found: dict[str, None] = {}
    for text in texts:
        url = urls.parse(f"https://{text.strip()}/")
        if url is None or not url.host or url.path != "/" or url.query or url.has_login:
            return (), Message(later("%(host)s is not a host like www.example.com."), host=text.strip()[:200])
        if (refusal := guard.check_url(url.href)) is not None:
            return (), Message("%(host)s: %(problem)s", host=text.strip()[:200], problem=refusal.words)
        found[url.host] = None
    return tuple(found), ""


def _pattern_problem(patterns: Sequence[str]) -> str:
    if len(patterns) > MAX_PATTERNS:
        return Message(later("At most %(most)s patterns are allowed."), most=MAX_PATTERNS)
    problems = (problem_of(pattern) for pattern in patterns)
    return next((problem for problem in problems if problem), "")


def require_space(service: Service, needed_bytes: int) -> None:
    """Raise Unavailable if the disk has too little space for a crawl."""
    free = service.crawl_home.free_bytes()
    if free is not None and free < FREE_BYTES + needed_bytes:
        needed = f"{(FREE_BYTES + needed_bytes) // _MEGABYTE:,}"
        raise Unavailable(Message(_LITTLE_SPACE, free=f"{free // _MEGABYTE:,}", needed=needed), retry_after_s=RETRY_S)


def _page_limit(service: Service, session: Session, caller: Caller, field: str, sent: tuple[int | None, int]) -> int:
    """Return how many URLs the crawl may request. Raises QuotaExceeded, or ValidationFailed for more than the remaining quota.

    ``sent``: sent value of the ``field``, None for the default, and the number of URLs that the crawl is to request.
    """
    settings, (chosen, pages) = service.settings, sent
    if not settings.rate_limit or has_operator(session, caller.account_id):
        return pages
    if session.crawls.stored_bytes(caller.account_id) >= settings.crawls_mb * _MEGABYTE:
        raise QuotaExceeded(Message(_STORE_USED, limit=f"{settings.crawls_mb:,}"), retry_after_s=RETRY_S)
    left = settings.crawl_pages - session.crawls.requests_since(caller.account_id, session.moment - MONTH_S)
    if left <= 0:
        raise QuotaExceeded(Message(_MONTH_USED, limit=f"{settings.crawl_pages:,}"), retry_after_s=RETRY_S)
    if chosen is not None and chosen > left:
        problem = Message(later("Crawls of this account may request %(left)s more URLs within 30 days."), left=f"{left:,}")
        raise ValidationFailed({field: [problem]})
    return min(pages, left)


def _require_free_slot(service: Service, session: Session, caller: Caller) -> None:
    """Raise QuotaExceeded if the account has too many crawls that are queued or running."""
    if not has_free_slot(service, session, caller.account_id):
        raise QuotaExceeded(Message(_TOO_MANY_CRAWLS, limit=service.settings.crawls_at_once), retry_after_s=RETRY_S)


def has_free_slot(service: Service, session: Session, account_id: int) -> bool:
    """Return whether the account may have one more crawl that is queued or running."""
    settings = service.settings
    return not settings.rate_limit or session.crawls.count_unfinished(account_id) < settings.crawls_at_once


def find(service: Service, caller: Caller, query: CrawlQuery) -> Page[CrawlView]:
    """Return a list of crawls. Raises ValidationFailed for an invalid cursor."""
    require(caller, READ)
    require_bounds(query.per_page, query.page, "")
    sort = query.sort_by
    position = position_of(query.cursor, sort, descending=query.descending)
    with service.store.read() as session:
        project = find_project(session, caller, query.project) if query.project else None
        if query.project and project is None:
            return empty_page(query)
        project_id, status = project.id if project else None, query.status.value if query.status else None
        chosen = CrawlSelection(caller.account_id, project_id, caller.only_projects_of, status, sort, query.descending)
        rows = session.crawls.select(chosen, query.per_page + 1, offset=query.offset, position=position)
        total = session.crawls.count(chosen, EXACT_UP_TO + 1)
    order = ListOrder(sort, query.descending)
    page = cut(rows, total, query, position, order, lambda row: (sort_key(row, sort), row.id), is_counted=False)
    return page.with_items(crawl_view(row, service.crawl_events) for row in page.items)


def known_urls(service: Service, caller: Caller, project: str) -> int:
    """Return the number of URLs with a response in the last crawl that followed the links of a project; 0 without one."""
    found = find(service, caller, CrawlQuery(project=project, status=CrawlStatus.DONE, per_page=LAST_CRAWLS)).items
    counts = next((one.counts for one in found if not one.is_list), {})
    return int(counts.get("requested", 0) + counts.get("carried", 0))


def stop(service: Service, caller: Caller, crawl_id: int, if_match: str | None = None) -> CrawlView:
    """End a crawl with the pages that are stored so far. A finished crawl does not change."""
    with writing(service, caller) as session:
        row = matching_row(service, session, caller, crawl_id, if_match, CRAWLS)
        if not CrawlStatus(row.status).is_final:
            audit_log.record(session, caller, AuditAction.CRAWL_STOPPED, row.url)
        if row.status == CrawlStatus.QUEUED and row.started_at is None:
            session.crawl_jobs.drop(crawl_id)
            ended = {"status": CrawlStatus.STOPPED.value, "ended_by": CrawlEnd.STOPPED.value, "finished_at": session.moment}
            session.crawls.change(crawl_id, session.moment, **ended)
            write_end_event(session, crawl_id, 0, session.moment)
        elif not CrawlStatus(row.status).is_final and not row.is_stopping:
            session.crawls.change(crawl_id, session.moment, is_stopping=1)
            session.crawl_jobs.make_due(crawl_id)
        view = crawl_view(owned_crawl(session, caller, crawl_id), service.crawl_events)
    service.crawl_events.publish_end(crawl_id)
    service.events.publish_queued()
    return view


def is_resumable(view: CrawlView) -> bool:
    """Return whether an ended crawl can continue."""
    if view.settings.rolling is not None and view.ended_by is CrawlEnd.PAGES:
        return False  # the next one continues
    return view.is_finished and (view.status is not CrawlStatus.DONE or view.ended_by in _RESUMABLE)


_AS_BEFORE = CrawlResume()


def resume(service: Service, caller: Caller, crawl_id: int, limits: CrawlResume = _AS_BEFORE, if_match: str | None = None) -> CrawlView:
    """Continue a crawl that was stopped, failed or ended by a limit, with higher limits.

    If the time limit ended it, the limit is doubled unless another one is given.

    Raises Conflict if it is complete, QuotaExceeded, ValidationFailed, Unavailable.
    """
    require(caller, WRITE)
    service.require_accepting()
    pages, seconds = (None if limit is UNSET else limit for limit in (limits.pages, limits.seconds))
    require_valid(_number_errors("pages", pages, 1, MAX_PAGES) | _number_errors("seconds", seconds, 1, MAX_SECONDS))
    require_space(service, 0)
    with service.store.write() as session:
        row = owned_crawl(session, caller, crawl_id)
        view = crawl_view(row, service.crawl_events)
        require_match(view.etag, if_match)
        if not view.is_finished:
            return view
        settings = settings_of(row)
        if not is_resumable(view):
            raise Conflict(later("The crawl is complete; start a new one."))
        limit, seconds = pages or settings.pages, seconds or settings.seconds
        if view.ended_by is CrawlEnd.PAGES and limit <= settings.pages:
            raise ValidationFailed(
                {"pages": [Message(later("The pages field must be more than %(pages)s, the previous limit."), pages=settings.pages)]}
            )
        if view.ended_by is CrawlEnd.TIME and settings.seconds is not None and seconds is not None and seconds <= settings.seconds:
            if limits.seconds is not UNSET:
                problem = Message(later("The seconds field must be more than %(seconds)s, the previous limit."), seconds=settings.seconds)
                raise ValidationFailed({"seconds": [problem]})
            seconds = 2 * settings.seconds
        _require_free_slot(service, session, caller)
        _page_limit(service, session, caller, "pages", (max(1, limit - row.requests), limit))
        audit_log.record(session, caller, AuditAction.CRAWL_RUN, row.url, pages=limit)
        settings, host = structs.replace(settings, pages=limit, seconds=seconds), host_key(row.url, service.guard)
        view = _queue_again(service, session, caller, crawl_id, settings, host=host, status=CrawlStatus.QUEUED.value, finished_at=None)
    service.events.publish_queued()
    return view


def _queue_again(
    service: Service, session: Session, caller: Caller, crawl_id: int, settings: CrawlSettings, *, host: str, **columns: str | None
) -> CrawlView:
    """Queue an ended crawl with new settings, and change the columns; return it."""
    session.crawl_jobs.add(caller.account_id, crawl_id=crawl_id, host=host, created_at=session.moment, person_id=caller.user_id)
    session.crawls.change(crawl_id, session.moment, **columns, settings=settings_json(settings), is_stopping=0, error=None)
    return crawl_view(owned_crawl(session, caller, crawl_id), service.crawl_events)


def rescore(service: Service, caller: Caller, crawl_id: int, if_match: str | None = None) -> CrawlView:
    """Rescore a crawl from its stored responses, with the current ruleset and the segments and extractors of its project.

    Nothing is requested, and its results can be read meanwhile. Raises Conflict if it is running or has no page, QuotaExceeded,
    Unavailable.
    """
    require(caller, WRITE)
    service.require_accepting()
    with service.store.write() as session:
        row = owned_crawl(session, caller, crawl_id)
        view = crawl_view(row, service.crawl_events)
        require_match(view.etag, if_match)
        if not view.is_finished:
            raise Conflict(later("The crawl has not ended yet."))
        if not view.counts.get("pages"):
            raise Conflict(later("The crawl has no page that could be rescored."))
        _require_free_slot(service, session, caller)
        settings = _with_project_settings(view.settings, session.projects.by_id(caller.account_id, row.project_id))
        view = _queue_again(service, session, caller, crawl_id, settings, host="", status=CrawlStatus.SETTLING.value)
    service.events.publish_queued()
    return view


def delete(service: Service, caller: Caller, crawl_id: int, if_match: str | None = None) -> None:
    """Delete the crawl and end its job; housekeeping deletes its store next. Raises PreconditionFailed."""
    require(caller, WRITE)
    service.run_deletion(partial(_delete, service, caller, crawl_id, if_match))
    service.table_files.forget(crawl_id=crawl_id)
    service.crawl_events.publish_end(crawl_id)
    service.events.publish_queued()


def _delete(service: Service, caller: Caller, crawl_id: int, if_match: str | None) -> None:
    with service.store.write() as session:
        row = matching_row(service, session, caller, crawl_id, if_match, CRAWLS)
        audit_log.record(session, caller, AuditAction.CRAWL_DELETED, row.url)
        session.crawls.delete(crawl_id, session.moment)
