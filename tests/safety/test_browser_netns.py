"""Every way out of the browser, in a network with public addresses and private ones that count who connects: S1 to S3, S5, S6, S8, S9, S11, S13,
S14, S18 to S20.

What is tried stands in `browser_internet.py` and `browser_attack_pages.py`. Each is tried twice: where the kernel gives the browser a
network of its own, and where only its proxy and its switches hold it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from tests.browser import EXECUTABLE
from tests.external import missing
from tests.safety.browser_internet import MOVES, TARGETS
from tests.safety.internet import ADDRESSES, OF_THIS_MACHINE, OTHER, PUBLIC, PUBLIC_V6, SPELLINGS
from tests.safety.test_egress_netns import MISSING, ROOT

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(bool(MISSING), reason=f"missing: {', '.join(MISSING)} (apt-get install util-linux iproute2)"),
    pytest.mark.skipif(os.getuid() != 0, reason="needs root, for a network namespace with public addresses"),
]
MODES = ("own", "shared")


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    if EXECUTABLE is None:
        missing("chromium-headless-shell")
    folder = tmp_path_factory.mktemp("internet")
    (folder / "hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")
    (folder / "resolv.conf").write_text("nameserver 127.0.0.1\n")
    setup = [f"mount --bind {folder / name} /etc/{name}" for name in ("hosts", "resolv.conf")]
    setup += ["ip link set lo up", *(f"ip addr add {address} dev lo" for address in ADDRESSES)]
    command = " && ".join([*setup, f"exec {sys.executable} -m tests.safety.browser_internet"])
    proxies = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://10.0.0.1:8080")
    environment = {**os.environ, **proxies, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
    done = subprocess.run(
        ["unshare", "-n", "-m", "sh", "-c", command], capture_output=True, text=True, timeout=500, check=False, env=environment, cwd=ROOT
    )
    if done.returncode and "unshare failed: Operation not permitted" in done.stderr:
        pytest.skip("needs the privilege to make a network namespace (CAP_SYS_ADMIN)")
    assert done.returncode == 0, done.stderr
    found: Mapping[str, Any] = json.loads(done.stdout)
    assert found["traps_are_set"], "a private address does not count who connects: zero would say nothing"
    assert found["udp_is_counted"], "a private address does not count packets: zero would say nothing"
    assert [found[mode]["own_network"] for mode in MODES] == [True, False]
    return found


@pytest.mark.parametrize("mode", MODES)
def test_s20_no_way_out_of_the_browser_leads_to_a_private_listener(seen: Mapping[str, Any], mode: str) -> None:
    assert seen[mode]["sprung"] == []
    assert seen[mode]["udp"] == {}
    assert seen[mode]["own_service"] == 0  # S19: our own public address
    assert seen[mode]["leaked"] == []  # S13: no file


@pytest.mark.parametrize("mode", MODES)
def test_s20_no_packet_of_the_browser_goes_anywhere_but_to_its_proxy(seen: Mapping[str, Any], mode: str) -> None:
    """Seen on the wire: connections to public hosts are the proxy's; no UDP but to the name server; no port of loopback below 32768."""
    assert seen[mode]["sniffed_udp"] == {}
    public = {PUBLIC, OTHER, PUBLIC_V6, OF_THIS_MACHINE}
    others = [place for place in seen[mode]["sniffed_tcp"] if place.split()[0] not in public]
    assert [place for place in others if not place.startswith("127.0.0.1 ") or int(place.split()[1]) < 32768] == []


def test_s20_names_are_resolved_by_us_alone(seen: Mapping[str, Any]) -> None:
    """Neither a prefetched name nor one that an ICE candidate or a Google service of the browser has is asked of any name server."""
    assert set(seen["asked_names"]) <= {
        *("public.example", "six.example", "inside.example", "mixed.example", "flapping.example", "rebind.example", "rebind2.example"),
        *("other.example", "me.example"),
    }


@pytest.mark.parametrize("mode", MODES)
def test_s20_the_pages_that_attack_are_shown_all_the_same(seen: Mapping[str, Any], mode: str) -> None:
    titles, failures = seen[mode]["titles"], seen[mode]["failures"]
    assert titles["http://public.example/plain"] == "scripted"
    assert titles["http://six.example/"] == "A page over IPv6"
    assert titles["http://public.example/second"] == "attack"
    for number, target in enumerate(TARGETS):
        assert titles[f"http://public.example/attack-{number}"] == "attack", (target, failures[f"http://public.example/attack-{number}"])


@pytest.mark.parametrize("mode", MODES)
def test_s11_a_redirect_to_a_private_place_is_refused(seen: Mapping[str, Any], mode: str) -> None:
    failures = seen[mode]["failures"]
    for path in (
        "go",
        "go-by-name",
        "hop0",
        "301",
        "307",
        "refresh",
        "refresh-header",
        "js",
        "js-name",
        "js-replace",
        "js-form",
        "js-login",
    ):
        # A name server that is late on a busy machine leads nowhere either.
        allowed = {"refused", "unreachable"} if "name" in path else {"refused"}
        assert failures[f"http://public.example/{path}"] in allowed, path


@pytest.mark.parametrize("mode", MODES)
def test_s13_a_page_that_moves_to_another_scheme_stays_or_is_refused(seen: Mapping[str, Any], mode: str) -> None:
    for name in MOVES:
        url = f"http://public.example/{name}"
        assert seen[mode]["failures"][url] in {"", "refused", "unreachable"}, name
        assert seen[mode]["titles"][url] in {"", "before"}, name
    for path in ("to-file", "to-data", "download"):
        assert seen[mode]["failures"][f"http://public.example/{path}"] in {"refused", "unreachable"}


@pytest.mark.parametrize("mode", MODES)
def test_s6_every_spelling_of_a_private_place_is_refused(seen: Mapping[str, Any], mode: str) -> None:
    failures = seen[mode]["failures"]
    refused = [
        *(f"{base}/" for base in SPELLINGS),
        "file:///etc/passwd",
        "chrome://version",
        "http://denied.example/",
        "http://me.example:8443/",
    ]
    assert {url: failures[url] for url in refused} == dict.fromkeys(refused, "refused")
