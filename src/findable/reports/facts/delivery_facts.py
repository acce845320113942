"""How the page was delivered and what it loads.

Top-level keys: ``headers``, ``cookies``, ``tls``, ``timings``, ``resources``, ``images``, ``security``.
"""

from collections import Counter
from typing import Any

from findable.artifacts.page.cookies import Cookie, Cookies
from findable.artifacts.page.images import Image, Images
from findable.artifacts.page.resources import Resources
from findable.artifacts.page.security_headers import SecurityHeaders
from findable.artifacts.registry import Gathered
from findable.artifacts.responses.assets import Asset, Assets
from findable.capture.page import Capture
from findable.capture.response import Certificate, Hop, Response

MAX_HEADERS = 100
MAX_HEADER_CHARS = 300
MAX_COOKIES = 50
MAX_HOPS = 20
MAX_IMAGES = 100
MAX_POLICIES = 20
MAX_TEXT_CHARS = 1000
LARGEST = 10


def facts(gathered: Gathered) -> dict[str, Any]:
    """JSON-ready and bounded; what could not be seen is null or empty.

    - ``headers``: ``[{name, value}]`` of the final answer in order (values of cookies hidden), ``headers_count``.
    - ``cookies``: ``[{name, secure, http_only, same_site, domain, path, expired}]``, ``cookies_count``.
    - ``tls``: null on http, else ``{version, verified, verify_error, chain: [certificate]}``.
    - ``timings``: ``{hops: [{url, status, http_version, dns_ms, connect_ms, tls_ms, wait_ms, first_byte_ms, last_byte_ms}],
      first_byte_samples_ms}``.
    - ``resources``: ``{by_type: [{type, count, third_party_count, known_bytes, known_count}], largest: [{url, type, bytes}], count,
      html_bytes, html_raw_bytes}``; what a first visit asks for, as far as markup tells.
    - ``images``: ``[{url, kind, alt, format, bytes, width_px, height_px, loading, status}]``, ``images_count``.
    - ``security``: ``{policies: [{text, enforced, in_meta}], hsts, x_frame_options, nosniff, referrer_policy}``, null where the
      answer is no page.
    """
    capture = gathered.present(Capture)
    if capture is None:
        return {}
    response = capture.response
    cookies = gathered.present(Cookies)
    return {
        **_headers(response),
        "cookies": [_cookie(cookie) for cookie in cookies.items[:MAX_COOKIES]] if cookies else [],
        "cookies_count": len(cookies.items) if cookies else 0,
        "tls": _tls(response),
        "timings": {
            "hops": [_hop(hop) for hop in response.hops[-MAX_HOPS:]],
            "first_byte_samples_ms": [round(sample, 1) for sample in response.wait_samples_ms[:10]],
        },
        "resources": _resources(response, gathered.present(Resources), gathered.present(Assets)),
        **_images(gathered.present(Images), gathered.present(Assets)),
        "security": _security(gathered.present(SecurityHeaders)),
    }


def _headers(response: Response) -> dict[str, Any]:
    lines = response.headers.lines
    return {
        "headers": [{"name": name[:100], "value": _header_value(name, value)} for name, value in lines[:MAX_HEADERS]],
        "headers_count": len(lines),
    }


def _header_value(name: str, value: str) -> str:
    if name.lower() == "set-cookie":
        pair, semicolon, rest = value.partition(";")
        value = f"{pair.partition('=')[0]}=…{semicolon}{rest}"
    return value[:MAX_HEADER_CHARS]


def _cookie(cookie: Cookie) -> dict[str, Any]:
    return {
        "name": cookie.name[:100],
        "secure": cookie.secure,
        "http_only": cookie.http_only,
        "same_site": cookie.same_site[:20],
        "domain": cookie.domain[:255],
        "path": cookie.path[:200],
        "expired": cookie.expired,
    }


def _tls(response: Response) -> dict[str, Any] | None:
    tls = response.tls
    if tls is None:
        return None
    return {
        "version": tls.version,
        "verified": tls.verified,
        "verify_error": tls.verify_error[:MAX_HEADER_CHARS],
        "chain": [_certificate(certificate) for certificate in tls.chain[:10]],
    }


def _certificate(certificate: Certificate) -> dict[str, Any]:
    return {
        "subject": certificate.subject[:MAX_HEADER_CHARS],
        "issuer": certificate.issuer[:MAX_HEADER_CHARS],
        "names": list(certificate.names[:50]),
        "names_count": len(certificate.names),
        "not_before": certificate.not_before,
        "not_after": certificate.not_after,
        "signature_algorithm": certificate.signature_algorithm,
        "public_key_algorithm": certificate.public_key_algorithm,
        "public_key_bits": certificate.public_key_bits,
    }


def _hop(hop: Hop) -> dict[str, Any]:
    timing = hop.timing
    spans = {
        "dns_ms": timing.dns_ms,
        "connect_ms": timing.connect_ms,
        "tls_ms": timing.tls_ms,
        "wait_ms": timing.wait_ms,
        "first_byte_ms": timing.first_byte_ms,
        "last_byte_ms": timing.last_byte_ms,
    }
    return {
        "url": hop.url,
        "status": hop.status,
        "http_version": hop.http_version,
        **{name: round(value, 1) for name, value in spans.items()},
    }


def _resources(response: Response, resources: Resources | None, assets: Assets | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "count": 0,
        "html_bytes": response.wire_bytes,
        "html_raw_bytes": response.size_bytes,
        "by_type": [],
        "largest": [],
    }
    if resources is None or assets is None:
        return found
    requests = resources.requests
    sizes = {url: asset.size_bytes for url in requests if (asset := assets.of(url)) and asset.size_bytes is not None}
    counts = Counter(kind.value for kind in requests.values())
    foreign = Counter(kind.value for url, kind in requests.items() if not resources.same_site(url))
    known = Counter(requests[url].value for url in sizes)
    weights: Counter[str] = Counter()
    for url, size in sizes.items():
        weights[requests[url].value] += size
    largest = sorted(sizes.items(), key=lambda pair: (-pair[1], pair[0]))[:LARGEST]
    return {
        **found,
        "count": len(requests),
        "by_type": [
            {"type": kind, "count": count, "third_party_count": foreign[kind], "known_count": known[kind], "known_bytes": weights[kind]}
            for kind, count in sorted(counts.items())
        ],
        "largest": [{"url": url, "type": requests[url].value, "bytes": size} for url, size in largest],
    }


def _images(images: Images | None, assets: Assets | None) -> dict[str, Any]:
    if images is None:
        return {"images": [], "images_count": 0}
    return {
        "images": [_image(image, assets) for image in images.items[:MAX_IMAGES]],
        "images_count": max(len(images.items), images.imgs_count),
    }


def _image(image: Image, assets: Assets | None) -> dict[str, Any]:
    asset = _answer(image, assets)
    url = image.url or image.candidate_url or image.lazy_url
    return {
        "url": url,
        "kind": image.kind.value,
        "alt": image.alt[:MAX_HEADER_CHARS] if image.alt is not None else None,
        "format": asset.media_type.removeprefix("image/") if asset and asset.loaded and asset.is_image else None,
        "bytes": asset.size_bytes if asset else None,
        "width_px": asset.width_px if asset else None,
        "height_px": asset.height_px if asset else None,
        "loading": image.loading[:20] or None,
        "status": (asset.answer.status or None) if asset else None,
    }


def _answer(image: Image, assets: Assets | None) -> Asset | None:
    """Of its own address first, so that it describes the ``url`` shown."""
    if assets is None:
        return None
    return assets.of(image.url) or assets.of(image.candidate_url)


def _security(security: SecurityHeaders | None) -> dict[str, Any] | None:
    if security is None:
        return None
    hsts = security.hsts
    return {
        "policies": [
            {"text": policy.text[:MAX_TEXT_CHARS], "enforced": policy.enforced, "in_meta": policy.element is not None}
            for policy in security.policies[:MAX_POLICIES]
        ],
        "hsts": {"max_age_s": hsts.max_age_s, "include_subdomains": hsts.include_subdomains, "preload": hsts.preload} if hsts else None,
        "x_frame_options": [value[:100] for value in security.x_frame_options[:5]],
        "nosniff": security.nosniff,
        "referrer_policy": security.referrer_policy or None,
    }
