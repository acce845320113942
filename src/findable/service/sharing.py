"""Who may see a report: the one authorisation function, used by share page, interface and every export."""

from findable.service.app import Service
from findable.service.values import Shared, Unlocked, Viewer


def view(service: Service, public_id: str, viewer: Viewer) -> Shared:
    """The report behind a share link, if the viewer may see it. A missing, deleted and private report are alike: NOT_FOUND."""
    raise NotImplementedError


def unlock(service: Service, public_id: str, password: str, address: str) -> Unlocked | None:
    """Tries a password for a guest at that IP address; None where it is wrong.

    Raises NotFound where there is no report with a password, RateLimited after ten wrong tries, or while too many are being tried.
    """
    raise NotImplementedError


def cookie_name(service: Service, public_id: str) -> str:
    """``__Host-unlock-<public_id>``, without the prefix where BASE_URL is http."""
    raise NotImplementedError
