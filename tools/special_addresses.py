"""Write src/findable/fetch/data/special_addresses.csv from the IANA registries in tools/data: ``python tools/special_addresses.py``.

All blocks of both registries are included, even those that are globally reachable (anycast of AS112, AMT, PCP, TURN): they contain no
sites to audit. ``beyond_the_registries.csv`` adds blocks of other registries, and metadata addresses.
"""

import csv
import io
import re
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tools/data"
TABLE = ROOT / "src/findable/fetch/data/special_addresses.csv"
REGISTRIES = ("iana-ipv4-special-registry-1.csv", "iana-ipv6-special-registry-1.csv")
AS_OF = "2026-07-18"
"""Date on which IANA published the two files."""

# Blocks that embed a whole IPv4 address, which is checked instead, with its bit offset from the left as in the RFC.
EMBEDDING = {"::ffff:0:0/96": "embeds-96", "64:ff9b::/96": "embeds-96", "2002::/16": "embeds-16"}

HEAD = f"""\
# Addresses that are not a place on the public internet. Made by tools/special_addresses.py; not edited by hand.
# Sources: IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890 and updates) as published on {AS_OF}, and
# tools/data/beyond_the_registries.csv: multicast, what the IETF reserves outside 2000::/3, metadata services of clouds. Blocks that
# the registries call globally reachable (anycast of AS112, AMT, PCP, TURN) are listed too: no site to be audited lives there.
# kind: block = refused unless allowed by a setting; exact = refused unless that very address is listed in a setting;
#       embeds-N = an IPv4 address stands N bits from the left and is judged in its place
"""


def registered_blocks() -> Iterator[tuple[str, str]]:
    """Yield (network, name with its RFC) of each block of both registries, in order, without footnote marks."""
    for name in REGISTRIES:
        with (DATA / name).open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                rfcs = ", ".join(re.findall(r"RFC ?\d+", row["RFC"]))
                title = row["Name"].strip('"') + f" ({rfcs.replace('RFC', 'RFC ').replace('  ', ' ')})"
                for block in row["Address Block"].split(","):
                    yield block.partition("[")[0].strip(), title


def rows() -> list[tuple[str, str, str]]:
    """Return (network, kind, name) of each row of the table."""
    found = [(block, EMBEDDING.get(block, "block"), title) for block, title in registered_blocks()]
    with (DATA / "beyond_the_registries.csv").open(encoding="utf-8", newline="") as file:
        found += [(row["network"], row["kind"], row["name"]) for row in csv.DictReader(file)]
    for network, _, _ in found:
        ip_network(network)  # raises for an invalid block
    return found


def table() -> str:
    """Return the content of the file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("network", "kind", "name"))
    writer.writerows(rows())
    return HEAD + text.getvalue()


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
