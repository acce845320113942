"""Outcomes of links-localhost: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("public hosts", page('<a href="https://other.example/">O</a><img src="//cdn.example/a.png" alt="">'), {}, "passed"),
    ("a developers' site", page('<a href="https://dev.example.com/">D</a>'), {}, "passed"),
    ("another site's staging", page('<a href="https://staging.other.example/">D</a>'), {}, "passed"),
    ("in text only", page("<p>Open http://localhost:8000</p>"), {}, "passed"),
    ("data addresses", page('<img src="data:image/png;base64,AA//127.0.0.1" alt="">'), {}, "passed"),
    ("the page stands there itself", page('<a href="http://localhost/a">A</a>'), {"url": "http://localhost:8000/"}, "inapplicable"),
    ("a manual names the address", page('<a href="http://localhost:8000/">http://localhost:8000/</a>'), {}, "warned"),
    ("a manual opens a program", page('<p>Open the <a href="http://localhost:8081">web interface</a></p>'), {}, "warned"),
    ("a manual with code", page('<pre>run</pre><p>Open <a href="http://localhost:8000/">the start page</a></p>'), {}, "warned"),
    ("a copy of the site in a page with code", page('<pre>a</pre><a href="http://127.0.0.1:4000/log/a">Log</a>'), {}, "failed"),
    ("a program in the menu", page('<nav><a href="http://localhost:8081">Start</a></nav>'), {}, "failed"),
    ("its own staging twin", page('<a href="https://staging.example.com/">A</a>'), {}, "warned"),
    ("localhost", page('<a href="http://localhost:8000/">Shop</a>'), {}, "failed"),
    ("a private network", page('<img src="http://10.0.0.5/a.png" alt="">'), {}, "failed"),
    ("IPv6", page('<a href="http://[::1]/">Shop</a>'), {}, "failed"),
    ("a number for an address", page('<a href="http://0x7f.1/">Shop</a>'), {}, "failed"),
    ("by a base address", page('<img src="//localhost/a.png" alt="">'), {}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("links-localhost", html, **given) == expected, case
