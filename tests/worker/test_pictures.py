"""A report gets the icon and the card of its page, drawn small, or a report without them."""

import io
import os
from pathlib import Path

import pytest
from PIL import Image

from findable.service.projects import projects
from findable.service.reports import stored_images
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.project_values import ProjectQuery
from findable.service.values.report_values import ReportView
from findable.vocabulary import Status
from tests.sites.server import Site
from tests.worker.test_reports_of_real_sites import made, story

HEAD = '<link rel="icon" href="/icon.png" sizes="96x96"><link rel="icon" href="/icon.svg"><meta property="og:image" content="{card}">'

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#208060"/></svg>'


def page(card: str) -> str:
    head = HEAD.format(card=card)
    return f'<!doctype html><html lang="en"><head><title>A page of a test site</title>{head}</head><body><h1>A page</h1></body></html>'


def png(width_px: int, height_px: int) -> bytes:
    """Noise: it does not compress, so that a large one is longer than what is asked for at first."""
    file = io.BytesIO()
    Image.frombytes("RGB", (width_px, height_px), os.urandom(width_px * height_px * 3)).save(file, "PNG")
    return file.getvalue()


def size_of(service: Service, report: ReportView, kind: stored_images.Kind) -> tuple[int, int] | None:
    data = stored_images.image_of_report(service, report, kind)
    return Image.open(io.BytesIO(data)).size if data else None


def test_s35_icon_and_card_are_drawn_small(tmp_path: Path, site: Site) -> None:
    large = png(600, 300)
    assert 400_000 < len(large) < 1_000_000
    site.page("/icon.png", png(96, 96), content_type="image/png")
    card = site.page("/card.png", large, content_type="image/png")
    url = site.page("/page", page(card))

    async def tell(service: Service, caller: Caller) -> None:
        report = await made(service, caller, url)

        assert report.status is Status.DONE
        assert size_of(service, report, "icon") == (64, 64)
        assert size_of(service, report, "card") == (600, 300)
        assert stored_images.stored_kinds(service, report) == {"icon", "card"}
        again = await made(service, caller, url)
        assert size_of(service, again, "icon") == (64, 64)

    story(tmp_path, (site,), tell)


def test_an_icon_that_is_drawn_wins_over_one_that_is_not(tmp_path: Path, site: Site) -> None:
    site.page("/icon.png", b"\x89PNG\r\n\x1a\n", content_type="image/png")
    site.page("/icon.svg", SVG, content_type="image/svg+xml")
    url = site.page("/page", page(""))

    async def tell(service: Service, caller: Caller) -> None:
        assert size_of(service, await made(service, caller, url), "icon") == (64, 64)
        assert projects.find(service, caller, ProjectQuery()).items[0].icon

    story(tmp_path, (site,), tell)


def test_s29_bombs_drawings_and_dead_addresses_leave_a_report_without_pictures(tmp_path: Path, site: Site) -> None:
    bomb = b"\x89PNG\r\n\x1a\n" + (b"\0\0\0\rIHDR" + (30_000).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0") + b"\0\0\0\0"
    site.page("/icon.png", bomb, content_type="image/png")
    card = site.page("/card.svg", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", content_type="image/svg+xml")
    url = site.page("/page", page(card))
    dead = site.page("/dead", page(site.url("/nothing.png")))

    async def tell(service: Service, caller: Caller) -> None:
        for address in (url, dead):
            report = await made(service, caller, address)
            assert report.status is Status.DONE
            assert stored_images.stored_kinds(service, report) == frozenset()

    story(tmp_path, (site,), tell)


def test_whatever_goes_wrong_with_pictures_the_report_is_made(tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.page("/icon.png", png(96, 96), content_type="image/png")
    url = site.page("/page", page(""))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))

    async def tell(service: Service, caller: Caller) -> None:
        report = await made(service, caller, url)
        assert report.status is Status.DONE
        assert stored_images.stored_kinds(service, report) == frozenset()

    story(tmp_path, (site,), tell)
