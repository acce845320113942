"""Transport and delivery of the page, if they can be checked.

Previews of another origin and hosts on a private network do not deliver the page to visitors: checking their TLS, compression or timing
would be a false alarm.
"""

from msgspec import Struct

from findable.artifacts.page.private_hosts import is_loopback, is_private
from findable.artifacts.registry import Absent, artifact
from findable.capture.page import PageCapture
from findable.capture.response import Response
from findable.urls import Url, parse


class Transport(Struct, frozen=True):
    """Scheme, TLS and host of a public page.

    Absent for previews and on loopback (a secure context by itself: W3C Secure Contexts 3.1).
    """

    url: Url
    """Final URL."""
    response: Response


class Delivery(Transport, frozen=True):
    """Compression, caching, protocol, timing and server headers as visitors receive them.

    Absent for previews and for hosts on a private network.
    """


@artifact
def make_response(page: PageCapture) -> Response:
    """Return the response of the page."""
    return page.response


@artifact
def make_transport(page: PageCapture) -> Transport | Absent:
    """Return the transport unless the page is a preview or on loopback."""
    url = parse(page.response.final_url)
    if url is None:
        return Absent("the URL could not be read")
    if page.judged_as:
        return Absent("this is a preview of {origin}", params={"origin": page.judged_as})
    if is_loopback(url.host, page.response.final.address):
        return Absent("the page is on this machine ({host})", params={"host": url.host})
    return Transport(url, page.response)


@artifact
def make_delivery(page: PageCapture, transport: Transport) -> Delivery | Absent:
    """Return the delivery if the transport can be checked and the host is public."""
    if is_private(transport.url.host, page.response.final.address):
        return Absent("the host {host} is private: visitors do not get it from there", params={"host": transport.url.host})
    return Delivery(transport.url, transport.response)
