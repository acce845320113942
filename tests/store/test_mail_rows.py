"""People's choices of emails, feeds and recipients of monthly reports, over both databases."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy.exc import IntegrityError

from findable.errors import FindableError
from findable.store.open_store import open_store
from findable.store.store_protocol import Session, Store

NOW = 1_800_000_000


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    opened = open_store(database_url)
    yield opened
    opened.close()


def a_person(session: Session, email: str = "a@b.example") -> tuple[int, int, int]:
    """Account, person and project."""
    account = session.accounts.by_email(email)
    account_id = account.id if account else session.accounts.add(email, "A", NOW)
    person = session.people.by_email(email)
    assert person is not None
    return account_id, person.id, session.projects.ensure(account_id, "a.example", NOW)


def test_a_person_is_subscribed_once_and_not_to_deleted_projects(store: Store) -> None:
    with store.write() as session:
        account_id, person_id, project_id = a_person(session)
        other_id = session.projects.ensure(account_id, "b.example", NOW)
        for number in (project_id, project_id, other_id):
            session.mails.subscribe(person_id, number, NOW)
        assert session.mails.subscriptions(person_id) == [(project_id, "a.example"), (other_id, "b.example")]
        session.projects.mark_deleted(account_id, other_id, NOW)
        assert session.mails.subscriptions(person_id) == [(project_id, "a.example")]
        session.mails.unsubscribe(person_id, project_id)
        assert session.mails.subscriptions(person_id) == []


def test_the_last_choice_of_a_digest_counts_and_who_has_none_is_read_too(store: Store) -> None:
    with store.write() as session:
        _, person_id, _ = a_person(session)
        _, other_id, _ = a_person(session, "b@b.example")
        assert session.mails.choice(person_id) is None
        session.mails.choose(person_id, "daily", NOW)
        session.mails.choose(person_id, "weekly", NOW + 1)
        assert session.mails.choice(person_id) == ("weekly", NOW + 1)
    with store.read() as session:
        found = session.mails.readers(0, 9)
        assert [(one.id, digest, at) for one, digest, at in found] == [(person_id, "weekly", NOW + 1), (other_id, None, None)]
        assert [one.id for one, _, _ in session.mails.readers(person_id, 9)] == [other_id]


def test_a_feed_is_found_by_the_hash_of_its_token_until_it_is_removed(store: Store) -> None:
    with store.write() as session:
        account_id, person_id, project_id = a_person(session)
        values = {"account_id": account_id, "person_id": person_id, "project_id": project_id, "name": "Ä", "created_at": NOW}
        feed_id = session.feeds.add({**values, "token_hash": b"\x00\xff"})
        session.feeds.change(feed_id, last_used_at=NOW + 5)
    with store.read() as session:
        found = session.feeds.by_hash(b"\x00\xff")
        assert found is not None
        assert (found.id, found.name, found.last_used_at) == (feed_id, "Ä", NOW + 5)
        assert session.feeds.by_hash(b"\x00") is None
        assert session.feeds.of_account(account_id) == [found]
    with store.write() as session:
        session.feeds.remove(feed_id)
        assert session.feeds.by_hash(b"\x00\xff") is None


def test_two_feeds_never_have_one_token(store: Store) -> None:
    with store.write() as session:
        account_id, person_id, _ = a_person(session)
        values = {"account_id": account_id, "person_id": person_id, "name": "x", "created_at": NOW, "token_hash": b"same"}
        session.feeds.add(values)
    with pytest.raises((IntegrityError, FindableError)), store.write() as session:
        session.feeds.add(values)


def test_a_recipient_gets_the_report_of_a_month_once_whoever_sends_it(store: Store) -> None:
    with store.write() as session:
        _, _, project_id = a_person(session)
        session.recipients.add(project_id, "c@d.example", "en", NOW)
        session.recipients.add(project_id, "c@d.example", "de", NOW + 1)
        (row,) = session.recipients.of_project(project_id)
        assert row.language == "de"
        assert session.recipients.due("2026-12", NOW, 0, 9) == []  # added in the month after
        assert session.recipients.due("2026-12", NOW + 1, 0, 9) == [row]

    def claim(_: int) -> bool:
        with store.write() as session:
            return session.recipients.claim_month(row.id, "2026-12")

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(claim, range(4))) == [False, False, False, True]
    with store.write() as session:
        assert session.recipients.due("2026-12", NOW + 1, 0, 9) == []
        assert [one.id for one in session.recipients.due("2027-01", NOW + 1, 0, 9)] == [row.id]


def test_a_recipient_who_unsubscribed_stays_known(store: Store) -> None:
    with store.write() as session:
        _, _, project_id = a_person(session)
        session.recipients.add(project_id, "c@d.example", "en", NOW)
        session.recipients.add(project_id, "e@d.example", "en", NOW)
        first, second = session.recipients.of_project(project_id)
        session.recipients.stop(first.id, NOW + 2)
        session.recipients.stop(first.id, NOW + 9)
        assert session.recipients.remove(project_id, first.id)
        assert session.recipients.remove(project_id, second.id)
        assert not session.recipients.remove(project_id, second.id)
        (left,) = session.recipients.of_project(project_id)
        assert (left.id, left.stopped_at) == (first.id, NOW + 2)
        assert session.recipients.due("2027-01", NOW + 1, 0, 9) == []
