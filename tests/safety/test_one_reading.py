"""One string, one host: in the validator, the fetcher (`tests/fuzz/test_addresses.py`) and the browser of whoever follows a link: S6, S7."""

import random
from typing import Any

from findable import urls
from findable.fetch.egress_guard import Guard
from tests.browser import Open, needs_chromium
from tests.safety.test_egress_guard import LOOPBACK_STRINGS

STRINGS = (
    *LOOPBACK_STRINGS,
    "http://example.com\\@127.0.0.1/",
    "http://010.0.0.1/",
    "http://127.0.\r0.1/",
    "http://exa\tmple.com/",
    "http://exa\nmple.com/",
    "http://exa mple.com/",
    "http://exa\0mple.com/",
    "http://example.com:08/",
    "http://example.com:+80/",
    "http://example.com:65536/",
    "http://example.com:/",
    "http://u:p@example.com/",
    "http://u:p@example.com:80@127.0.0.1/",
    "http://example.com#@127.0.0.1/",
    "http://example.com?@127.0.0.1/",
    "http://example.com;@127.0.0.1/",
    "http://example.com%2f@127.0.0.1/",
    "http://example.com%00.127.0.0.1/",
    "http://127.0.0.1%2eexample.com/",
    "http://[::1%25lo]/",
    "http://[::]/",
    "http://[::127.0.0.1]/",
    "http://[0:0:0:0:0:ffff:7f00:1]/",
    "http://0/",
    "http://0x/",
    "http://0x7f.0.0x1/",
    "http://127.0.0.01/",
    "http://127.0.0.08/",
    "http://127.0.0.256/",
    "http://256.0.0.1/",
    "http://4294967295/",
    "http://4294967296/",
    "http://1.2.3.4.5/",
    "http://127.0.0.1./",
    "http://127.0.0.1../",
    "http://ⓔxample.com/",
    "http://example。com/",
    "http://ex\u00adample.com/",
    "http://ex\u200bample.com/",
    "http://faß.de/",
    "http://xn--nxasmq6b/",
    "http://xn--/",
    "http://EXAMPLE.COM/",
    "//example.com/",
    "example.com",
    "http://",
    "http:",
    "https:example.com",
    "jar:http://x!/",
    "javascript:alert(1)",
    "view-source:http://x/",
)
READ = """texts => texts.map(text => {
  try { const url = new URL(text); return [url.protocol, url.hostname, url.port, url.username, url.password]; } catch { return null; }
})"""
DEFAULT_PORTS = {"http:": 80, "https:": 443}


def ours(text: str) -> list[Any] | None:
    url = urls.parse(text)
    if url is None:
        return None
    host = f"[{url.host}]" if ":" in url.host else url.host
    port = "" if url.port in (0, DEFAULT_PORTS.get(f"{url.scheme}:")) else str(url.port)
    return [f"{url.scheme}:", host, port, url.username, url.password]


@needs_chromium
def test_s6_s7_a_browser_reads_every_spelling_as_we_do(window: Open) -> None:
    shown = window()
    read = dict(zip(STRINGS, shown.evaluate(READ, list(STRINGS)), strict=True))
    differ = {text for text, found in read.items() if found != ours(text)}
    assert differ <= {"http://exa mple.com/"}  # Chromium writes %20 and asks for that name; for us it is no address at all
    assert all(ours(text) is None for text in differ)


PIECES = (
    "http:", "https:", "//", "/", "\\", "@", ":", "80", "8443", "[", "]", "::1", "::ffff:", "127.0.0.1", "0x7f", ".1", "2130706433", "017",
    "example.com", "EXAMPLE", ".", "。", "①", "%31", "%2e", "%00", "%40", "%5c", "?", "#", "\t", "\r", "\n", " ", "u", "p", "é", "ß", "-", "_",
)  # fmt: skip


@needs_chromium
def test_s6_s7_whatever_we_would_fetch_a_browser_reads_as_the_same_host(window: Open) -> None:
    """Five thousand addresses put together by chance: no two readings of one that the guard lets pass."""
    chance = random.Random()
    seed = chance.randrange(2**32)
    chance.seed(seed)
    texts = [
        chance.choice(("http://", "https://", "http:", "//")) + "".join(chance.choices(PIECES, k=chance.randint(1, 9))) for _ in range(5000)
    ]
    shown = window()
    guard = Guard()
    passed = [text for text in texts if guard.check_url(text) is None]
    assert len(passed) > 100
    read = dict(zip(passed, shown.evaluate(READ, passed), strict=True))
    assert {text: (found, ours(text)) for text, found in read.items() if found != ours(text)} == {}, f"seed {seed}"
