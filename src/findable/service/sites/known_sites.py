"""What is known of sites, for all workers: a hundred reports of one site cost one set of site requests, wherever they are made."""

from collections.abc import Sequence
from typing import NamedTuple

from findable.capture.page import SiteCapture
from findable.capture.response import Answer
from findable.capture.saved import dump_answers, dump_site, load_answers, load_site
from findable.clock import now
from findable.errors import SavedPageError
from findable.fetch.site_cache import KEPT_S
from findable.service.runtime.app import Service

MOST_PARTS = 200
"""The capture, and so many reports' worth of link answers."""


class KnownSite(NamedTuple):
    """What other workers left."""

    site: SiteCapture
    links: tuple[Answer, ...]
    age_s: float


def known(service: Service, key: str) -> KnownSite | None:
    """What is known of a site; None where nothing is, or it is too old, or of another version, or damaged."""
    moment = int(now().timestamp())
    try:
        with service.store.read() as session:
            parts = session.sites.of(key, MOST_PARTS)
        if not parts or not 0 <= moment - parts[0][1] < KEPT_S:
            return None
        site = load_site(parts[0][0])
        links = tuple(answer for data, _ in parts[1:] for answer in load_answers(data))
    except (SavedPageError, ValueError):  # a row that was edited is asked anew, like one that is not there
        return None
    return KnownSite(site, links, float(moment - parts[0][1]))


def keep(service: Service, key: str, site: SiteCapture) -> None:
    """A site was asked anew: what was known of it is of no use any more."""
    data = dump_site(site)
    with service.store.write() as session:
        session.sites.forget(key)
        session.sites.add(key, data, int(now().timestamp()))


def add_links(service: Service, key: str, answers: Sequence[Answer]) -> None:
    """More answers of links of that site."""
    data = dump_answers(answers)
    with service.store.write() as session:
        session.sites.add(key, data, int(now().timestamp()))


def forget(service: Service, key: str) -> None:
    """The next report of that site asks anew, whoever makes it."""
    with service.store.write() as session:
        session.sites.forget(key)


def forget_old(service: Service) -> None:
    """What nobody would use any more."""
    with service.store.write() as session:
        session.sites.forget_before(int(now().timestamp() - KEPT_S))
