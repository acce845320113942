"""Who looks at a share page, and whether they may see the report."""

from dataclasses import dataclass
from typing import Any

import pytest

from tests.web.live import Client, Live
from tests.web.test_share_page import unlocked

PASSWORD = "pw"
BY_EVERYBODY = pytest.mark.parametrize(
    ("who", "privacy"), [*((who, privacy) for who in ("guest", "another account", "owner") for privacy in (0, 1, 2)), ("unlocked", 2)]
)
"""Before reports that are public (0), private (1) and behind a password (2)."""


@dataclass(frozen=True)
class Look:
    """Somebody before a report."""

    viewer: Client
    report: Any
    path: str
    """Of its share page."""
    may_see: bool
    cache_control: str
    """Of what they are shown: only what everybody may see is kept."""


def look(live: Live, who: str, privacy: int) -> Look:
    """A new report of a new account, and that viewer."""
    email = live.email()
    owner = live.client(email=email)
    report = owner.report("https://bad.example/", privacy=privacy, **({"password": PASSWORD} if privacy == 2 else {}))
    path = f"/r/{report['public_id']}"
    viewer = owner.guest()
    if who == "another account":
        viewer = live.signed_in(live.email())
    elif who == "owner":
        viewer = live.signed_in(email)
    elif who == "unlocked":
        viewer = unlocked(viewer, path, PASSWORD)
    may_see = privacy == 0 or who in ("owner", "unlocked")
    return Look(viewer, report, path, may_see, "no-cache" if privacy == 0 and who != "owner" else "private, no-store")
