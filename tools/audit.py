"""Audit the dependencies and the published files: ``make audit``.

- The lock file: every requirement has an exact version and SHA-256 digests of its files, all from the package index.
- Secrets: no file of the project contains a private key, token or password of a known form.
- A bill of materials of an installation (CycloneDX 1.6, JSON) is written to build/sbom.cdx.json.
- Advisories for these versions from osv.dev. If it is unreachable, a message says so, and the audit does not fail.

The exit code is 1 if there is a problem.
"""

import argparse
import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LOCK = Path("requirements.lock")
BILL = Path("build/sbom.cdx.json")
OWN_NAME = "findable-seo"
ADVISORIES_URL = "https://api.osv.dev/v1/querybatch"
TIMEOUT_S = 20
MAX_FILE_BYTES = 5_000_000
MAX_ANSWER_BYTES = 20_000_000
MAX_LICENSE_CHARS = 100
"""Maximum length of a license name; some packages have the whole license text there."""

SECRETS: Mapping[str, re.Pattern[bytes]] = {
    "private key": re.compile(rb"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}"),
    "key of ours": re.compile(rb"\bfnd_[0-9a-f]{8}_[A-Za-z0-9_-]{43}\b"),
    "AWS key": re.compile(rb"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    "GitHub token": re.compile(rb"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60,})"),
    "Slack token": re.compile(rb"\bxox[abprs]-[A-Za-z0-9-]{20,}"),
    "PyPI token": re.compile(rb"\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}"),
    "Stripe key": re.compile(rb"\b[sr]k_live_[A-Za-z0-9]{20,}"),
    "Google key": re.compile(rb"\bAIza[0-9A-Za-z_-]{35}\b"),
    "signed token": re.compile(rb"\beyJ[A-Za-z0-9_-]{15,}\.eyJ[A-Za-z0-9_-]{15,}\.[A-Za-z0-9_-]{20,}"),
    "password in an address": re.compile(rb"\bpostgres(?:ql)?(?:\+\w+)?://[\w.-]+:[^\s:@/\"'<>{}$]{12,}@"),
}
TEST_KEYS = ("tests/sites/certs/",)
"""Keys of servers that tests start on loopback, which protect nothing."""


# --- the lock file ----------------------------------------------------------------------------------------------------


def locked_versions(text: str) -> dict[str, str]:
    """Return the version of every requirement by name. Raises ValueError for a line without an exact version or hashes."""
    found: dict[str, str] = {}
    for entry in re.split(r"\n(?=\S)", text.strip()):
        if entry.startswith("#"):
            continue
        head = re.match(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^\s;\\]+)", entry)
        if head is None:
            raise ValueError(f"no exact version: {entry.splitlines()[0]}")
        if not re.findall(r"--hash=sha256:[0-9a-f]{64}\b", entry):
            raise ValueError(f"no hash: {head[1]}")
        found[canonicalize_name(head[1])] = head[2]
    return found


# --- secrets ----------------------------------------------------------------------------------------------------------


def secrets_in(root: Path) -> Iterator[str]:
    """Return ``file: kind`` for each text in the project's files that looks like a secret."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout  # noqa: S607 - the caller's git
    for name in filter(None, listed.decode().split("\0")):
        path = root / name
        if name.startswith(TEST_KEYS) or not path.is_file() or path.stat().st_size > MAX_FILE_BYTES:
            continue
        data = path.read_bytes()
        yield from (f"{name}: {what}" for what, pattern in SECRETS.items() if pattern.search(data))


# --- bill of materials ------------------------------------------------------------------------------------------------


def installed_distributions() -> dict[str, metadata.Distribution]:
    """Return the distributions of an installation with all extras by name, Findable first."""
    found: dict[str, metadata.Distribution] = {}
    wanted = [(OWN_NAME, frozenset(metadata.metadata(OWN_NAME).get_all("Provides-Extra") or ()))]
    while wanted:
        name, extras = wanted.pop()
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # only required on another system
        if canonicalize_name(name) in found and not extras:
            continue
        found[canonicalize_name(name)] = distribution
        for text in distribution.requires or ():
            requirement = Requirement(text)
            asked = [{"extra": extra} for extra in ("", *extras)]
            fits = requirement.marker is None or any(requirement.marker.evaluate(environment) for environment in asked)
            if fits and canonicalize_name(requirement.name) not in found:
                wanted.append((requirement.name, frozenset(requirement.extras)))
    return found


def bill(distributions: Mapping[str, metadata.Distribution]) -> dict[str, Any]:
    """Return a CycloneDX document, which is the same for the same versions."""
    components = [_component(name, each) for name, each in sorted(distributions.items()) if name != OWN_NAME]
    ourselves = {**_component(OWN_NAME, distributions[OWN_NAME]), "type": "application"}
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": {"component": ourselves}, "components": components}


def _component(name: str, distribution: metadata.Distribution) -> dict[str, Any]:
    about = distribution.metadata
    expression = next(iter(about.get_all("License-Expression") or ()), "")
    named = [line.rpartition(":: ")[2] for line in about.get_all("Classifier") or () if line.startswith("License ::")]
    named = named or [text.strip().splitlines()[0][:MAX_LICENSE_CHARS] for text in about.get_all("License") or () if text.strip()]
    licenses = [{"expression": expression}] if expression else [{"license": {"name": each}} for each in named]
    purl = f"pkg:pypi/{name}@{distribution.version}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": distribution.version,
        "purl": purl,
        **({"licenses": licenses} if licenses else {}),
    }


# --- advisories -------------------------------------------------------------------------------------------------------


def advisories(versions: Mapping[str, str], url: str) -> list[str]:
    """Return ``name version: advisory id``. Raises OSError without a response, ValueError for an invalid one."""
    names = sorted(versions)
    asked = [{"package": {"name": name, "ecosystem": "PyPI"}, "version": versions[name]} for name in names]
    body = json.dumps({"queries": asked}).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})  # noqa: S310 - a URL of the operator's
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310 - a URL of the operator's
        results = json.loads(answer.read(MAX_ANSWER_BYTES))["results"]
    if len(results) != len(names):
        raise ValueError(f"{len(results)} answers to {len(names)} questions")
    return [
        f"{name} {versions[name]}: {found['id']}" for name, result in zip(names, results, strict=True) for found in result.get("vulns", ())
    ]


def main(arguments: Sequence[str]) -> int:
    """Run the audit; return 0 without problems, 1 otherwise."""
    parser = argparse.ArgumentParser(description="Look through what we depend on and what we publish.")
    parser.add_argument("--advisories", default=ADVISORIES_URL, help="where to ask; empty: nowhere")
    parser.add_argument("--bill", type=Path, default=ROOT / BILL, help="where the bill of materials goes")
    given = parser.parse_args(arguments)
    wrong = [f"a secret? {line}" for line in secrets_in(ROOT)]
    versions: dict[str, str] = {}
    try:
        versions = locked_versions((ROOT / LOCK).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        wrong.append(f"{LOCK}: {error}")
    there = installed_distributions()
    wrong += [f"{LOCK} lacks {name}" for name in there if versions and name not in versions and name != OWN_NAME]
    given.bill.parent.mkdir(exist_ok=True)
    given.bill.write_text(json.dumps(bill(there), indent=2) + "\n", encoding="utf-8")
    print(f"{len(versions)} requirements locked; {given.bill.name} names {len(there) - 1} that an installation brings")
    if given.advisories and versions:
        try:
            wrong += [f"advisory: {line}" for line in advisories(versions, given.advisories)]
        except (OSError, ValueError, KeyError) as error:
            print(f"advisories were not looked up: {error}")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
