"""Messages of lost workers."""

from findable.jobs import protocol
from findable.service.runtime.service import Service


def forget_dead_messages(service: Service, kind: str) -> None:
    """Delete the engine's messages of lost workers after their jobs were queued again. Does nothing without the engine."""
    if service.store.is_shared:
        with service.store.write() as session:
            session.messages.forget_dead(kind, protocol.LEASE_S)
