"""Monthly reports of projects by email, for clients: with the brand of the project and the link to its shared report."""

from datetime import UTC, datetime, timedelta

from msgspec import Struct

from findable.clock import now
from findable.notify.email_blocks import Action, Block, Heading, Letter, Paragraph
from findable.reports.score_change_words import new_ruleset
from findable.service.crawls.crawl_views import stored_verdict
from findable.service.delivery.email_lists import alert_entries, list_blocks
from findable.service.delivery.unsubscribe_links import MONTHLY, EmailSeries, unsubscribe_url
from findable.service.runtime.background_work import each_row, others_continue
from findable.service.runtime.outbox import queue_email, with_brand
from findable.service.runtime.service import Service
from findable.service.values.presentation import brand_of, client_wording
from findable.store.recipient_statements import RecipientRow
from findable.store.rows import ProjectRow
from findable.store.setback_statements import ChangeScope
from findable.store.store_protocol import Session
from findable.urls import project_words
from findable.vocabulary import Privacy
from findable.wording import MONTHS, Translator, later

SENT_HOUR = 7
"""Hour (UTC) of the first day of a month from which the report of the previous month is sent."""
READ_AT_ONCE = 100
POINTS = 400
READ_ALERTS = 500


class Month(Struct, frozen=True):
    """Month that a report covers, in UTC."""

    begin: int
    """Seconds since 1970."""
    end: int
    year: int
    number: int

    @property
    def code(self) -> str:
        """Code that sorts by time, like ``2026-11``."""
        return f"{self.year:04}-{self.number:02}"


def month_before(moment: datetime) -> Month:
    """Return the last month whose report is due."""
    first = moment.astimezone(UTC).replace(day=1, hour=SENT_HOUR, minute=0, second=0, microsecond=0)
    if moment < first:
        first = _previous(first)
    begin = _previous(first)
    midnight = first.replace(hour=0)
    return Month(int(begin.replace(hour=0).timestamp()), int(midnight.timestamp()), begin.year, begin.month)


def _previous(first: datetime) -> datetime:
    return (first - timedelta(days=1)).replace(day=1)


def send_due(service: Service) -> None:
    """Queue the reports of the last month that were not sent yet. A project with neither a score nor alerts gets none."""
    if not service.settings.smtp_url:
        return
    month = month_before(now())
    for row in each_row(
        service, lambda session, after: session.recipients.due(month.code, month.end, after, READ_AT_ONCE), lambda row: row.id
    ):
        with others_continue("the monthly report for recipient %d failed", row.id):
            _send(service, row, month)
    service.events.publish_queued()


def _send(service: Service, row: RecipientRow, month: Month) -> None:
    """Queue the report for a recipient, only once even with concurrent workers."""
    with service.store.write() as session:
        session.outbox.lock_account(row.account_id)
        letter = _report_email(service, session, row, month)
        if session.recipients.claim_month(row.id, month.code) and letter is not None:
            queue_email(service, session, row.account_id, letter)


def _report_email(service: Service, session: Session, row: RecipientRow, month: Month) -> Letter | None:
    """Return the email for a recipient; None if it would be empty."""
    project = session.projects.by_id(row.account_id, row.project_id)
    if project is None:
        return None
    brand = brand_of(session.links.of("project", project.id))
    say = client_wording(row.language, brand.rating_words)
    blocks = [*_score(session, project, month, say), *_alerts(session, row, month, say)]
    if not blocks:
        return None
    shared = session.shared_projects.by_id(project.id)
    if shared is not None and shared.privacy != Privacy.PRIVATE:
        blocks.append(Action(say(later("Read the whole report")), f"{service.settings.base_url}/p/{shared.public_id}"))
    name = say(later("%(month)s %(year)s"), month=say(MONTHS[month.number - 1]), year=month.year)
    subject = say(later("%(project)s in %(month)s"), project=project_words(project.name, project.title), month=name)
    why = say(later("You get this report each month because %(sender)s added your address."), sender=brand.name or "Findable")
    url = unsubscribe_url(service, EmailSeries(MONTHLY, row.id, project.id))
    return with_brand(session, Letter(row.email, say.code, subject, (Heading(subject), *blocks), why, url), brand)


def _score(session: Session, project: ProjectRow, month: Month, say: Translator) -> list[Block]:
    points = session.scores.history(project.id, POINTS, of_site=True) or session.scores.history(project.id, POINTS, of_site=False)
    last = [point for point in points if point.at < month.end]
    before = [point for point in last if point.at < month.begin]
    if not last:
        return []
    verdict = stored_verdict(
        project.verdict, project.verdict_since, project.verdict_values_json, project.verdict_at, project.not_for_search_json
    )
    said: list[Block] = [Paragraph(" ".join(verdict.sentences(say)))] if verdict is not None and verdict.needs_words else []
    if verdict is not None and verdict.score(last[-1].score) != last[-1].score:
        return [*said, *([] if project.score is None else [Paragraph(say(later("Score: %(score)s of 100."), score=project.score))])]
    score = say.number(last[-1].score)
    if not before or before[-1] is last[-1]:
        return [*said, Paragraph(say(later("Score: %(score)s of 100."), score=score))]
    if before[-1].ruleset != last[-1].ruleset:
        first = new_ruleset(before[-1].ruleset, last[-1].ruleset, say)
        return [*said, Paragraph(say(later("Score: %(score)s of 100."), score=score)), Paragraph(first)]
    change = say.signed(last[-1].score - before[-1].score, 0)
    text = later("Score: %(score)s of 100, %(before)s before (%(change)s).")
    return [*said, Paragraph(say(text, score=score, before=say.number(before[-1].score), change=change))]


def _alerts(session: Session, row: RecipientRow, month: Month, say: Translator) -> list[Block]:
    found = session.alerts.select(ChangeScope(row.account_id, row.project_id), READ_ALERTS)
    closed = [alert for alert in found if alert.closed_at is not None and month.begin <= alert.closed_at < month.end]
    opened = [alert for alert in found if month.begin <= (alert.opened_at or 0) < month.end and alert not in closed]
    blocks: list[Block] = []
    for title, alerts in ((later("New problems"), opened), (later("Solved problems"), closed)):
        blocks += list_blocks(title, alert_entries(alerts, say, with_project=False), say)
    return blocks
