"""SQL statements for email preferences of people: alerts of projects, and digests."""

from sqlalchemy import and_, delete, select

from findable.store import dialect
from findable.store.rows import PersonRow
from findable.store.schema.account_tables import person
from findable.store.schema.message_tables import mail_choice, subscription
from findable.store.schema.project_tables import project
from findable.store.schema.site_tables import site_watch
from findable.store.statements import Statements, columns


class EmailPreferences(Statements):
    """SQL statements for the email preferences of people, in one transaction."""

    def subscribe(self, person_id: int, project_id: int, now: int) -> None:
        """Subscribe a person to the alerts of a project."""
        row = {"person_id": person_id, "project_id": project_id, "created_at": now}
        dialect.insert_missing(self._connection, subscription, row)

    def unsubscribe(self, person_id: int, project_id: int) -> None:
        """Unsubscribe a person from the alerts of a project."""
        mine = and_(subscription.c.person_id == person_id, subscription.c.project_id == project_id)
        self._connection.execute(delete(subscription).where(mine))

    def subscriptions(self, person_id: int) -> list[tuple[int, str]]:
        """Return (id, name) of the projects whose alerts a person receives."""
        joined = select(project.c.id, project.c.name).join(subscription, subscription.c.project_id == project.c.id)
        found = joined.where(subscription.c.person_id == person_id, project.c.deleted_at.is_(None)).order_by(project.c.name)
        return [(int(number), str(name)) for number, name in self._connection.execute(found)]

    def followed(self, person_id: int) -> list[tuple[str, int, str | None]]:
        """Return name, time of the subscription and facts of the last crawl (JSON) of the projects whose alerts a person receives."""
        joined = project.join(subscription, subscription.c.project_id == project.c.id)
        joined = joined.outerjoin(site_watch, site_watch.c.project_id == project.c.id)
        found = select(project.c.name, subscription.c.created_at, site_watch.c.crawl).select_from(joined)
        rows = self._connection.execute(found.where(subscription.c.person_id == person_id))
        return [(str(name), int(created_at), facts) for name, created_at, facts in rows]

    def choice(self, person_id: int) -> tuple[str, int | None] | None:
        """Return (digest interval, end of the period of the last digest) of a person; None for the defaults."""
        chosen = select(mail_choice.c.digest, mail_choice.c.digest_at).where(mail_choice.c.person_id == person_id)
        row = self._connection.execute(chosen).first()
        return (str(row[0]), row[1]) if row else None

    def choose(self, person_id: int, digest: str, digest_at: int) -> None:
        """Set the digest interval of a person and the end of the period of the last digest."""
        self._upsert(mail_choice, {"person_id": person_id}, {"digest": digest, "digest_at": digest_at})

    def receiver(self, person_id: int) -> PersonRow | None:
        """Return a person without locking the account, for claims of deliveries; None if the person was removed."""
        statement = select(*columns(PersonRow, person)).where(person.c.id == person_id, person.c.disabled_at.is_(None))
        return self._first(PersonRow, statement)

    def readers(self, after: int, limit: int) -> list[tuple[PersonRow, str | None, int | None]]:
        """Return people with larger ids than ``after``, with their digest interval and the end of the period of their last digest."""
        joined = person.outerjoin(mail_choice, mail_choice.c.person_id == person.c.id)
        readers = select(*columns(PersonRow, person), mail_choice.c.digest, mail_choice.c.digest_at).select_from(joined)
        found = self._connection.execute(
            readers.where(person.c.disabled_at.is_(None), person.c.id > after).order_by(person.c.id).limit(limit)
        )
        return [(PersonRow._make(row[:-2]), row[-2], row[-1]) for row in found]
