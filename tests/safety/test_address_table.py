"""The table of special addresses is what the IANA registries say, row by row: S1."""

import csv
import importlib.util
import sys
from ipaddress import ip_address, ip_network
from pathlib import Path
from types import ModuleType

import pytest

from findable.fetch.egress_guard import Guard
from findable.fetch.ip_addresses import is_special, readings

ROOT = Path(__file__).parents[2]


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("special_addresses", ROOT / "tools/special_addresses.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = _tool()
BLOCKS = [block for block, _ in TOOL.registered_blocks()]


def test_s1_the_table_is_made_from_the_registries() -> None:
    assert TOOL.TABLE.read_text(encoding="utf-8") == TOOL.table(), "run tools/special_addresses.py"
    assert f"| {TOOL.AS_OF} |" in (ROOT / "tools/data/README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TOOL.REGISTRIES)
def test_s1_a_registry_is_whole(name: str) -> None:
    with (ROOT / "tools/data" / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 24  # as many as there were in 2026; blocks are added, hardly ever removed
    assert all(len(row) == 10 and None not in row.values() for row in rows)


@pytest.mark.parametrize("block", BLOCKS)
def test_s1_first_last_and_one_inside_of_each_registered_block_are_refused(block: str) -> None:
    network = ip_network(block)
    first, last = int(network.network_address), int(network.broadcast_address)
    kind = type(network.network_address)
    guard = Guard()
    private = 0x0A000001  # 10.0.0.1, where the block wraps an IPv4 address
    inside = {first, last, (first + last) // 2}
    if TOOL.EMBEDDING.get(block, "block") != "block":
        start = int(TOOL.EMBEDDING[block].removeprefix("embeds-"))
        inside = {first + (private << (128 - start - 32))}
    for number in inside:
        assert guard.check_address("name.example", 443, str(kind(number))), kind(number)


@pytest.mark.parametrize("block", BLOCKS)
def test_s1_outside_each_edge_is_refused_only_where_another_row_says_so(block: str) -> None:
    network = ip_network(block)
    kind = type(network.network_address)
    table = [(ip_network(row[0]), row[1]) for row in TOOL.rows()]
    for number in (int(network.network_address) - 1, int(network.broadcast_address) + 1):
        if not 0 <= number < 1 << network.max_prefixlen:
            continue
        beside = kind(number)
        refused = Guard().check_address("name.example", 443, str(beside)) is not None
        rows = [kind_ for other, kind_ in table if other.version == beside.version and beside in other]
        assert refused is (bool(rows) and any(is_special(reading) for reading in readings(ip_address(beside)))), beside


def test_s1_the_standard_library_knows_no_private_address_that_we_do_not() -> None:
    """One address of every /16 (IPv4) and /16 of 2000::/3: what Python calls private, we refuse."""
    for number in range(1 << 16):
        address = ip_address((number << 16) + 0x0101)
        if address.is_private or address.is_multicast or address.is_reserved:
            assert is_special(address), address
    for number in range(0x2000, 0x4000):
        address = ip_address((number << 112) + 1)
        if (address.is_private or address.is_reserved) and readings(address) == (address,):
            assert is_special(address), (address, sys.version)
