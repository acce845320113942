"""Who looks at a page."""

from ipaddress import ip_address, ip_network
from typing import Any

from findable.service import callers
from findable.service.app import Service
from findable.service.values import Caller
from findable.web.auth import cookies, session_cookie_name
from findable.web.context import header_map
from findable.web.pages.rendering import PageRequest


def signed_in(service: Service, headers: Any) -> Caller | None:
    """The owner of the session cookie, None for a guest (blocking)."""
    token = cookies(headers).get(session_cookie_name(service.settings.base_url), "")
    return callers.authenticate_session(service, token) if token else None


def address_of(request: PageRequest, service: Service) -> str:
    """The IP address of whoever asks. ``X-Forwarded-For`` counts only from trusted proxies, from its right end."""
    client = request.scope["client"]
    address = str(client[0]) if client else ""
    trusted = [ip_network(entry) for entry in service.settings.trusted_proxies]
    forwarded = header_map(request.scope["headers"]).get("x-forwarded-for", "")
    for hop in reversed([hop.strip() for hop in forwarded.split(",") if hop.strip()]):
        if not _is_in(address, trusted):
            break
        address = hop
    return address if _is_address(address) else (str(client[0]) if client else "")


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_in(text: str, networks: list[Any]) -> bool:
    return _is_address(text) and any(ip_address(text) in network for network in networks)
