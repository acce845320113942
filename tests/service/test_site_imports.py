"""Tables of sites: created, updated, and unchanged the second time; rows with errors change nothing."""

import pytest
from msgspec.structs import replace

from findable.errors import Forbidden, ValidationFailed
from findable.formats.site_tables import MAX_SITES
from findable.monitor.schedule_rules import DAY, MONTH
from findable.service.projects import projects, recipients, report_defaults, schedules
from findable.service.projects.site_imports import MAX_BYTES, RowOutcome, import_sites
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, Caller
from findable.service.values.project_values import DefaultsUpdate, ProjectChanges, ProjectQuery

HEAD = "url;name;client;tags;language;owner;recipients;brand;interval"
GOOD = f"{HEAD}\nhttps://one.example/;One;Acme;shop,DE;de;{{owner}};a@acme.example b@acme.example;;month\ntwo.example;;;;;;;;\n"


def table(caller_email: str) -> str:
    return GOOD.format(owner=caller_email)


@pytest.fixture
def email(service: Service, caller: Caller) -> str:
    with service.store.read() as session:
        return next(one.email for one in session.people.of_account(caller.account_id) if one.id == caller.user_id)


def test_a_table_creates_sites_and_changes_nothing_the_second_time(service: Service, caller: Caller, email: str) -> None:
    planned = import_sites(service, caller, table(email), dry_run=True)
    assert (planned.dry_run, planned.created, projects.find(service, caller, ProjectQuery()).total) == (True, 2, 0)
    made = import_sites(service, caller, table(email).encode())
    assert (made.created, made.updated, made.unchanged, made.failed) == (2, 0, 0, 0)
    one = projects.get(service, caller, "one.example")
    assert (one.title, one.client, one.tags, one.owner, one.language) == ("One", "Acme", ("DE", "shop"), email, "de")
    assert one.is_watched
    assert [found.every for found in schedules.find(service, caller, project="one.example")] == [MONTH, DAY]
    assert {(one.email, one.language) for one in recipients.find(service, caller, "one.example")} == {
        ("a@acme.example", "de"),
        ("b@acme.example", "de"),
    }
    assert not projects.get(service, caller, "two.example").is_watched
    again = import_sites(service, caller, table(email))
    assert (again.created, again.updated, again.unchanged, again.failed) == (0, 0, 2, 0)


def test_empty_cells_keep_values_and_hyphens_remove_them(service: Service, caller: Caller, email: str) -> None:
    import_sites(service, caller, table(email))
    kept = import_sites(service, caller, "url,name,client\none.example,,\n")
    assert [row.outcome for row in kept.rows] == [RowOutcome.UNCHANGED]
    changed = import_sites(service, caller, f"{HEAD}\none.example;-;-;-;-;-;b@acme.example;-;-\n")
    assert sorted(changed.rows[0].fields) == ["client", "interval", "language", "name", "owner", "recipients", "tags"]
    one = projects.get(service, caller, "one.example")
    assert (one.title, one.client, one.tags, one.owner, one.language, one.is_watched) == ("", "", (), "", None, False)
    assert [one.email for one in recipients.find(service, caller, "one.example")] == ["b@acme.example"]


def test_rows_with_errors_change_nothing_and_others_are_applied(service: Service, caller: Caller) -> None:
    rows = (
        "not a host,,,,,",
        "good.example,Good,shop,day,en,",
        "bad.example,Bad,shop,sometimes,en,",
        "worse.example,Worse,shop,day,xx,nobody@elsewhere.example",
        "good.example,Twice,,,,",
        'open.example,"Open,,,,',
        "long.example,,,,,,too,many",
    )
    found = import_sites(service, caller, "\n".join(["url,name,tags,interval,language,owner", *rows]))
    assert (found.created, found.failed) == (1, 6)
    assert {row.line: sorted(row.errors) for row in found.rows if row.errors} == {
        2: ["url"],
        4: ["interval"],
        5: ["language", "owner"],
        6: ["url"],
        7: ["csv"],
        8: ["csv"],
    }
    listed = projects.find(service, caller, ProjectQuery()).items
    assert [(one.name, one.title) for one in listed] == [("good.example", "Good")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "required"),
        ("url,name\n", "no row"),
        ("url,recipient mails\na.example,\n", "Line 1: there is no column “recipient mails”"),
        ("url,site\na.example,\n", "occurs twice"),
        ("name,tags\na,\n", "column url is missing"),
        ("url\n" + "a.example\n" * (MAX_SITES + 1), "Line 2002"),
        ("x" * (MAX_BYTES + 1), "larger than 1 MB"),
        ("ä" * (MAX_BYTES // 2 + 1), "larger than 1 MB"),
    ],
)
def test_a_table_that_cannot_be_read_is_rejected_as_a_whole(service: Service, caller: Caller, text: str, words: str) -> None:
    with pytest.raises(ValidationFailed) as raised:
        import_sites(service, caller, text)
    assert words in raised.value.errors["csv"][0]


def test_the_interval_of_a_watched_site_is_changed_not_doubled(service: Service, caller: Caller) -> None:
    for every in ("week", "day", "DAY"):
        import_sites(service, caller, f"url,interval\none.example,{every}\n")
    assert [found.every for found in schedules.find(service, caller, project="one.example")] == [DAY, DAY]


def test_a_brand_is_that_of_another_project_or_the_account(service: Service, caller: Caller) -> None:
    import_sites(service, caller, "url\nfirst.example\n")
    projects.update(service, caller, "first.example", ProjectChanges(brand_name="Acme SEO", brand_color="#1a5442"))
    report_defaults.update(service, caller, DefaultsUpdate(brand_name="Agency"))
    found = import_sites(service, caller, "url,brand\none.example,ACME SEO\ntwo.example,Agency\nthree.example,None such\n")
    assert [row.outcome for row in found.rows] == [RowOutcome.CREATED, RowOutcome.CREATED, RowOutcome.FAILED]
    one, two = (projects.get(service, caller, name) for name in ("one.example", "two.example"))
    assert (one.brand_name, one.brand_color, two.brand_name) == ("Acme SEO", "#1a5442", "")


def test_only_owners_import_sites(service: Service, caller: Caller) -> None:
    with pytest.raises(Forbidden):
        import_sites(service, replace(caller, role=MEMBER), "url\na.example\n")
