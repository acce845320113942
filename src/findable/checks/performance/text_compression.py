"""Text is sent uncompressed.

In plain words: Visitors wait longer, because your server sends texts larger than necessary.

Why it matters: HTML, stylesheets and scripts shrink to a quarter; on a phone network, this is the easiest way to save a second.

How to fix: Turn compression on in the server.

    # nginx
    gzip on;
    gzip_types text/css application/javascript application/json image/svg+xml;

Sources: [RFC 9110, section 8.4](https://www.rfc-editor.org/rfc/rfc9110#section-8.4); [IANA: HTTP content
codings](https://www.iana.org/assignments/http-parameters/) (2026); [Lighthouse: document-latency
insight](https://developer.chrome.com/docs/performance/insights/document-latency): savings below 1,400 bytes (one packet) do not count.

Not judged: Files of other sites; files whose beginning was not fetched; how strong the compression is. Savings are estimated with deflate
over the first bytes.
"""

import zlib
from collections.abc import Iterator

from findable.artifacts.html.document import Document
from findable.artifacts.page.delivery import Delivery
from findable.artifacts.responses.assets import Asset, Assets
from findable.artifacts.responses.resources import ResourceKind, Resources
from findable.capture.response import Response
from findable.checks.engine import Finding, check, failed, passed, url_evidence, warned
from findable.vocabulary import Effort, Importance

CODINGS = frozenset({"br", "gzip", "x-gzip", "zstd", "deflate", "compress", "x-compress", "dcb", "dcz"})
WORTH_BYTES = 1400
SAMPLE_BYTES = 64 * 1024
MAX_FILES = 30
NGINX_ADVICE = """Turn compression on in the server.

    # nginx
    gzip on;
    gzip_types text/css application/javascript application/json image/svg+xml;"""
APACHE_ADVICE = """Turn compression on in the server.

    # Apache, with mod_deflate
    AddOutputFilterByType DEFLATE text/html text/css application/javascript application/json image/svg+xml"""
OTHER_ADVICE = "Turn on compression in the server, or in the proxy or CDN in front of it."


@check("Is text compressed?", Importance.MEDIUM, Effort.SERVER, failed=6, warned=4)
def text_compression(document: Document, delivery: Delivery, resources: Resources, assets: Assets) -> Finding:
    del document  # HTML responses only
    response = delivery.response
    if not is_compressed(response.content_encoding):
        saving = saving_bytes(response.body, response.wire_bytes or response.size_bytes)
        if saving >= WORTH_BYTES:
            return failed(
                "The HTML is sent plain, {size_bytes}; compressed it would be an estimated {saving_bytes} less",
                size_bytes=response.wire_bytes or response.size_bytes,
                saving_bytes=saving,
                evidence=url_evidence(response.final_url, response.status, "no Content-Encoding"),
                advice=compression_advice(response),
            )
    plain = list(_uncompressed_assets(resources, assets))
    if plain:
        return warned(
            "{count|file is|files are} sent plain; an estimated {saving_bytes} could be saved",
            saving_bytes=sum(saving for _, saving in plain),
            evidence=[
                url_evidence(asset.url, asset.response.status, "plain, estimated saving {saving_bytes}", saving_bytes=saving)
                for asset, saving in plain
            ],
            advice=compression_advice(response),
        )
    if not is_compressed(response.content_encoding):
        return passed("The HTML is sent plain and too short to gain from compression, {size_bytes}", size_bytes=response.wire_bytes)
    return passed(
        "The HTML is sent as {coding}, {size_bytes} for {raw_bytes}",
        coding=response.content_encoding,
        size_bytes=response.wire_bytes,
        raw_bytes=response.size_bytes,
    )


def compression_advice(response: Response) -> str:
    """Return the advice for the server that the headers identify."""
    server = (response.headers.first("server") or "").lower()
    if "nginx" in server or "openresty" in server:
        return NGINX_ADVICE
    return APACHE_ADVICE if "apache" in server else OTHER_ADVICE


def is_compressed(coding: str) -> bool:
    """Return whether the content coding compresses."""
    return any(token.strip().lower() in CODINGS for token in coding.split(","))


def saving_bytes(body: bytes, size_bytes: int) -> int:
    """Return the bytes that compression saves, estimated with deflate (level 6) of the first SAMPLE_BYTES, scaled to the whole size."""
    sample = body[:SAMPLE_BYTES]
    if not sample:
        return 0
    return max(0, round(size_bytes * (1 - len(zlib.compress(sample, 6)) / len(sample))))


def _uncompressed_assets(resources: Resources, assets: Assets) -> Iterator[tuple[Asset, int]]:
    urls = resources.own_urls(ResourceKind.STYLESHEET, ResourceKind.SCRIPT)
    for asset in assets.loaded_assets(urls)[:MAX_FILES]:
        coding = asset.response.content_encoding or asset.response.headers.first("content-encoding") or ""
        if is_compressed(coding) or not asset.response.body:
            continue
        saving = saving_bytes(asset.response.body, asset.size_bytes or len(asset.response.body))
        if saving >= WORTH_BYTES:
            yield asset, saving
