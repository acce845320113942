"""Use cases of projects. `name_or_id` is a host (case-insensitive, IDN or Punycode) or the numeric id."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct, structs

from findable.crawl.extractors import Extractor, problem_of_all
from findable.crawl.settings import Segment
from findable.errors import ValidationFailed, require_found, require_valid
from findable.monitor.retention_rules import MAX_DAYS
from findable.reports.scoring import DECENT_FROM, GOOD_FROM, rating_of
from findable.reports.search_verdict import SearchVerdict, for_intent, is_for_search
from findable.reports.url_patterns import MAX_PATTERN_CHARS, MAX_PATTERNS, problem_of
from findable.service.accounts.owned_projects import owned_project
from findable.service.accounts.permissions import reading, require, require_role, writing
from findable.service.alerts.alert_watch import close_unwatched
from findable.service.crawls.crawl_reports import counts_of
from findable.service.crawls.crawl_views import stored_verdict
from findable.service.projects import browser_settings, issue_trackers, report_defaults
from findable.service.projects.retention import retention_of, saved_days
from findable.service.projects.sent_columns import changed_options, options_json, sent_columns
from findable.service.reports import stored_images
from findable.service.reports.report_views import page_error_of
from findable.service.results.access_settings import default_privacy
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.sites import site_identities
from findable.service.sites.url_input import REQUIRED as URL_REQUIRED
from findable.service.sites.url_input import read_url
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import MEMBER, OWNER, READ, WRITE, Caller
from findable.service.values.paging import EXACT_UP_TO, ListOrder, Page, cut, position_of, require_bounds
from findable.service.values.project_values import (
    MAX_TAG_CHARS,
    MAX_TAGS,
    BrowserOptionsUpdate,
    DeletedProject,
    Labels,
    ProjectChanges,
    ProjectQuery,
    ProjectSettingsUpdate,
    ProjectSize,
    ProjectSort,
    ProjectView,
    RetentionUpdate,
)
from findable.service.values.report_summary import summary_of
from findable.service.values.report_values import page_verdict_now
from findable.service.values.stored_settings import browser_options_of, patterns_of
from findable.service.values.views import moment, view_of
from findable.store.overview_queries import StartRow
from findable.store.project_scores import NO_SCORE_ASCENDING, NO_SCORE_DESCENDING
from findable.store.project_statements import ProjectFilter
from findable.store.rows import ProjectRow
from findable.store.store_protocol import Session
from findable.urls import project_name
from findable.vocabulary import Privacy, Rating, ScoreOf, Verdict
from findable.wording import Message, later

REQUIRED = later("The project field is required.")
MAX_TITLE_CHARS = 80
NOT_IN_TAGS = frozenset(',;"\\')
"""Characters that separate tags in lists and tables, or that JSON escapes."""
MAX_SEGMENTS = 50
MAX_SEGMENT_CHARS = 80
_WRONG_TAGS = later(
    "There may be at most %(most)s tags of %(chars)s characters, without commas, semicolons, quotation marks and backslashes."
)
_NO_TAG = later("Enter a tag.")
_NO_OWNER = later("Nobody with this email address has access to the project.")


def _as_named(search: str) -> str:
    """Return a search text in the form of stored names; IDN labels must be complete."""
    name = "" if search.isascii() else project_name(f"https://{search}/")
    return name or search.lower()


def find(service: Service, caller: Caller, query: ProjectQuery) -> Page[ProjectView]:
    """Return a list of projects, by an order that the store knows: `project_lists.find` knows all."""
    require(caller, READ)
    require_bounds(query.per_page, query.page, query.search)
    sort = query.sort_by.value
    position, chosen = position_of(query.cursor, sort, descending=query.descending), _filter(query)
    with service.store.read() as session:
        rows = session.projects.select(
            caller.account_id,
            sort=sort,
            descending=query.descending,
            limit=query.per_page + 1,
            offset=query.offset,
            position=position,
            chosen=chosen,
            person_id=caller.only_projects_of,
        )
        total = session.projects.count(caller.account_id, chosen, EXACT_UP_TO + 1, caller.only_projects_of)
        views = {view.id: view for view in _views(service, session, rows)}
    order, is_counted = ListOrder(sort, query.descending), chosen is None and caller.only_projects_of is None
    page = cut(rows, total, query, position, order, lambda row: (_sort_key(row, query), row.id), is_counted=is_counted)
    return page.with_items(views[row.id] for row in page.items)


def _sort_key(row: ProjectRow, query: ProjectQuery) -> str | int:
    if query.sort_by is ProjectSort.SCORE:
        return row.score if row.score is not None else NO_SCORE_DESCENDING if query.descending else NO_SCORE_ASCENDING
    return row.name if query.sort_by is ProjectSort.PROJECT else row.created_at


def worst(service: Service, session: Session, caller: Caller, query: ProjectQuery, limit: int) -> tuple[list[ProjectView], int]:
    """Return the first of the projects that a query selects, lowest score first, and their number up to a limit."""
    require(caller, READ)
    require_bounds(query.per_page, query.page, query.search)
    chosen, sort = _filter(query), ProjectSort.SCORE.value
    rows = session.projects.select(
        caller.account_id, sort=sort, descending=False, limit=limit, chosen=chosen, person_id=caller.only_projects_of
    )
    return _views(service, session, rows), session.projects.count(caller.account_id, chosen, EXACT_UP_TO + 1, caller.only_projects_of)


def _filter(query: ProjectQuery) -> ProjectFilter | None:
    """Return the condition of a query; None if it selects all projects."""
    scores = {Rating.GOOD: (GOOD_FROM, 100), Rating.DECENT: (DECENT_FROM, GOOD_FROM - 1), Rating.BAD: (0, DECENT_FROM - 1)}
    name = _as_named(query.search) if query.search else ""
    found = ProjectFilter(
        name,
        query.search,
        query.tag,
        query.client,
        query.owner.lower(),
        scores[query.result] if query.result else None,
        query.is_watched,
    )
    return None if found == ProjectFilter() else found


def labels(service: Service, caller: Caller) -> Labels:
    """Return the clients, tags and owners of the caller's projects."""
    with reading(service, caller) as session:
        rows = session.projects.labels(caller.account_id, caller.only_projects_of)
    tags = {tag for _, texts, _ in rows if texts for tag in json.loads(texts)}
    return Labels(_sorted(client for client, _, _ in rows), _sorted(tags), _sorted(owner for _, _, owner in rows))


def _sorted(texts: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(sorted({text for text in texts if text}, key=str.casefold))


def get(service: Service, caller: Caller, name_or_id: str, scope: str = READ) -> ProjectView:
    """Return one project. Raises NotFound.

    ``scope``: WRITE for the response to a change, which a key without read access gets too.
    """
    with reading(service, caller, scope=scope) as session:
        return _view(service, session, owned_project(session, caller, name_or_id))


def titles(service: Service, caller: Caller, names: Iterable[str]) -> Mapping[str, str]:
    """Return the display names of those of these projects that have one, by host."""
    with reading(service, caller) as session:
        return session.projects.titles(caller.account_id, frozenset(names))


class CreatedProject(Struct, frozen=True):
    """Project of a site, and whether it is new."""

    project: ProjectView
    is_new: bool
    """Whether the project is new."""


def make(service: Service, caller: Caller, text: str | None) -> CreatedProject:
    """Create the project of a site before its first report: ``text`` is a host, or any URL of the site. Raises ValidationFailed."""
    require(caller, WRITE)
    require_role(caller, MEMBER)
    address = read_url(text, service.guard)
    if isinstance(address, str):
        raise ValidationFailed({"project": [REQUIRED if address == URL_REQUIRED else address]})
    name = project_name(address.url)
    with service.store.write() as session:
        is_new = session.projects.by_name(caller.account_id, name) is None
        project_id = session.projects.ensure(caller.account_id, name, session.moment)
        row = require_found(session.projects.by_id(caller.account_id, project_id))
        if is_new:
            audit_log.record(session, caller, AuditAction.PROJECT_MADE, name)
        return CreatedProject(_view(service, session, row), is_new)


def update(service: Service, caller: Caller, name_or_id: str, changes: ProjectChanges) -> ProjectView:
    """Change the fields that were sent; new reports use them. Owners only. Raises NotFound, ValidationFailed."""
    require(caller, WRITE)
    columns, errors = columns_of(service, changes)
    logo = report_defaults.scaled_logo(service, changes.brand_logo, errors)
    with service.store.write() as session:
        row = owned_project(session, caller, name_or_id, OWNER)
        fields = (
            ("owner_id", changes.owner, lambda email: owner_id_of(session, caller, row.id, email or "")),
            ("identity", changes.identity, lambda sent: site_identities.change(service, row.id, row.identity, sent)),
            ("retention", changes.retention, lambda sent: _retention(service, row, sent)),
            ("browser_options", changes.browser_options, lambda sent: _browser_options(row, sent)),
        )
        columns |= sent_columns(fields, errors)
        require_valid(errors)
        if changes.brand_logo is not UNSET:
            columns["brand_logo"] = stored_images.store(session, logo) if logo else None
        if columns:
            session.projects.change(row.id, columns)
            audit_log.record(session, caller, AuditAction.PROJECT_CHANGED, row.name, fields=", ".join(sorted(columns)))
        if "not_for_search" in columns:
            close_unwatched(session, row.id, session.moment)
        return _view(service, session, session.projects.by_id(caller.account_id, row.id) or row)


def owner_id_of(session: Session, caller: Caller, project_id: int, email: str) -> int | None:
    """Return the id of a person with access to the project; None for an empty address. Raises ValidationFailed."""
    address = email.strip().lower()
    found = next((one.person_id for one in session.roles.of_project(caller.account_id, project_id) if one.email == address), None)
    if address and found is None:
        raise ValidationFailed({"owner": [_NO_OWNER]})
    return found


def columns_of(service: Service, changes: ProjectSettingsUpdate) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return the columns to write (except logo, owner and identity), and errors by field."""
    columns, errors = report_defaults.columns_of(service, changes, of_project=True)
    fields = (
        ("title", changes.display_name, lambda text: _label("display_name", text)),
        ("client_name", changes.client, lambda text: _label("client", text)),
        ("tags", changes.tags, lambda texts: _texts_json(_tags(texts))),
        ("not_for_search", changes.not_for_search, lambda texts: _texts_json(_patterns(texts))),
        ("segments", changes.segments, _segments),
        ("extractors", changes.extractors, _extractors),
        ("tracker", changes.tracker, issue_trackers.column_of),
    )
    return columns | sent_columns(fields, errors), errors


def _texts_json(texts: list[str]) -> str | None:
    return json.dumps(texts, ensure_ascii=False) if texts else None


def _label(field: str, sent: str | None) -> str | None:
    text = " ".join((sent or "").split())
    if len(text) > MAX_TITLE_CHARS or not text.isprintable():
        wrong = Message(later("The name must have at most %(most)s printable characters."), most=MAX_TITLE_CHARS)
        raise ValidationFailed({field: [wrong]})
    return text or None


def _retention(service: Service, row: ProjectRow, changes: RetentionUpdate) -> str | None:
    """Return the retention in stored form, None for the defaults. Raises ValidationFailed."""
    changed = changed_options(retention_of(row.retention_json), changes)
    bounds = (
        ("all_days", changed.all_days, 1, MAX_DAYS),
        ("weekly_days", changed.weekly_days, changed.all_days, MAX_DAYS),
        ("saved_days", changed.saved_days, 0, service.settings.saved_page_days),
    )
    wrong = later("The value must be from %(least)s to %(most)s days.")
    require_valid(
        {
            f"retention.{name}": [Message(wrong, least=least, most=most)]
            for name, days, least, most in bounds
            if days is not None and not least <= days <= most
        }
    )
    return options_json(changed)


def _browser_options(row: ProjectRow, changes: BrowserOptionsUpdate) -> str | None:
    return browser_settings.options_column(browser_options_of(row.browser_options_json), changes, row.name)


def _extractors(texts: Mapping[str, str]) -> str | None:
    """Return valid extractors in stored form. Raises ValidationFailed."""
    extractors = [Extractor(name.strip(), rule.strip()) for name, rule in texts.items()]
    if wrong := problem_of_all(extractors):
        raise ValidationFailed({"extractors": [wrong]})
    return msgspec.json.encode(extractors).decode() if extractors else None


def _tags(texts: Iterable[str]) -> list[str]:
    """Return valid tags, sorted and without duplicates. Raises ValidationFailed."""
    tags = {tag.casefold(): tag for text in texts if (tag := " ".join(text.split()))}
    if len(tags) > MAX_TAGS or any(len(tag) > MAX_TAG_CHARS or not tag.isprintable() or set(tag) & NOT_IN_TAGS for tag in tags.values()):
        values = {"most": MAX_TAGS, "chars": MAX_TAG_CHARS}
        raise ValidationFailed({"tags": [Message(_WRONG_TAGS, **values)]})
    return [tags[key] for key in sorted(tags)]


def _segments(texts: Mapping[str, str]) -> str | None:
    """Return valid segments in stored form. Raises ValidationFailed."""
    segments = [Segment(name.strip(), tuple(dict.fromkeys(patterns.split()))) for name, patterns in texts.items()]
    wrong: list[str] = []
    if len(segments) > MAX_SEGMENTS or sum(len(segment.patterns) for segment in segments) > MAX_PATTERNS:
        values = {"most": MAX_SEGMENTS, "patterns": MAX_PATTERNS}
        wrong.append(Message(later("There may be at most %(most)s segments with %(patterns)s patterns together."), **values))
    for segment in segments[:MAX_SEGMENTS]:
        if not segment.name or len(segment.name) > MAX_SEGMENT_CHARS or not segment.name.isprintable():
            wrong.append(Message(later("The name of a segment must have 1 to %(most)s characters."), most=MAX_SEGMENT_CHARS))
        if not segment.patterns:
            wrong.append(Message(later("%(name)s: a segment needs a pattern, like /blog/*."), name=segment.name[:MAX_SEGMENT_CHARS]))
        wrong += [
            Message("%(pattern)s: %(problem)s", pattern=pattern[:MAX_PATTERN_CHARS], problem=Message.from_sentence(problem))
            for pattern in segment.patterns[:MAX_PATTERNS]
            if (problem := problem_of(pattern))
        ]
    if wrong:
        raise ValidationFailed({"segments": list(dict.fromkeys(wrong))})
    return msgspec.json.encode(segments).decode() if segments else None


def logo(service: Service, caller: Caller, name_or_id: str) -> bytes:
    """Return the project's logo as PNG. Raises NotFound."""
    with reading(service, caller) as session:
        row = owned_project(session, caller, name_or_id)
        return require_found(session.images.data(row.brand_logo))


def icon(service: Service, caller: Caller, name_or_id: str) -> bytes:
    """Return the icon of the site as PNG. Raises NotFound."""
    with reading(service, caller) as session:
        row = owned_project(session, caller, name_or_id)
        return require_found(session.images.data(row.icon))


def tag(service: Service, caller: Caller, names: Iterable[str], text: str, *, removes: bool = False) -> None:
    """Add tags, separated by commas, to all of these projects, or remove them. Owners only. Raises NotFound, ValidationFailed."""
    require(caller, WRITE)
    changed = _tags(text.split(","))
    if not changed:
        raise ValidationFailed({"tag": [_NO_TAG]})
    folded = {one.casefold() for one in changed}
    with service.store.write() as session:
        for name in names:
            row = owned_project(session, caller, name, OWNER)
            kept = [one for one in json.loads(row.tags_json or "[]") if one.casefold() not in folded]
            tags = _tags(kept if removes else [*kept, *changed])
            session.projects.change(row.id, {"tags": _texts_json(tags)})
            audit_log.record(session, caller, AuditAction.PROJECT_CHANGED, row.name, fields="tags")


def _patterns(texts: Iterable[str]) -> list[str]:
    """Return valid patterns without duplicates. Raises ValidationFailed."""
    patterns = list(dict.fromkeys(text.strip() for text in texts if text.strip()))
    wrong: list[str] = [
        Message("%(pattern)s: %(problem)s", pattern=pattern[:MAX_PATTERN_CHARS], problem=Message.from_sentence(problem))
        for pattern in patterns
        if (problem := problem_of(pattern))
    ]
    if len(patterns) > MAX_PATTERNS:
        wrong = [Message(later("There may be at most %(most)s patterns."), most=MAX_PATTERNS)]
    if wrong:
        raise ValidationFailed({"not_for_search": wrong})
    return patterns


def default_access(service: Service, caller: Caller, *names: str) -> Privacy:
    """Return the access that forms preselect for new reports and crawls of these projects; without names, that of the account."""
    with service.store.read() as session:
        return default_privacy(session, caller.account_id, names or ("",))


def delete(service: Service, caller: Caller, name_or_id: str) -> DeletedProject:
    """Delete the project and its reports for every reader immediately; rows are deleted in the background. Owners only. Raises NotFound."""
    with writing(service, caller) as session:
        row = owned_project(session, caller, name_or_id, OWNER)
        session.projects.mark_deleted(caller.account_id, row.id, session.moment)
        audit_log.record(session, caller, AuditAction.PROJECT_DELETED, row.name, reports=row.reports)
    service.table_files.forget(project_id=row.id)
    service.events.publish_queued()  # wake up the housekeeping
    return DeletedProject(row.id, row.name, row.reports)


def _view(service: Service, session: Session, row: ProjectRow) -> ProjectView:
    return _views(service, session, [row])[0]


def _views(service: Service, session: Session, rows: Sequence[ProjectRow]) -> list[ProjectView]:
    starts = session.overview.start_pages({row.id: row.name for row in rows if row.verdict is None})
    return [_view_with_start(service, row, starts.get(row.id)) for row in rows]


def _verdict_of_start(start: StartRow) -> SearchVerdict | None:
    since, generated = (None if at is None else moment(at) for at in (start.verdict_since, start.generated_at))
    return page_verdict_now(summary_of(start.summary_json), page_error_of(start.error_json), since, generated)


def _view_with_start(service: Service, row: ProjectRow, start: StartRow | None) -> ProjectView:
    """Return a project; without a crawl, its verdict is that of its start page."""
    verdict = stored_verdict(row.verdict, row.verdict_since, row.verdict_values_json, row.verdict_at, row.not_for_search_json)
    found = None if verdict is not None or start is None else _verdict_of_start(start)
    if found is not None:
        verdict = for_intent(found, is_for_search=is_for_search(patterns_of(row.not_for_search_json)))
    score_of = None if row.score is None else ScoreOf.PAGES if row.site_at is None else ScoreOf.SITE
    counted: dict[str, Any] = msgspec.json.decode(row.site_counts_json) if row.site_counts_json else {}
    return view_of(
        ProjectView,
        row,
        reports_count=row.reports,
        client=row.client_name or "",
        icon=row.icon.hex()[:12] if row.icon else "",
        result=None if row.score is None else rating_of(row.score),
        verdict=verdict,
        score_of=score_of,
        score_crawl=row.site_crawl,
        scored_pages=counted.get("pages", 0) if score_of is ScoreOf.SITE else row.scored_pages,
        indexable_pages=counted.get("indexable") if score_of is ScoreOf.SITE else None,
        problems_count=counts_of(row.site_findings_json, verdict).get(Verdict.FAILED, 0) if score_of is ScoreOf.SITE else None,
        is_watched=row.schedules_count > 0,
        is_watch_answered=row.watch_answered > 0,
        crawled_at=None if row.site_at is None else moment(row.site_at),
        last_generated_at=None if row.generated_at is None else moment(row.generated_at),
        pages_count=row.reports - row.duplicates,
        rated={
            Rating.GOOD: row.good - row.duplicates_good,
            Rating.DECENT: row.decent - row.duplicates_decent,
            Rating.BAD: row.bad - row.duplicates_bad,
        },
        **structs.asdict(report_defaults.defaults_of(row)),
        identity=site_identities.view(service, row.id, row.identity),
        saved_days=saved_days(service, retention_of(row.retention_json)),
        size=ProjectSize(
            row.reports_bytes if row.measured_at else None, row.crawls_bytes, moment(row.measured_at) if row.measured_at else None
        ),
    )
