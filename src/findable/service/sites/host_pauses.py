"""Pauses that origins requested, shared by all workers: their hosts are skipped when jobs are claimed."""

import math

from findable.service.runtime.service import Service
from findable.service.sites.url_input import host_key


def record_pause(service: Service, origin: str, seconds: float) -> None:
    """Record that the origin requested a pause from this process."""
    with service.store.write() as session:
        until = session.jobs.clock(session.moment) + math.ceil(seconds)
        session.jobs.set_pause(origin, host_key(f"{origin}/", service.guard), until)
    service.events.publish_pause(origin, seconds)


def current_pauses(service: Service) -> list[tuple[str, float]]:
    """Return origins with the remaining seconds of their pause."""
    with service.store.read() as session:
        moment = session.jobs.clock(session.moment)
        return [(origin, float(until - moment)) for origin, _, until in session.jobs.pauses(moment)]
