"""Facts about the delivery of the page and its resources."""

from collections import Counter

from msgspec import Struct

from findable.artifacts.page.images import Image, Images
from findable.artifacts.page.response_cookies import Cookies
from findable.artifacts.page.security_headers import SecurityHeaders
from findable.artifacts.responses.assets import Asset, Assets
from findable.artifacts.responses.resources import Resources
from findable.capture.response import Certificate, Hop, Response, Tls
from findable.values import cut_texts, shape_of

MAX_HEADERS = 100
MAX_HEADER_CHARS = 300
MAX_COOKIES = 50
SHOWN_HOPS = 20
MAX_IMAGES = 300
MAX_POLICIES = 20
MAX_TEXT_CHARS = 1000
LARGEST = 10


class HeaderFact(Struct, frozen=True):
    """A response header."""

    name: str
    value: str


class CookieFacts(Struct, frozen=True):
    """Cookie that the response sets; its value is not stored."""

    name: str
    secure: bool
    http_only: bool
    same_site: str
    domain: str
    path: str
    expired: bool


class CertificateFacts(Certificate, frozen=True):
    """A certificate of the chain with the first of its names."""

    names_count: int


class TlsFacts(Struct, frozen=True):
    """TLS connection of the page."""

    version: str
    verified: bool
    verify_error: str
    chain: tuple[CertificateFacts, ...]


class HopFacts(Struct, frozen=True):
    """Response in the redirect chain, and its duration."""

    url: str
    status: int
    http_version: str
    dns_ms: float
    connect_ms: float
    tls_ms: float
    wait_ms: float
    first_byte_ms: float
    last_byte_ms: float


class TimingFacts(Struct, frozen=True):
    """Durations of the responses."""

    hops: tuple[HopFacts, ...]
    first_byte_samples_ms: tuple[float, ...]


class ResourceTypeFacts(Struct, frozen=True):
    """The resources of one type."""

    type: str
    count: int
    third_party_count: int
    known_count: int
    known_bytes: int


class ResourceFact(Struct, frozen=True):
    """One of the largest resources."""

    url: str
    type: str
    bytes: int


class ResourceFacts(Struct, frozen=True):
    """Requests of a first visit, as far as the markup shows."""

    count: int
    html_bytes: int
    """Transferred bytes of the HTML."""
    html_raw_bytes: int
    by_type: tuple[ResourceTypeFacts, ...] = ()
    largest: tuple[ResourceFact, ...] = ()


class ImageFacts(Struct, frozen=True):
    """An image of the page."""

    url: str | None
    kind: str
    alt: str | None
    """Alternative text; null if the attribute is missing."""
    format: str | None
    bytes: int | None
    width_px: int | None
    height_px: int | None
    loading: str | None
    status: int | None


class PolicyFacts(Struct, frozen=True):
    """A Content Security Policy."""

    text: str
    enforced: bool
    in_meta: bool


class HstsFacts(Struct, frozen=True):
    """The Strict-Transport-Security header."""

    max_age_s: int | None
    include_subdomains: bool
    preload: bool


class SecurityFacts(Struct, frozen=True):
    """Security headers of the page."""

    policies: tuple[PolicyFacts, ...]
    hsts: HstsFacts | None
    x_frame_options: tuple[str, ...]
    nosniff: bool
    referrer_policy: str | None


def headers(response: Response) -> tuple[HeaderFact, ...]:
    """Return the first MAX_HEADERS headers of the final response, without the values of cookies."""
    return tuple(HeaderFact(name[:100], _header_value(name, value)) for name, value in response.headers.lines[:MAX_HEADERS])


def _header_value(name: str, value: str) -> str:
    if name.lower() == "set-cookie":
        pair, semicolon, rest = value.partition(";")
        value = f"{pair.partition('=')[0]}=…{semicolon}{rest}"
    return value[:MAX_HEADER_CHARS]


def cookies(artifact: Cookies) -> tuple[CookieFacts, ...]:
    """Return the first MAX_COOKIES cookies of the response, without their values."""
    return tuple(
        cut_texts(shape_of(CookieFacts, cookie, expired=cookie.is_expired), MAX_HEADER_CHARS) for cookie in artifact.items[:MAX_COOKIES]
    )


def tls(artifact: Tls) -> TlsFacts:
    """Return the version, verification and certificates of the page's TLS connection."""
    chain = tuple(_certificate(certificate) for certificate in artifact.chain[:10])
    return TlsFacts(artifact.version, artifact.verified, artifact.verify_error[:MAX_HEADER_CHARS], chain)


def _certificate(certificate: Certificate) -> CertificateFacts:
    shown = shape_of(CertificateFacts, certificate, names=certificate.names[:50], names_count=len(certificate.names))
    return cut_texts(shown, MAX_HEADER_CHARS)


def timings(response: Response) -> TimingFacts:
    """Return the durations of the last SHOWN_HOPS responses and of the repeated measurements."""
    hops = tuple(_hop(hop) for hop in response.hops[-SHOWN_HOPS:])
    return TimingFacts(hops, tuple(round(float(sample), 1) for sample in response.wait_samples_ms[:10]))


def _hop(hop: Hop) -> HopFacts:
    timing = hop.timing
    times = {name: round(float(getattr(timing, name)), 1) for name in HopFacts.__struct_fields__ if name.endswith("_ms")}
    return HopFacts(hop.url, hop.status, hop.http_version, **times)


def resources(response: Response, artifact: Resources | None, assets: Assets | None) -> ResourceFacts:
    """Return the number and known sizes of the requests of a first visit, by type."""
    if artifact is None or assets is None:
        return ResourceFacts(0, response.wire_bytes, response.size_bytes)
    requests = artifact.requests
    sizes = {url: asset.size_bytes for url in requests if (asset := assets.for_url(url)) and asset.size_bytes is not None}
    counts = Counter(item.kind.value for item in requests.values())
    foreign = Counter(item.kind.value for item in requests.values() if item.third_party)
    known = Counter(requests[url].kind.value for url in sizes)
    weights: Counter[str] = Counter()
    for url, size in sizes.items():
        weights[requests[url].kind.value] += size
    largest = sorted(sizes.items(), key=lambda pair: (-pair[1], pair[0]))[:LARGEST]
    return ResourceFacts(
        count=len(requests),
        html_bytes=response.wire_bytes,
        html_raw_bytes=response.size_bytes,
        by_type=tuple(ResourceTypeFacts(kind, count, foreign[kind], known[kind], weights[kind]) for kind, count in sorted(counts.items())),
        largest=tuple(ResourceFact(url, requests[url].kind.value, size) for url, size in largest),
    )


def images(artifact: Images, assets: Assets | None) -> tuple[ImageFacts, ...]:
    """Return the first MAX_IMAGES images of the page."""
    return tuple(_image(image, assets) for image in artifact.items[:MAX_IMAGES])


def _image(image: Image, assets: Assets | None) -> ImageFacts:
    asset = _asset(image, assets)
    return ImageFacts(
        url=image.url or image.candidate_url or image.lazy_url,
        kind=image.kind.value,
        alt=image.alt[:MAX_HEADER_CHARS] if image.alt is not None else None,
        format=asset.media_type.removeprefix("image/") if asset and asset.is_loaded and asset.is_image else None,
        bytes=asset.size_bytes if asset else None,
        width_px=asset.width_px if asset else None,
        height_px=asset.height_px if asset else None,
        loading=image.loading[:20] or None,
        status=(asset.response.status or None) if asset else None,
    )


def _asset(image: Image, assets: Assets | None) -> Asset | None:
    """Return the response of the image's own URL first, so that it describes the ``url`` shown."""
    return (assets.for_url(image.url) or assets.for_url(image.candidate_url)) if assets is not None else None


def security(headers: SecurityHeaders) -> SecurityFacts:
    """Return the security headers of the page and the policies in its meta elements."""
    hsts = headers.hsts
    return SecurityFacts(
        policies=tuple(
            PolicyFacts(policy.text[:MAX_TEXT_CHARS], policy.is_enforced, policy.element is not None)
            for policy in headers.policies[:MAX_POLICIES]
        ),
        hsts=HstsFacts(hsts.max_age_s, hsts.include_subdomains, hsts.preload) if hsts else None,
        x_frame_options=tuple(value[:100] for value in headers.x_frame_options[:5]),
        nosniff=headers.nosniff,
        referrer_policy=headers.referrer_policy or None,
    )
