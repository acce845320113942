"""Passwords, sessions, members and invitations, and what roles may; on every database."""

import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from argon2 import PasswordHasher

from findable.clock import now
from findable.errors import Forbidden, NotFound, RateLimited, Unauthenticated, ValidationFailed
from findable.service import housekeeping
from findable.service.accounts import account_admin, api_keys, callers, invitations, own_account, people, sessions, sign_in_links
from findable.service.accounts.sessions import SignInClient
from findable.service.projects import projects
from findable.service.reports import acceptances
from findable.service.runtime import attempt_limits
from findable.service.runtime.passwords import UNKNOWN_PERSON_HASH, Passwords, problem_of
from findable.service.runtime.service import Service
from findable.service.values.account_values import Session
from findable.service.values.caller import SCOPES, Caller
from findable.service.values.project_values import ProjectChanges, ProjectQuery
from findable.service.values.report_values import NewAcceptance
from findable.store import store_protocol
from tests.service import samples

PASSWORD = "correct horse battery"
HERE = SignInClient("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "198.51.100.7")
THERE = SignInClient("curl/8", "203.0.113.9")


def by_link(service: Service, email: str) -> Session:
    """Somebody with a one-time link."""
    signed_in = sign_in_links.redeem(service, sign_in_links.create(service, email).url.rpartition("/")[2], HERE)
    assert signed_in is not None
    return signed_in


def person(service: Service, email: str = "ann@example.com") -> Session:
    """A new account and its owner, with PASSWORD."""
    account_admin.create_account(service, email, "Ann")
    first = by_link(service, email)
    return own_account.welcome(service, first.caller, first.token, HERE, name="Ann", email=email, password=PASSWORD)


def member(service: Service, owner: Session, email: str = "bob@example.com", role: str = "member") -> Session:
    """Somebody who took an invitation."""
    made = invitations.invite(service, owner.caller, role=role, email="")
    joined = invitations.join(service, made.url.rpartition("/")[2], THERE, name="Bob", email=email, password=PASSWORD)
    assert joined is not None
    return joined


def is_in(service: Service, session: Session) -> bool:
    return callers.authenticate_session(service, session.token) is not None


def test_s66_signing_in_gives_a_new_session_and_ends_the_one_the_browser_had(service: Service) -> None:
    first = person(service)
    again = sessions.sign_in(service, " ANN@example.com ", PASSWORD, THERE, first.token)
    assert again is not None
    assert again.token != first.token
    assert not is_in(service, first)
    assert callers.authenticate_session(service, again.token) == again.caller
    sessions.sign_out(service, again.token)
    assert not is_in(service, again)


@pytest.mark.parametrize(
    ("email", "password"),
    [("ann@example.com", PASSWORD + "x"), ("ann@example.com", ""), ("nobody@example.com", PASSWORD), ("", ""), ("\udcff", "\udcff" * 5000)],
)
def test_s65_whoever_is_unknown_or_has_another_password_is_answered_alike(service: Service, email: str, password: str) -> None:
    person(service)
    assert sessions.sign_in(service, email, password, HERE) is None


def test_s65_an_account_without_a_password_is_opened_by_none(service: Service) -> None:
    account_admin.create_account(service, "new@example.com")
    for password in ("", "None", UNKNOWN_PERSON_HASH):
        assert sessions.sign_in(service, "new@example.com", password, HERE) is None


@pytest.mark.usefixtures("served_passwords")
def test_s65_the_time_tells_nobody_who_there_is(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    person(service)
    monkeypatch.setattr(attempt_limits, "FREE_TRIES", 1000)
    monkeypatch.setattr(attempt_limits, "FREE_TRIES_OF_NETWORK", 1000)

    def seconds(email: str) -> float:
        started = time.process_time()
        assert sessions.sign_in(service, email, "another password", HERE) is None
        return time.process_time() - started

    pairs = [(seconds("ann@example.com"), seconds("nobody@example.com")) for _ in range(9)]
    known, unknown = (statistics.median(column) for column in zip(*pairs, strict=True))
    assert 0.5 < known / unknown < 2
    assert not Passwords().is_outdated(UNKNOWN_PERSON_HASH)


def test_s53_ten_wrong_passwords_close_the_door_of_an_address_to_their_network_alone(service: Service) -> None:
    person(service)
    for _ in range(10):
        assert sessions.sign_in(service, "ann@example.com", "wrong", THERE) is None
    with pytest.raises(RateLimited) as caught:
        sessions.sign_in(service, "ann@example.com", PASSWORD, THERE)
    assert caught.value.retry_after_s == pytest.approx(60, abs=3)
    assert sessions.sign_in(service, "ann@example.com", PASSWORD, HERE) is not None
    assert is_in(service, by_link(service, "ann@example.com"))


def test_s53_a_hundred_wrong_passwords_lock_an_email_whatever_the_network(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    person(service)
    monkeypatch.setattr(service.passwords, "is_right", lambda known, password: known is not None and password == PASSWORD)
    for number in range(99):
        assert sessions.sign_in(service, "ann@example.com", "wrong", SignInClient("", f"10.0.{number}.1")) is None
    assert sessions.sign_in(service, "ann@example.com", PASSWORD, HERE) is not None
    assert sessions.sign_in(service, "ann@example.com", "wrong", THERE) is None
    with pytest.raises(RateLimited):
        sessions.sign_in(service, "ann@example.com", PASSWORD, SignInClient("", "192.0.2.9"))
    assert sessions.sign_in(service, "ann@example.com", PASSWORD, HERE) is not None, "from where they have been in they come in"
    assert is_in(service, by_link(service, "ann@example.com"))


def test_s53_wrong_passwords_of_a_network_count_even_after_a_right_one(service: Service) -> None:
    person(service)
    for number in range(39):
        assert sessions.sign_in(service, f"guess{number}@example.com", "wrong", THERE) is None
    assert sessions.sign_in(service, "ann@example.com", PASSWORD, THERE) is not None
    assert sessions.sign_in(service, "guess@example.com", "wrong", THERE) is None
    with pytest.raises(RateLimited):
        sessions.sign_in(service, "ann@example.com", PASSWORD, SignInClient("", "203.0.113.200"))
    assert sessions.sign_in(service, "ann@example.com", PASSWORD, HERE) is not None


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("198.51.100.7", "198.51.100.0/24"),
        ("::ffff:198.51.100.7", "198.51.100.0/24"),
        ("2001:db8:1:2ff::1", "2001:db8:1:200::/56"),
        ("", "unknown"),
    ],
)
def test_addresses_are_counted_by_their_network(address: str, network: str) -> None:
    assert attempt_limits.network_of(address) == network


@pytest.mark.usefixtures("served_passwords")
def test_s54_many_tries_at_once_are_counted_one_by_one(service: Service) -> None:
    person(service)

    def attempt(_: int) -> str:
        try:
            return str(sessions.sign_in(service, "ann@example.com", "wrong", HERE))
        except RateLimited:
            return "limited"

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(attempt, range(40)))
    assert answers.count("None") <= 10
    assert set(answers) == {"None", "limited"}


def test_s66_a_new_password_ends_the_other_sessions_and_gives_this_one_a_new_name(service: Service) -> None:
    first = person(service)
    other = sessions.sign_in(service, "ann@example.com", PASSWORD, THERE)
    assert other is not None
    for present, password, field in (("wrong", "another sound one", "present"), (PASSWORD, "short", "password")):
        with pytest.raises(ValidationFailed) as caught:
            own_account.change_password(service, first.caller, first.token, HERE, present=present, password=password)
        assert set(caught.value.errors) == {field}
    changed = own_account.change_password(service, first.caller, first.token, HERE, present=PASSWORD, password="another sound one")
    assert [is_in(service, session) for session in (first, other, changed)] == [False, False, True]
    assert sessions.sign_in(service, "ann@example.com", PASSWORD, HERE) is None
    assert sessions.sign_in(service, "ann@example.com", "another sound one", HERE) is not None


def test_s68_who_comes_by_a_link_needs_no_present_password_for_a_while_and_once(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    first = person(service)
    assert not own_account.needs_no_password(service, first.caller, first.token)
    way_back = by_link(service, "ann@example.com")
    late = by_link(service, "ann@example.com")
    assert own_account.needs_no_password(service, way_back.caller, way_back.token)
    changed = own_account.change_password(service, way_back.caller, way_back.token, HERE, present="", password="another sound one")
    assert not own_account.needs_no_password(service, changed.caller, changed.token)
    assert not is_in(service, late)
    late = by_link(service, "ann@example.com")
    monkeypatch.setattr(store_protocol, "now", lambda: now() + timedelta(minutes=16))
    assert not own_account.needs_no_password(service, late.caller, late.token)
    with pytest.raises(ValidationFailed):
        own_account.change_password(service, late.caller, late.token, HERE, present="", password="yet another one")


@pytest.mark.parametrize("password", ["", "short", "aaaaaaaaaaaa", "1234567890", "Password123", "ann@example.com", "x" * 1025])
def test_s58_weak_and_endless_passwords_are_refused(service: Service, password: str) -> None:
    account_admin.create_account(service, "ann@example.com")
    first = by_link(service, "ann@example.com")
    with pytest.raises(ValidationFailed) as caught:
        own_account.welcome(service, first.caller, first.token, HERE, name="", email="ann@example.com", password=password)
    assert set(caught.value.errors) == {"password"}


def test_s58_short_password_is_refused_with_the_length_that_it_needs() -> None:
    assert "at least 10 characters" in problem_of("x1y2z3w4v")
    assert not problem_of("x1y2z3w4vu")


def test_s58_one_password_typed_on_two_keyboards_is_one(service: Service) -> None:
    first = person(service)
    own_account.change_password(service, first.caller, first.token, HERE, present=PASSWORD, password="Größe über alles")
    assert sessions.sign_in(service, "ann@example.com", "Gro\u0308ße u\u0308ber alles", HERE) is not None


def test_the_first_choices_name_person_and_account(service: Service) -> None:
    account_admin.create_account(service, "owner@localhost")
    person(service, "taken@example.com")
    first = by_link(service, "owner@localhost")
    with pytest.raises(ValidationFailed) as caught:
        own_account.welcome(service, first.caller, first.token, HERE, name="Cy", email="taken@example.com", password=PASSWORD)
    assert set(caught.value.errors) == {"email"}
    chosen = own_account.welcome(service, first.caller, first.token, HERE, name=" Cy \n Berg", email="Cy@Example.com", password=PASSWORD)
    me, account = people.myself(service, chosen.caller), account_admin.info(service, chosen.caller)
    assert (me.name, me.email, account.name, account.email) == ("Cy Berg", "cy@example.com", "Cy Berg", "cy@example.com")
    with pytest.raises(NotFound):
        own_account.welcome(service, chosen.caller, chosen.token, HERE, name="Cy", email="cy@example.com", password=PASSWORD)


def test_profile_and_address_are_changed(service: Service) -> None:
    ann = person(service)
    own_account.change_profile(service, ann.caller, name="Ann B.", language="de", time_zone="Europe/Berlin")
    caller = callers.authenticate_session(service, ann.token)
    assert caller is not None
    assert (caller.language, caller.time_zone) == ("de", "Europe/Berlin")
    with pytest.raises(ValidationFailed) as caught:
        own_account.change_profile(service, caller, name="", language="xx", time_zone="Mars/Base")
    assert set(caught.value.errors) == {"language", "time_zone"}
    for email, password, field in (("new@example.com", "wrong", "password"), ("no address", PASSWORD, "email")):
        with pytest.raises(ValidationFailed) as caught:
            own_account.change_email(service, caller, email=email, password=password)
        assert set(caught.value.errors) == {field}
    own_account.change_email(service, caller, email="New@example.com", password=PASSWORD)
    assert account_admin.info(service, caller).email == "new@example.com"
    assert sessions.sign_in(service, "new@example.com", PASSWORD, HERE) is not None
    assert sessions.sign_in(service, "ann@example.com", PASSWORD, HERE) is None


def test_s53_the_present_password_is_not_guessed_at_a_computer_left_open(service: Service) -> None:
    ann = person(service)
    for _ in range(10):
        with pytest.raises(ValidationFailed):
            own_account.change_email(service, ann.caller, email="evil@example.com", password="wrong")
    with pytest.raises(RateLimited):
        own_account.change_email(service, ann.caller, email="evil@example.com", password=PASSWORD)


def test_s62_sessions_are_listed_with_their_place_and_seen_once_a_minute(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person(service)
    other = sessions.sign_in(service, "ann@example.com", PASSWORD, THERE)
    assert other is not None
    bob = member(service, ann)
    listed = {view.network: view for view in sessions.of_caller(service, ann.caller, ann.token)}
    assert {network: view.is_current for network, view in listed.items()} == {"198.51.100.0/24": True, "203.0.113.0/24": False}
    there = listed["203.0.113.0/24"]
    assert there.user_agent == "curl/8"
    start = there.last_seen_at
    for after_s, noted_s in ((59, 0), (61, 61)):
        monkeypatch.setattr(store_protocol, "now", lambda after_s=after_s: start + timedelta(seconds=after_s))
        assert is_in(service, other)
        assert sessions.of_caller(service, ann.caller, ann.token)[0].last_seen_at == start + timedelta(seconds=noted_s)
    monkeypatch.undo()
    with pytest.raises(NotFound):
        sessions.end(service, bob.caller, there.id)
    sessions.end(service, ann.caller, there.id)
    assert (is_in(service, ann), is_in(service, other)) == (True, False)
    sessions.end_all(service, ann.caller)
    assert not is_in(service, ann)
    assert is_in(service, bob)


def test_an_invitation_is_taken_once_and_in_time(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = person(service)
    made = invitations.invite(service, ann.caller, role="member", email="bob@example.com")
    assert made.url.startswith("http://127.0.0.1:8000/invitation/")
    token = made.url.rpartition("/")[2]
    offered = invitations.invitation(service, token)
    assert offered == made.invitation
    assert (offered.account, offered.invited_by, offered.email) == ("Ann", "Ann", "bob@example.com")
    for field, given in (("password", {"password": "short"}), ("password", {"password": "bob@example.com"})):
        with pytest.raises(ValidationFailed) as caught:
            invitations.join(service, token, THERE, name="Bob", email="", **given)
        assert set(caught.value.errors) == {field}
    joined = invitations.join(service, token, THERE, name="Bob", email="mallory@example.com", password=PASSWORD)
    assert joined is not None
    assert joined.caller.account_id == ann.caller.account_id
    assert [(view.email, view.role) for view in people.list_people(service, joined.caller)] == [
        ("ann@example.com", "owner"),
        ("bob@example.com", "member"),
    ]
    assert invitations.join(service, token, THERE, name="Eve", email="eve@example.com", password=PASSWORD) is None
    late = invitations.invite(service, ann.caller, role="owner", email="").url.rpartition("/")[2]
    monkeypatch.setattr(store_protocol, "now", lambda: now() + timedelta(days=7, minutes=1))
    assert invitations.invitation(service, late) is None
    assert invitations.join(service, late, THERE, name="Eve", email="eve@example.com", password=PASSWORD) is None


def test_s68_two_who_take_one_invitation_at_once_are_one(service: Service) -> None:
    ann = person(service)
    token = invitations.invite(service, ann.caller, role="owner", email="").url.rpartition("/")[2]

    def join(number: int) -> bool:
        return invitations.join(service, token, THERE, name="", email=f"racer{number}@example.com", password=PASSWORD) is not None

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(join, range(4))) == 1
    assert len(people.list_people(service, ann.caller)) == 2


def test_an_invitation_does_not_take_over_somebody_who_is_there(service: Service) -> None:
    ann, other = person(service), person(service, "other@example.com")
    with pytest.raises(ValidationFailed):
        invitations.invite(service, ann.caller, role="member", email="other@example.com")
    token = invitations.invite(service, ann.caller, role="member", email="").url.rpartition("/")[2]
    with pytest.raises(ValidationFailed) as caught:
        invitations.join(service, token, THERE, name="", email="OTHER@example.com", password="another sound one")
    assert set(caught.value.errors) == {"email"}
    assert is_in(service, other)


def test_invitations_are_withdrawn_by_hand_and_with_their_maker(service: Service) -> None:
    ann = person(service)
    cy = member(service, ann, "cy@example.com", "owner")

    def token_of(by: Session) -> str:
        return invitations.invite(service, by.caller, role="owner", email="").url.rpartition("/")[2]

    withdrawn, of_cy = token_of(ann), token_of(cy)
    newest = next(view for view in invitations.invitations(service, ann.caller) if view.invited_by == "Ann")
    invitations.withdraw(service, cy.caller, newest.id)
    with pytest.raises(NotFound):
        invitations.withdraw(service, cy.caller, newest.id)
    assert invitations.invitation(service, withdrawn) is None
    people.change_role(service, ann.caller, cy.caller.user_id, "member")
    assert invitations.invitation(service, of_cy) is None
    people.change_role(service, ann.caller, cy.caller.user_id, "owner")
    again = token_of(cy)
    people.remove(service, ann.caller, cy.caller.user_id)
    assert invitations.invitation(service, again) is None


def test_s66_who_is_removed_is_out_at_once(service: Service) -> None:
    ann = person(service)
    bob = member(service, ann)
    key = api_keys.make(service, bob.caller, "ci", SCOPES, None)
    link = sign_in_links.create(service, "bob@example.com").url.rpartition("/")[2]
    assert callers.authenticate_key(service, key.token).user_id == bob.caller.user_id
    people.remove(service, ann.caller, bob.caller.user_id)
    assert not is_in(service, bob)
    with pytest.raises(Unauthenticated):
        callers.authenticate_key(service, key.token)
    assert sign_in_links.redeem(service, link) is None
    assert sessions.sign_in(service, "bob@example.com", PASSWORD, HERE) is None
    assert member(service, ann).caller.user_id != bob.caller.user_id  # the address may come again, as somebody new


def test_the_last_owner_stays_one(service: Service) -> None:
    ann = person(service)
    bob = member(service, ann)
    with pytest.raises(ValidationFailed):
        people.change_role(service, ann.caller, ann.caller.user_id, "member")
    with pytest.raises(ValidationFailed):
        people.remove(service, ann.caller, ann.caller.user_id)
    people.change_role(service, ann.caller, bob.caller.user_id, "owner")
    people.remove(service, ann.caller, ann.caller.user_id)
    owner = callers.authenticate_session(service, bob.token)
    assert owner is not None
    assert owner.role == "owner"
    assert account_admin.info(service, owner).email == "bob@example.com"
    assert account_admin.create_account(service, "ann@example.com").id != owner.account_id


def test_two_owners_who_demote_each_other_at_once_leave_one(service: Service) -> None:
    ann = person(service)
    cy = member(service, ann, "cy@example.com", "owner")

    def demote(pair: tuple[Session, Session]) -> str:
        try:
            people.change_role(service, pair[0].caller, pair[1].caller.user_id, "member")
        except Forbidden:
            return "refused"
        return "done"

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(demote, [(ann, cy), (cy, ann)])) == ["done", "refused"]
    assert [view.role for view in people.list_people(service, ann.caller)].count("owner") == 1


OWNERS_ONLY: dict[str, Callable[[Service, Caller], object]] = {
    "invite": lambda service, caller: invitations.invite(service, caller, role="owner", email=""),
    "see invitations": invitations.invitations,
    "withdraw": lambda service, caller: invitations.withdraw(service, caller, "0"),
    "make an owner": lambda service, caller: people.change_role(service, caller, caller.user_id, "owner"),
    "remove others": lambda service, caller: people.remove(service, caller, 1),
    "delete the account": lambda service, caller: own_account.delete_account(service, caller, PASSWORD),
    "delete a project": lambda service, caller: projects.delete(service, caller, "example.com"),
    "change a project": lambda service, caller: projects.update(service, caller, "example.com", ProjectChanges(not_for_search=["/x"])),
}
PEOPLE_ONLY: dict[str, Callable[[Service, Caller], object]] = {
    "make a key": lambda service, caller: api_keys.make(service, caller, "", SCOPES, None),
    "see keys": api_keys.visible_keys,
    "revoke a key": lambda service, caller: api_keys.revoke(service, caller, caller.key_prefix),
    "see sessions": lambda service, caller: sessions.of_caller(service, caller, ""),
    "end sessions": sessions.end_all,
    "see people": people.list_people,
    "change the profile": lambda service, caller: own_account.change_profile(service, caller, name="", language="", time_zone=""),
    "change the address": lambda service, caller: own_account.change_email(service, caller, email="e@example.com", password=PASSWORD),
    "change the password": lambda service, caller: own_account.change_password(
        service, caller, "", HERE, present=PASSWORD, password="another sound one"
    ),
    "leave": lambda service, caller: people.remove(service, caller, caller.user_id),
}


@pytest.mark.parametrize("deed", OWNERS_ONLY)
def test_s49_what_owners_do_is_refused_to_members_and_to_their_keys(service: Service, deed: str) -> None:
    ann = person(service)
    samples.made(service, ann.caller)
    bob = member(service, ann)
    key = callers.authenticate_key(service, api_keys.make(service, bob.caller, "", SCOPES, None).token)
    for caller in (bob.caller, key):
        with pytest.raises(Forbidden):
            OWNERS_ONLY[deed](service, caller)
    assert samples.made(service, key, "https://example.com/by-a-member") > 0


@pytest.mark.parametrize("deed", [*PEOPLE_ONLY, *list(OWNERS_ONLY)[:6]])
def test_s63_no_key_of_an_owner_makes_keys_or_lets_somebody_in(service: Service, deed: str) -> None:
    ann = person(service)
    key = callers.authenticate_key(service, api_keys.make(service, ann.caller, "", SCOPES, None).token)
    with pytest.raises(Forbidden):
        (PEOPLE_ONLY | OWNERS_ONLY)[deed](service, key)


def test_s63_the_keys_of_an_owner_who_becomes_a_member_may_less_from_then_on(service: Service) -> None:
    ann = person(service)
    cy = member(service, ann, "cy@example.com", "owner")
    samples.made(service, ann.caller)
    token = api_keys.make(service, cy.caller, "", SCOPES, None).token
    people.change_role(service, ann.caller, cy.caller.user_id, "member")
    with pytest.raises(Forbidden):
        projects.delete(service, callers.authenticate_key(service, token), "example.com")
    people.change_role(service, ann.caller, cy.caller.user_id, "owner")
    assert projects.delete(service, callers.authenticate_key(service, token), "example.com").reports_deleted == 1


def test_members_see_and_revoke_their_own_keys_and_owners_all(service: Service) -> None:
    ann = person(service)
    bob = member(service, ann)
    of_ann, of_bob = (api_keys.make(service, session.caller, name, frozenset({"read"}), None) for session, name in ((ann, "a"), (bob, "b")))
    assert [(held.info.name, held.holder, held.is_own) for held in api_keys.visible_keys(service, ann.caller)] == [
        ("b", "Bob", False),
        ("a", "Ann", True),
    ]
    assert [held.info.name for held in api_keys.visible_keys(service, bob.caller)] == ["b"]
    with pytest.raises(NotFound):
        api_keys.revoke(service, bob.caller, of_ann.info.prefix)
    with pytest.raises(NotFound):
        api_keys.revoke(service, person(service, "other@example.com").caller, of_ann.info.prefix)
    api_keys.revoke(service, ann.caller, of_bob.info.prefix)
    with pytest.raises(Unauthenticated):
        callers.authenticate_key(service, of_bob.token)


def test_who_accepts_a_finding_is_named_not_the_account(service: Service) -> None:
    ann = person(service)
    bob = member(service, ann)
    report_id = samples.made(service, ann.caller)
    acceptances.accept(service, bob.caller, report_id, "image-alt", NewAcceptance("It is decoration."))
    with service.store.read() as session:
        row = session.reports.by_id(report_id)
        assert row is not None
        (kept,) = session.acceptances.of_report(row)
    assert kept.accepted_by == "Bob"
    people.remove(service, ann.caller, bob.caller.user_id)
    with service.store.read() as session:
        (kept,) = session.acceptances.of_report(row)
    assert kept.accepted_by == "Bob"


def test_the_operator_sees_who_there_is(service: Service) -> None:
    ann = person(service)
    member(service, ann)
    account_admin.create_account(service, "new@example.com")
    assert [(account, one.email, one.role, one.password_hash is not None) for account, one in account_admin.all_people(service)] == [
        ("Ann", "ann@example.com", "owner", True),
        ("Ann", "bob@example.com", "member", True),
        ("new", "new@example.com", "owner", False),
    ]


def test_s48_nobody_of_another_account_is_found(service: Service) -> None:
    ann, other = person(service), person(service, "other@example.com")
    bob = member(service, ann)
    with pytest.raises(NotFound):
        people.remove(service, other.caller, bob.caller.user_id)
    with pytest.raises(NotFound):
        people.change_role(service, other.caller, bob.caller.user_id, "owner")
    assert is_in(service, bob)


def test_a_deleted_account_is_gone_at_once_and_its_rows_after_a_while(service: Service) -> None:
    ann, other = person(service), person(service, "other@example.com")
    bob = member(service, ann)
    samples.made(service, ann.caller)
    samples.made(service, other.caller)
    with pytest.raises(ValidationFailed) as caught:
        own_account.delete_account(service, ann.caller, "wrong")
    assert set(caught.value.errors) == {"password"}
    own_account.delete_account(service, ann.caller, PASSWORD)
    assert not any(is_in(service, session) for session in (ann, bob))
    assert sessions.sign_in(service, "ann@example.com", PASSWORD, HERE) is None
    with service.store.read() as session:
        assert session.reports.by_id(1) is None
    while housekeeping.purge_deleted(service):
        pass
    housekeeping.delete_expired(service)
    with service.store.read() as session:
        assert session.accounts.by_id(ann.caller.account_id) is None
    assert person(service).caller.account_id not in (ann.caller.account_id, other.caller.account_id)
    assert projects.find(service, other.caller, ProjectQuery()).total == 1


@pytest.mark.usefixtures("served_passwords")
def test_s61_a_dump_holds_no_password_and_no_invitation(service: Service, tmp_path: object) -> None:
    ann = person(service)
    made = invitations.invite(service, ann.caller, role="owner", email="")
    with service.store.read() as session:
        row = session.people.by_id(ann.caller.user_id)
        invitation = session.invitations.of_account(ann.caller.account_id, 0)[0]
    assert row is not None
    assert row.password_hash is not None
    assert row.password_hash.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    token = made.url.rpartition("/")[2]
    assert token.encode() not in invitation.token_hash
    assert token not in made.invitation.id


@pytest.mark.usefixtures("served_passwords")
def test_s55_a_hash_of_another_day_is_made_anew_at_the_next_sign_in(service: Service) -> None:
    person(service)
    old = PasswordHasher(time_cost=1, memory_cost=8 * 1024, parallelism=1).hash(PASSWORD)
    with service.store.write() as session:
        known = session.people.by_email("ann@example.com")
        assert known is not None
        session.people.change(known.id, password_hash=old)
    assert sessions.sign_in(service, "ann@example.com", "not that one", HERE) is None
    assert sessions.sign_in(service, "ann@example.com", PASSWORD, HERE) is not None
    with service.store.read() as session:
        known = session.people.by_email("ann@example.com")
    assert known is not None
    assert known.password_hash != old
    assert not service.passwords.is_outdated(known.password_hash or "")
    assert sessions.sign_in(service, "ann@example.com", PASSWORD, HERE) is not None
