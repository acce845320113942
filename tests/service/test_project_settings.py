"""What an owner decides for a project: how its site is asked, how its reports look; and what its reports have in common."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace
from PIL import Image

from findable.errors import Forbidden, NotFound, PageUnavailable, ValidationFailed
from findable.formats.color_contrast import channels_of
from findable.formats.color_contrast import contrast as color_contrast_of
from findable.service.projects import project_reports, projects
from findable.service.reports import report_jobs, reports
from findable.service.runtime.service import Service
from findable.service.sites import site_identities
from findable.service.values import brand
from findable.service.values.caller import Caller
from findable.service.values.project_values import IdentityChanges, ProjectChanges
from findable.service.values.report_values import NewReport
from findable.wording import wording
from tests.service import samples

SECRET = "s3cret-0815"
WHOLE = IdentityChanges(("anna", SECRET), (("X-Token", SECRET),), (("pass", SECRET),), "Acme/1")


def of_project(service: Service, caller: Caller, name: str = "example.com") -> str:
    """A project with a report; its name."""
    samples.made(service, caller, f"https://{name}/")
    return name


def sealed(service: Service, caller: Caller, name: str) -> tuple[int, bytes]:
    """(number of the project, what is kept)."""
    with service.store.read() as session:
        row = session.projects.by_name(caller.account_id, name)
    assert row is not None
    assert row.identity is not None
    return row.id, row.identity


def picture(kind: str, size: tuple[int, int] = (900, 300)) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, "#1a5442").save(file, kind)
    return file.getvalue()


# --- what is sent along to the site ---------------------------------------------------------------------------------------


def test_s16_what_is_kept_is_encrypted_and_means_nothing_in_another_project(service: Service, caller: Caller) -> None:
    name, other = of_project(service, caller), of_project(service, caller, "other.example")
    projects.update(service, caller, name, ProjectChanges(identity=WHOLE))
    projects.update(service, caller, other, ProjectChanges(identity=WHOLE))
    (number, kept), (other_number, others) = sealed(service, caller, name), sealed(service, caller, other)
    assert SECRET.encode() not in kept
    assert b"anna" not in kept
    assert kept != others
    assert site_identities.open_identity(service, number, kept, "https://example.com/a").user_password == ("anna", SECRET)
    for wrong in (others, kept[:-1], kept[:-1] + bytes([kept[-1] ^ 1]), b"\x02" + kept[1:], b"\x01", b""):
        with pytest.raises(PageUnavailable) as caught:
            site_identities.open_identity(service, number, wrong, "https://example.com/")
        assert caught.value.code == "identity_unreadable"
        assert SECRET not in str(caught.value)
    with pytest.raises(PageUnavailable):
        site_identities.open_identity(service, other_number, kept, "https://other.example/")


def test_s16_it_is_for_the_origin_of_the_reports_own_address(service: Service, caller: Caller) -> None:
    name = of_project(service, caller)
    projects.update(service, caller, name, ProjectChanges(identity=WHOLE))
    number, kept = sealed(service, caller, name)
    for url in ("https://example.com/a", "http://www.example.com:8080/b"):
        given_to = site_identities.open_identity(service, number, kept, url)
        assert given_to.origin == url.rpartition("/")[0]
        assert not given_to.lines_for("https://www.example.com/")
        assert len(given_to.lines_for(url)) == 3


def test_a_worker_gets_it_encrypted_with_the_job(service: Service, caller: Caller) -> None:
    name = of_project(service, caller)
    projects.update(service, caller, name, ProjectChanges(identity=WHOLE))
    reports.create(service, caller, NewReport("https://example.com/2"))
    job = report_jobs.claim(service, "tests")
    assert job is not None
    assert (job.project_id, job.identity) == sealed(service, caller, name)
    assert "identity" not in repr(job)


WRONG = [
    ({"headers": (("Host", "evil.example"),)}, "headers", "Host is set by each request"),
    ({"headers": (("content-LENGTH", "1"),)}, "headers", "content-LENGTH is set by each request"),
    ({"headers": (("Connection", "close"),)}, "headers", "Connection"),
    ({"headers": (("Transfer-Encoding", "chunked"),)}, "headers", "Transfer-Encoding"),
    ({"headers": (("X-A", f"{SECRET}\r\nX-B: 2"),)}, "headers", "X-A contains a line break"),
    ({"headers": (("X-A\nX-B", SECRET),)}, "headers", "A header needs a name"),
    ({"headers": (("X A", SECRET),)}, "headers", "A header needs a name"),
    ({"headers": (("", SECRET),)}, "headers", "A header needs a name"),
    ({"headers": (("X-A", ""),)}, "headers", "X-A must be 1 to"),
    ({"headers": (("X-A", f"{SECRET}\0"),)}, "headers", "X-A must be 1 to"),
    ({"headers": (("X-A", f"{SECRET}ä"),)}, "headers", "of ASCII"),
    ({"headers": (("X-A", "1"), ("x-a", "2"))}, "headers", "x-a occurs twice"),
    ({"headers": (("Cookie", "a=1"),)}, "headers", "as cookies"),
    ({"headers": (("User-Agent", "x"),)}, "headers", "its own field"),
    ({"headers": (("Authorization", "x"),), "basic": ("a", "b")}, "headers", "together with a user"),
    ({"headers": tuple((f"X-{number}", "1") for number in range(21))}, "headers", "At most 20"),
    ({"cookies": (("a", "1; b=2"),)}, "cookies", "semicolon"),
    ({"cookies": (("a", f"{SECRET}\n"),)}, "cookies", "line break"),
    ({"cookies": (("a=b", SECRET),)}, "cookies", "A cookie needs a name"),
    ({"basic": ("", SECRET)}, "user", "missing"),
    ({"basic": ("a:b", SECRET)}, "user", "colon"),
    ({"basic": ("a", f"{SECRET}\n")}, "password", "control characters"),
    ({"basic": ("a", "p" * 1025)}, "password", "At most 1024"),
    ({"user_agent": "A\r\nHost: x"}, "user_agent", "line break"),
    ({"user_agent": "A" * 301}, "user_agent", "at most 300"),
]


@pytest.mark.parametrize(("sent", "field", "words"), WRONG)
def test_s80_what_cannot_be_sent_is_refused_by_the_name_of_its_field(sent: dict[str, object], field: str, words: str) -> None:
    found = site_identities.problems(site_identities.DecryptedIdentity(**sent))  # type: ignore[arg-type]  # fields by name
    assert list(found) == [f"identity.{field}"]
    assert words in " ".join(found[f"identity.{field}"])
    assert SECRET not in str(found)


def test_a_refusal_is_said_in_the_readers_language_with_its_values(service: Service, caller: Caller) -> None:
    name = of_project(service, caller)
    with pytest.raises(ValidationFailed) as caught:
        projects.update(service, caller, name, ProjectChanges(identity=IdentityChanges(headers=(("Host", "x"),))))
    (sentence,) = caught.value.errors["identity.headers"]
    assert wording("de").text(sentence)  # known or not, it is a whole sentence
    assert json.loads(json.dumps(sentence)) == "The header Host is set by each request itself."
    with service.store.read() as session:
        row = session.projects.by_name(caller.account_id, name)
    assert row is not None
    assert row.identity is None


def test_members_and_strangers_change_nothing(service: Service, caller: Caller) -> None:
    name = of_project(service, caller)
    with pytest.raises(Forbidden):
        projects.update(service, replace(caller, role="member"), name, ProjectChanges(identity=WHOLE))
    stranger = samples.owner(service, "stranger@example.com")
    for work in (
        lambda: projects.update(service, stranger, name, ProjectChanges(identity=WHOLE)),
        lambda: project_reports.get(service, stranger, name),
        lambda: projects.logo(service, stranger, name),
    ):
        with pytest.raises(NotFound):
            work()
    assert projects.get(service, caller, name).identity is None


# --- how reports look -----------------------------------------------------------------------------------------------------


def test_name_colour_language_and_logo_are_set_and_taken_away(service: Service, caller: Caller) -> None:
    name = of_project(service, caller)
    changed = projects.update(
        service, caller, name, ProjectChanges(brand_name=" Acme ", brand_color="1A5442", brand_logo=picture("WEBP"), language="de")
    )
    assert (changed.brand_name, changed.brand_color, changed.has_logo, changed.language) == ("Acme", "#1a5442", True, "de")
    assert changed == projects.get(service, caller, name)
    logo = Image.open(io.BytesIO(projects.logo(service, caller, name)))
    assert (logo.format, logo.size) == ("PNG", (480, 160))
    kept = projects.update(service, caller, name, ProjectChanges(brand_name="Other"))
    assert (kept.brand_name, kept.has_logo) == ("Other", True)
    empty = projects.update(service, caller, name, ProjectChanges(brand_name="", brand_color="", brand_logo=b"", language=""))
    assert (empty.brand_name, empty.brand_color, empty.has_logo, empty.language) == ("", "", False, None)
    with pytest.raises(NotFound):
        projects.logo(service, caller, name)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        (ProjectChanges(brand_name="x" * 81), "brand_name"),
        (ProjectChanges(brand_name="a\u202eb"), "brand_name"),
        (ProjectChanges(brand_color="red"), "brand_color"),
        (ProjectChanges(brand_color="#1a5442; background: url(x)"), "brand_color"),
        (ProjectChanges(language="xx"), "language"),
        (ProjectChanges(brand_logo=b"<svg xmlns='http://www.w3.org/2000/svg'/>"), "brand_logo"),
        (ProjectChanges(brand_logo=b"x" * 1_000_001), "brand_logo"),
        (ProjectChanges(brand_logo=b"\x89PNG\r\n\x1a\n"), "brand_logo"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_changed(service: Service, caller: Caller, changes: ProjectChanges, field: str) -> None:
    name = of_project(service, caller)
    with pytest.raises(ValidationFailed) as caught:
        projects.update(service, caller, name, replace(changes, not_for_search=["/x"]))
    assert list(caught.value.errors) == [field]
    assert projects.get(service, caller, name).not_for_search == ()


def contrast(first: str, second: str) -> float:
    return color_contrast_of(channels_of(first), channels_of(second))


@given(color=st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}"))
def test_every_colour_is_seen_on_both_papers(color: str) -> None:
    found = brand.accents(color)
    assert contrast(found.on_white, "#ffffff") >= brand.MIN_CONTRAST
    assert contrast(found.on_dark, "#151716") >= brand.MIN_CONTRAST
    if contrast(color, "#ffffff") >= brand.MIN_CONTRAST:
        assert found.on_white == color


def test_a_colour_is_written_in_every_usual_way() -> None:
    assert [brand.parse_color(text) for text in ("#1A5442", "1a5442", "#abc", "ABC")] == ["#1a5442", "#1a5442", "#aabbcc", "#aabbcc"]
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


def test_a_part_that_is_not_sent_is_unset() -> None:
    assert all(getattr(IdentityChanges(), part) is UNSET for part in ("basic", "headers", "cookies", "user_agent"))
    assert SECRET not in repr(WHOLE)
