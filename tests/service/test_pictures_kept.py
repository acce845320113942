"""Pictures in the store: each once, with the runs that show them, and no longer than those."""

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from findable.service import housekeeping
from findable.service.reports import reports, stored_images
from findable.service.reports.stored_images import EncodedImage, ReportImages
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import ReportChanges
from findable.store.schema.report_tables import picture
from tests.service import samples
from tests.service.test_rescoring import UNTITLED, real, under_the_next_ruleset

ICON, CARD, OTHER = EncodedImage(b"icon", 1, 1), EncodedImage(b"card", 2, 1), EncodedImage(b"other", 3, 1)


def kept(service: Service) -> set[bytes]:
    with service.store.read() as session:
        return {bytes(row.data) for row in session.images._connection.execute(select(picture.c.data))}


def test_pictures_are_those_of_the_shown_run(service: Service, caller: Caller) -> None:
    number = samples.made(service, caller, outcome=replace(samples.seen(), images=ReportImages(ICON, CARD)))
    shown = reports.get(service, caller, number)

    assert stored_images.stored_kinds(service, shown) == {"icon", "card"}
    assert stored_images.image_of_report(service, shown, "icon") == b"icon"
    assert stored_images.image_of_report(service, shown, "card") == b"card"
    assert stored_images.image_of_report(service, shown, "logo") is None
    reports.update(service, caller, number, ReportChanges(results=True))
    samples.work(service, replace(samples.seen(), images=ReportImages(card=OTHER)))
    again = reports.get(service, caller, number)
    assert stored_images.stored_kinds(service, again) == {"card"}
    assert stored_images.image_of_report(service, again, "card") == b"other"


def test_a_page_judged_again_keeps_its_pictures(service: Service, caller: Caller) -> None:
    number = samples.made(service, caller, outcome=replace(real(UNTITLED), images=ReportImages(ICON, CARD)))
    under_the_next_ruleset(service, number)
    shown = reports.get(service, caller, number)

    assert shown.run == 2
    assert stored_images.image_of_report(service, shown, "icon") == b"icon"


def test_pictures_go_when_nothing_shows_them(service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    first = samples.made(service, caller, outcome=replace(samples.seen(), images=ReportImages(ICON, CARD)))
    second = samples.made(service, caller, "https://example.com/b", replace(samples.seen(), images=ReportImages(ICON)))
    with service.store.write() as session:
        stored_images.store(session, OTHER)
        stored_images.store(session, OTHER)
    assert kept(service) == {b"icon", b"card", b"other"}
    assert not stored_images.remove_unused(service)
    assert b"other" in kept(service)  # somebody may be about to use it
    monkeypatch.setattr(stored_images, "UNUSED_IMAGE_S", -10)
    stored_images.remove_unused(service)
    assert kept(service) == {b"icon", b"card"}
    reports.delete(service, caller, first)
    while housekeeping.purge_deleted(service):
        pass
    stored_images.remove_unused(service)
    assert kept(service) == {b"icon"}
    assert stored_images.image_of_report(service, reports.get(service, caller, second), "icon") == b"icon"
    with service.store.write() as session:  # the logo of an account stays with it
        session.accounts.change(caller.account_id, brand_logo=stored_images.store(session, OTHER))
    stored_images.remove_unused(service)
    assert kept(service) == {b"icon", b"other"}
