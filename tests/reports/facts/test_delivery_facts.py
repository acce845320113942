"""Facts of delivery: complete, bounded, and without secrets."""

import json

from findable.reports.facts.delivery_facts import MAX_HEADERS, MAX_IMAGES
from tests.checks.harness import artifacts, page
from tests.reports import facts_json

SITE = "https://www.example.com"


def test_facts_tell_what_was_delivered() -> None:
    html = page(
        '<img src="/a.png" alt="A" loading="lazy"><img src="/b.png">',
        '<link rel="stylesheet" href="/a.css"><script src="https://cdn.example.net/x.js"></script>',
    )
    found = facts_json(
        artifacts(
            html,
            headers=[["Content-Type", "text/html"], ["Set-Cookie", "id=s3cr3t; Secure"], ["Strict-Transport-Security", "max-age=600"]],
            assets={
                f"{SITE}/b.png": {"picture": ["png", 20, 10], "total_bytes": 4000},
                f"{SITE}/a.css": {"body": "a{}", "total_bytes": 900},
            },
        )
    )

    assert found["headers"][1] == {"name": "Set-Cookie", "value": "id=…; Secure"}
    assert found["cookies"][0]["secure"] is True
    assert found["tls"]["version"] == "TLSv1.3"
    assert found["timings"]["hops"][0]["wait_ms"] == 100.0
    assert found["resources"]["count"] == 3
    assert found["resources"]["largest"][0] == {"url": f"{SITE}/b.png", "type": "image", "bytes": 4000}
    assert [item["type"] for item in found["resources"]["by_type"]] == ["image", "script", "stylesheet"]
    assert found["images"][1]["format"] == "png"
    assert (found["images"][1]["width_px"], found["images"][0]["alt"], found["images"][1]["alt"]) == (20, "A", None)
    assert found["security"]["hsts"] == {"max_age_s": 600, "include_subdomains": False, "preload": False}
    assert "s3cr3t" not in json.dumps(found)


def test_facts_of_an_answer_that_is_no_page() -> None:
    found = facts_json(artifacts("", url="http://www.example.com/", status=503))

    assert (found["tls"], found["security"], found["images"], found["resources"]["count"]) == (None, None, [], 0)


def test_facts_are_bounded() -> None:
    found = facts_json(artifacts(page("<img src=/a.png>" * 500), headers=[["X-A", "x" * 5000]] * 300))

    assert (len(found["headers"]), found["headers_count"]) == (MAX_HEADERS, 300)
    assert (len(found["images"]), found["images_count"]) == (MAX_IMAGES, 500)
    assert len(json.dumps(found)) < 150_000
