"""The guard with its default settings, in a network of its own with public addresses on loopback: S1, S2, S8, S9, S11, S14, S17 to S19, S22.

What is done there stands in `internet.py`; each private address counts who connects, and every test here wants zero.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.safety.internet import ADDRESSES, SPELLINGS

ROOT = Path(__file__).parents[2]
MISSING = [name for name in ("unshare", "ip", "mount") if not shutil.which(name)]
NOT_PUBLIC = "422 This URL is not on the public internet. The operator can allow it with the setting FINDABLE_ALLOW_TARGETS."
OURSELVES = "422 This is the URL of this service itself."

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(bool(MISSING), reason=f"missing: {', '.join(MISSING)} (apt-get install util-linux iproute2)"),
    pytest.mark.skipif(os.getuid() != 0, reason="needs root, for a network namespace with public addresses"),
]


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    folder = tmp_path_factory.mktemp("internet")
    (folder / "hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")
    (folder / "resolv.conf").write_text("nameserver 127.0.0.1\n")
    setup = [f"mount --bind {folder / name} /etc/{name}" for name in ("hosts", "resolv.conf")]
    setup += ["ip link set lo up", *(f"ip addr add {address} dev lo" for address in ADDRESSES)]
    command = " && ".join([*setup, f"exec {sys.executable} -m tests.safety.internet {folder}"])
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
    done = subprocess.run(
        ["unshare", "-n", "-m", "sh", "-c", command], capture_output=True, text=True, timeout=400, check=False, env=environment, cwd=ROOT
    )
    if done.returncode and "unshare failed: Operation not permitted" in done.stderr:
        pytest.skip("needs the privilege to make a network namespace (CAP_SYS_ADMIN)")
    assert done.returncode == 0, done.stderr
    found: Mapping[str, Any] = json.loads(done.stdout)
    assert found["traps_are_set"], "a private address does not count who connects: zero would say nothing"
    return found


def test_s1_public_pages_are_reported_over_ipv4_and_ipv6(seen: Mapping[str, Any]) -> None:
    for url in ("http://public.example/", "http://six.example/", "http://public.example/elsewhere"):
        assert seen["audit"][url] == "done", url
        assert seen["service"][url] == "done", url


def test_s17_nothing_that_a_page_or_its_site_names_is_reached_inside_by_the_command(seen: Mapping[str, Any]) -> None:
    assert seen["audit_sprung"] == []
    assert seen["asked_of_public"] > 15  # robots.txt, sitemaps, icons and links of the page were asked for


def test_s17_nothing_that_a_page_or_its_site_names_is_reached_inside_by_the_service(seen: Mapping[str, Any]) -> None:
    assert seen["service_sprung"] == []


@pytest.mark.parametrize("path", ["301", "302", "303", "307", "308", "hop0", "go-by-name"])
def test_s11_a_redirect_to_a_private_address_is_refused(seen: Mapping[str, Any], path: str) -> None:
    assert seen["audit"][f"http://public.example/{path}"] == "target_refused"
    assert seen["service"][f"http://public.example/{path}"] == "target_refused"


def test_s14_a_redirect_to_another_port_is_refused(seen: Mapping[str, Any]) -> None:
    assert seen["audit"]["http://public.example/refused-port"] == "target_refused"
    assert seen["service"]["http://public.example/refused-port"] == "target_refused"


def test_s8_a_name_that_is_or_may_be_private_is_refused(seen: Mapping[str, Any]) -> None:
    assert seen["names"]["inside"] == "target_refused"
    assert seen["names"]["mixed"] == "target_refused"


def test_s9_a_name_that_rebinds_leads_nowhere_inside(seen: Mapping[str, Any]) -> None:
    """Only its first answer is public. A link is looked at and a redirect followed meanwhile: one of the two may have had that."""
    assert seen["audit"]["http://public.example/rebind"] in {"done", "target_refused"}
    assert seen["service"]["http://public.example/rebind"] == "target_refused"
    assert seen["names"]["rebind"] == "target_refused"
    assert seen["names"]["flapping"] in {"done", "target_refused"}  # by turns public and private: the page is had from outside or not
    assert seen["service_sprung"] == []


@pytest.mark.parametrize("base", [base for base in SPELLINGS if "example" not in base])
def test_s6_every_spelling_of_a_private_place_is_refused_when_it_is_asked_for(seen: Mapping[str, Any], base: str) -> None:
    assert seen["spellings"][base] == NOT_PUBLIC


@pytest.mark.parametrize("url", ["http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/"])
def test_s2_metadata_is_refused_even_where_it_is_typed_on_the_command_line(seen: Mapping[str, Any], url: str) -> None:
    assert seen["audit"][url] == "target_refused"
    assert seen["service"][url] == NOT_PUBLIC


def test_s22_names_of_private_hosts_map_no_network_and_each_try_is_counted(seen: Mapping[str, Any]) -> None:
    """Hosts that are there and that are not, ports that listen and that do not: one answer, and no connection."""
    assert len(seen["mapped"]) == 8
    replies = [{name: value for name, value in json.loads(text).items() if name != "at"} for text in seen["mapped"]]
    assert [reply["code"] for reply in replies] == ["target_refused"] * 8
    assert all(reply == replies[0] for reply in replies)
    assert seen["service_sprung"] == []
    assert max(seen["remaining"]) < 300  # of the 300 of a minute each answer says one less, at least


def test_s18_proxies_and_logins_of_the_environment_are_ignored(seen: Mapping[str, Any]) -> None:
    """HTTP_PROXY and all its kin name a private address, .netrc a login for everybody, .curlrc the proxy again."""
    assert seen["audit"]["http://public.example/"] == "done"
    assert seen["credentials"] == []
    assert seen["audit_sprung"] == []


def test_s19_the_service_does_not_fetch_from_itself(seen: Mapping[str, Any]) -> None:
    assert set(seen["own_port"].values()) == {OURSELVES}


def test_s19_nor_where_it_listens_on_a_public_address(seen: Mapping[str, Any]) -> None:
    literal, name = seen["own_public_port"].values()
    assert (literal, name) == (OURSELVES, "target_refused")
    assert seen["other_port_of_own"] == "connect_failed"  # nothing listens there: it was tried
