"""Batches of URLs. A batch is stored completely when it is accepted; its reports are queued a few at a time.

So an accepted batch survives a crash, its transactions are short, and its jobs come after jobs that people wait for.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from findable.errors import Forbidden, PageError, QuotaExceeded, require_found, require_valid
from findable.service.accounts.deferred_work import NOT_PERMITTED, present_caller
from findable.service.accounts.permissions import may, reading, require, require_role, writing
from findable.service.reports.report_views import page_error_of
from findable.service.reports.reports import QUEUE_RETRY_S, ValidatedReport, queue_report
from findable.service.results.access_settings import NOT_THERE, OTHER_PROJECT, default_privacy, password_errors, password_hash
from findable.service.runtime import audit_log
from findable.service.runtime.browsers import browser_errors
from findable.service.runtime.idempotency import IdempotencyKey, StoredReply, earlier_use, reserve_key
from findable.service.runtime.service import Service
from findable.service.sites.url_input import host_key, read_url, without_guessed_scheme, without_login
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import MEMBER, READ, VIEWER, WRITE, Caller
from findable.service.values.report_summary import summary_of
from findable.service.values.report_values import Existing
from findable.service.values.views import view_of
from findable.store.batch_statements import DELETED, REFUSED, WAITS, BatchRow, MemberRow, NewMember, WaitingRow
from findable.store.rows import MAX_ID
from findable.store.store_protocol import Session
from findable.urls import project_name, split_urls
from findable.values import DateTime
from findable.vocabulary import BrowserUse, Privacy, Rating, Status
from findable.wording import Message, later

MAX_URLS = 1000
AHEAD = 40
"""Maximum number of batch reports in the queue of an account; the others wait in their batch."""
QUEUED_PER_TRANSACTION = 20
"""Number of reports queued in one transaction, so that other writers wait only milliseconds."""
FINISHED_BATCH_DAYS = 90
"""Days after which a finished batch is deleted; its reports stay."""
MAX_FINISHED_BATCHES = 1000
"""Maximum number of finished batches of an account; older ones are deleted early."""
REJECTED_URL_CHARS = 200
"""Characters stored of a rejected URL, because the number of such URLs is unlimited."""
MAX_ERRORS_LISTED = 5
_DAY_S = 86_400

WAITING = WAITS
STATES = (WAITING, *(status.value for status in Status), REFUSED, DELETED)
"""States of a URL in a batch: not yet queued, the status of its report, rejected, or its report was deleted."""
UNFINISHED = (WAITING, Status.QUEUED.value, Status.RUNNING.value)
UNRATED = "unrated"


class NewBatch(Struct, frozen=True):
    """Request for many reports, with unvalidated texts; `create` validates them."""

    urls: Sequence[str]
    privacy: Privacy | None = None
    """Access; None for the default of the projects, the strictest if they differ."""
    password: str | None = None
    source: str = ""
    """URL of the sitemap that lists the URLs."""
    existing: Existing = Existing.RERUN
    """Choice for URLs that already have a report."""
    browser: BrowserUse | None = None
    """Browser mode of the reports from now on; None for the setting of the report or project."""


class MemberView(Struct, frozen=True):
    """URL of a batch with its current state."""

    url: str
    state: str
    """State, one of STATES."""
    report: int | None = None
    public_id: str | None = None
    result: Rating | None = None
    score: int | None = None
    error: PageError | None = None
    """Reason why its page could not be loaded."""
    refused: str = ""
    """Reason why the URL has no report; empty if it has one."""
    title: str = ""
    """Title of the page in `summarised_members`; empty if it has none."""


class BatchMembers(Struct, frozen=True, kw_only=True):
    """Members of a batch in the API that its owner sees in the same form."""

    id: int
    created_at: DateTime
    addresses: int
    """Number of distinct URLs."""
    duplicates: int
    left_out: int
    """Number of URLs of the sitemap beyond the limit."""
    counts: Mapping[str, int]
    """Number of URLs by state."""
    results: Mapping[str, int]
    """Number of finished reports by rating, or `unrated`."""


class BatchView(BatchMembers, frozen=True, kw_only=True):
    """Batch for display to its owner."""

    source: str
    privacy: Privacy
    failures: tuple[MemberView, ...] = ()
    """Failed members; empty in lists."""

    @property
    def finished(self) -> int:
        """Number of completed URLs, successful or not."""
        return self.addresses - sum(self.counts[state] for state in UNFINISHED)

    @property
    def is_finished(self) -> bool:
        """Whether all work is complete."""
        return self.finished == self.addresses


class CreatedBatch(Struct, frozen=True):
    """Accepted batch, or the batch of an identical earlier request."""

    batch: BatchView
    reply: StoredReply | None = None
    """Stored response of an identical earlier request."""


class _BatchMembers(Struct, frozen=True):
    """URLs in stored form."""

    members: list[NewMember]
    duplicates: int

    @property
    def urls(self) -> list[str]:
        """URLs that can be analysed."""
        return [member.url for member in self.members if member.refused is None]

    @property
    def typed(self) -> str:
        """First of these URLs; without a scheme if none was typed."""
        first = next(member for member in self.members if member.refused is None)
        return without_guessed_scheme(first.url, guessed=bool(first.scheme_guessed))


def find_replay(service: Service, caller: Caller, idempotency: IdempotencyKey) -> CreatedBatch | None:
    """Return the stored response of an identical request; None if it is new. Raises Conflict, IdempotencyMismatch."""
    with writing(service, caller) as session:
        return _replay(session, caller, idempotency)


def _replay(session: Session, caller: Caller, idempotency: IdempotencyKey | None) -> CreatedBatch | None:
    replay = earlier_use(session, caller, idempotency, partial(session.batches.get, caller.account_id))
    return None if replay is None else CreatedBatch(_view(session, replay.row, whole=True), replay.reply)


def create(service: Service, caller: Caller, new: NewBatch, idempotency: IdempotencyKey | None = None) -> CreatedBatch:
    """Store the whole batch; its reports are queued later. URLs that cannot be analysed are stored with the reason.

    Raises ValidationFailed (all fields at once, and if no URL remains), QuotaExceeded, Forbidden, Unavailable; with a key also Conflict and
    IdempotencyMismatch.
    """
    require(caller, WRITE)
    require_role(caller, MEMBER)
    service.require_accepting()
    urls = new.urls[:MAX_URLS] if new.source else new.urls
    sorted_out = _distinct_urls(service, urls)
    errors = _errors(new, urls, sorted_out) | browser_errors(service, new.browser)
    require_valid(errors)
    hashed = password_hash(service, caller, new.privacy, new.password)
    with service.store.write() as session:
        replay = _replay(session, caller, idempotency)
        if replay is not None:
            return replay
        _require_capacity(service, session, caller, len(sorted_out.members))
        usual = default_privacy(session, caller.account_id, map(project_name, sorted_out.urls))
        values = {
            "account_id": caller.account_id,
            "source": new.source,
            "left_out": len(new.urls) - len(urls),
            "created_at": session.moment,
            "duplicates": sorted_out.duplicates,
            "privacy": int(usual if new.privacy is None else new.privacy),
            "password_hash": hashed,
            "makes_new": int(new.existing is Existing.NEW),
            "browser": new.browser,
            "person_id": caller.user_id,
        }
        batch_id = session.batches.add(values, sorted_out.members)
        session.batches.delete_beyond(caller.account_id, MAX_FINISHED_BATCHES)
        reserve_key(session, caller, idempotency, batch_id)
        audit_log.record(session, caller, AuditAction.BATCH_RUN, new.source or sorted_out.typed, pages=len(sorted_out.members))
        created = CreatedBatch(_view(session, _owned_batch(session, caller, batch_id), whole=True))
    service.events.publish_queued()
    return created


def _distinct_urls(service: Service, urls: Sequence[str]) -> _BatchMembers:
    """Return the distinct URLs in the order sent; those that cannot be analysed with the reason."""
    members: dict[str, NewMember] = {}
    count = 0
    for text in (piece for texts in urls[: MAX_URLS + 1] if texts.strip() for piece in split_urls(texts)):
        count += 1
        address = read_url(text, service.guard)
        if isinstance(address, str):
            shown = without_login(text)
            members.setdefault(shown, NewMember(shown[:REJECTED_URL_CHARS], 0, address))
        else:
            members.setdefault(address.url, NewMember(address.url, int(address.scheme_guessed), None))
    return _BatchMembers(list(members.values()), count - len(members))


_BATCHES_FULL = later("%(waiting)s URLs of batches are queued; the limit is %(limit)s. Try again when some are done.")
_TOO_MANY = later("The urls field may have at most %(most)s URLs, %(count)s were sent.")


def _errors(new: NewBatch, urls: Sequence[str], members: _BatchMembers) -> dict[str, list[str]]:
    errors = password_errors(new.privacy, new.password)
    field_name = "sitemap" if new.source else "urls"
    if len(urls) > MAX_URLS:
        errors[field_name] = [Message(_TOO_MANY, most=f"{MAX_URLS:,}", count=f"{len(urls):,}")]
    elif not members.members:
        errors[field_name] = [later("The urls field is required.")]
    elif all(member.refused for member in members.members):
        told = [
            Message("%(url)s: %(problem)s", url=member.url[:200], problem=Message.from_sentence(member.refused or ""))
            for member in members.members[:MAX_ERRORS_LISTED]
        ]
        more = len(members.members) - len(told)
        errors[field_name] = [
            *told,
            *([Message(later("And %(count)s more URLs that cannot be analysed."), count=f"{more:,}")] if more else []),
        ]
    return errors


def _require_capacity(service: Service, session: Session, caller: Caller, members: int) -> None:
    """Raise QuotaExceeded if too many URLs are waiting.

    Batches wait outside the queue; a batch of maximum size is accepted if nothing else is waiting.
    """
    settings = service.settings
    waiting = sum(row.members - row.fed for row in session.batches.with_waiting_members(caller.account_id) if row.schedule_id is None)
    limit = max(settings.queue_limit, MAX_URLS) if settings.rate_limit and settings.queue_limit else 0
    if limit and waiting + members > limit:
        raise QuotaExceeded(
            Message(_BATCHES_FULL, waiting=f"{waiting:,}", limit=f"{limit:,}"),
            retry_after_s=QUEUE_RETRY_S,
        )


def get(service: Service, caller: Caller, batch_id: int) -> BatchView:
    """Return one batch with its failures. Raises NotFound if it is missing or belongs to another account."""
    with reading(service, caller) as session:
        return _view(session, _owned_batch(session, caller, batch_id), whole=True)


def members(service: Service, caller: Caller, batch_id: int, *, limit: int = MAX_URLS, offset: int = 0) -> tuple[MemberView, ...]:
    """Return URLs of a batch in the order sent. Raises NotFound."""
    with reading(service, caller) as session:
        row = _owned_batch(session, caller, batch_id)
        return tuple(_member(member) for member in session.batches.members(row.id, limit=limit, offset=offset))


def summarised_members(service: Service, caller: Caller, batch: BatchView, *, limit: int, offset: int) -> tuple[MemberView, ...]:
    """Return URLs of a batch with the titles of their pages: the worst first, while it runs in the order sent. Raises NotFound."""
    with reading(service, caller) as session:
        row = _owned_batch(session, caller, batch.id)
        rows = session.batches.members_with_summaries(row.id, limit=limit, offset=offset, worst_first=batch.is_finished)
        return tuple(_member(member) for member in rows)


def find(service: Service, caller: Caller, *, before: int = MAX_ID - 1, limit: int = 10) -> tuple[BatchView, ...]:
    """Return batches with ids below ``before``, newest first, without failures."""
    require(caller, READ)
    if not may(caller, VIEWER):
        return ()
    with service.store.read() as session:
        return tuple(_view(session, row) for row in session.batches.select(caller.account_id, before=before, limit=limit))


def running(service: Service, caller: Caller, limit: int) -> tuple[BatchView, ...]:
    """Return the newest unfinished batches, without failures."""
    require(caller, READ)
    if not may(caller, VIEWER):
        return ()
    with service.store.read() as session:
        if not session.batches.with_waiting_members(caller.account_id) and not session.jobs.of_batches(caller.account_id):
            return ()
        newest = (_view(session, row) for row in session.batches.select(caller.account_id, before=MAX_ID - 1, limit=limit))
        return tuple(batch for batch in newest if not batch.is_finished)


def _owned_batch(session: Session, caller: Caller, batch_id: int) -> BatchRow:
    may_see = may(caller, VIEWER)  # a batch may contain URLs of any project
    return require_found(session.batches.get(caller.account_id, batch_id) if may_see and 0 < batch_id < MAX_ID else None)


def _view(session: Session, row: BatchRow, *, whole: bool = False) -> BatchView:
    counts: Counter[str] = Counter()
    results: Counter[str] = Counter()
    for counted in session.batches.counts(row.id):
        counts[counted.state] += counted.members
        if counted.state == Status.DONE:
            results[counted.result or UNRATED] += counted.members
    failed = (_member(member) for member in session.batches.failures(row.id)) if whole else ()
    return view_of(
        BatchView,
        row,
        addresses=row.members,
        counts={state: counts[state] for state in STATES},
        results={result: results[result] for result in (*(rating.value for rating in Rating), UNRATED)},
        failures=tuple(member for member in failed if member.state in (Status.FAILED, REFUSED)),
    )


def _member(row: MemberRow) -> MemberView:
    rating = Rating(row.result) if row.result else None
    error, title = page_error_of(row.error_json), summary_of(row.summary_json).title
    return MemberView(row.url, row.state, row.report_id, row.public_id, rating, row.score, error, row.refused or "", title)


def feed(service: Service) -> bool:
    """Queue a few reports of each account's oldest waiting batch, schedules last; return whether there may be more."""
    if service.draining:
        return False
    with service.store.read() as session:
        accounts = session.batches.waiting_accounts()
    fed = [_feed(service, account_id) for account_id in accounts]
    if any(fed):
        service.events.publish_queued()
    return any(fed)


def _feed(service: Service, account_id: int) -> bool:
    with service.store.write() as session:
        room = AHEAD - session.jobs.of_batches(account_id)
        waiting = session.batches.with_waiting_members(account_id)
        if room <= 0 or not waiting:
            return False
        # reports without a schedule come first, because a person is waiting for them
        batch = min(waiting, key=lambda row: (row.schedule_id is not None, row.id))
        members = session.batches.next_members(batch.id, batch.fed, min(room, QUEUED_PER_TRANSACTION))
        try:
            caller = present_caller(session, batch.account_id, batch.person_id, batch.project_id)
        except Forbidden:
            session.batches.stop(batch, NOT_PERMITTED)
            return True
        for member in members:
            if member.refused is None:
                _make(service, session, caller, batch, member)
        session.batches.record_done_until(batch.id, batch.fed + len(members))
    return True


def _make(service: Service, session: Session, caller: Caller, batch: BatchRow, member: WaitingRow) -> None:
    address = read_url(member.url, service.guard)
    if isinstance(address, str):  # the allowed targets have changed since then
        session.batches.refuse(batch.id, member.place, address)
        return
    address = replace(address, scheme_guessed=bool(member.scheme_guessed))
    accepted = ValidatedReport(address, Privacy(batch.privacy), batch.password_hash, host_key(address.url, service.guard))
    existing = Existing.NEW if batch.makes_new else Existing.RERUN
    try:
        report_id = queue_report(session, caller, accepted, existing, of_batch=True, is_scheduled=batch.schedule_id is not None)
    except Forbidden:  # the project was deleted, or is not the one of the schedule
        session.batches.refuse(batch.id, member.place, NOT_THERE if batch.project_id is None else OTHER_PROJECT)
        return
    if batch.browser is not None:
        session.reports.change(report_id, session.moment, browser=batch.browser)
    session.batches.set_report(batch.id, member.place, report_id)


def delete_old(service: Service) -> bool:
    """Delete one finished batch older than FINISHED_BATCH_DAYS; return whether there may be more."""
    with service.store.write() as session:
        return session.batches.delete_before(session.moment - FINISHED_BATCH_DAYS * _DAY_S)
