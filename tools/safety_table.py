"""Map attacks (S1 to S96) and faults (F1 to F44) to the tests that prove their handling.

The name of a test contains its number: `test_s53_…`, `test_f9_…`. A number without a test is in `WITHOUT_TEST`, with one of three
reasons. `make docs` writes the tables to docs/security.md and docs/explanation/faults.md; a test fails if a number is in neither.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from tests.safety.guards import GUARDS, WITHOUT_GUARD

ROOT = Path(__file__).parents[1]
_NUMBER = re.compile(r"(?:^test|_)_?([sf]\d{1,2})(?=_|$)")
ABSENT = "feature absent"
HARDWARE = "needs hardware"
NETWORK = "needs an outside network"

ATTACKS: Mapping[str, str] = {
    "S1": "first, last and a middle address of every IANA special-purpose block",
    "S2": "metadata addresses, even if private ranges are allowed",
    "S3": "addresses wrapped in IPv6: mapped, compatible, NAT64, 6to4, Teredo",
    "S4": "the network's own NAT64 prefix",
    "S5": "unspecified, scoped, link-local, multicast addresses",
    "S6": "unusual notations of hosts: decimal, octal, hex, full-width, percent",
    "S7": "backslash, tab, CR, LF, NUL, space in the authority",
    "S8": "a name with a public and a private address",
    "S9": "DNS rebinding: the second response is private",
    "S10": "a pooled connection whose host rebinds",
    "S11": "redirects of every kind to a private address, at every hop",
    "S12": "redirect loops, eleven hops, huge and odd Location",
    "S13": "redirects to other schemes",
    "S14": "ports other than web ports",
    "S15": "user and password in the URL",
    "S16": "credentials and a redirect to another origin",
    "S17": "robots.txt, sitemaps, alternates, icons and links that point to private hosts",
    "S18": "proxies and .netrc in the environment",
    "S19": "the service's address and its public origin",
    "S20": "a page in Chromium that tries every way to reach the network",
    "S21": "the list of allowed targets",
    "S22": "mapping a network by response time and error text",
    "S23": "bad certificates, old TLS",
    "S24": "decompression bombs in every encoding, false lengths, endless bodies",
    "S25": "slow bodies, endless and huge headers",
    "S26": "deep, wide and broken documents",
    "S27": "sitemaps: entities, DTDs, too many URLs, loops",
    "S28": "deeply nested and huge JSON-LD",
    "S29": "image bombs",
    "S30": "regular expressions on text designed to be slow",
    "S31": "HTML, templates and bidirectional controls in a page's texts",
    "S32": "JSON-LD that closes a script on Findable's page",
    "S33": "found links with an executable scheme",
    "S34": "found links with http and https",
    "S35": "SVG icons and remote images in a report",
    "S36": "HTML, CRLF and ANSI in headers and errors of the target",
    "S37": "HTML and CSS in project names, notes and colours",
    "S38": "HTML in searches and in non-existent URLs",
    "S39": "markup inserted by Findable's scripts",
    "S40": "headers of Findable's pages",
    "S41": "an embedded page",
    "S42": "downloads of stored bytes",
    "S43": "a PDF with texts that try to load files",
    "S44": "metadata and links of a PDF",
    "S45": "file names from hostile hosts",
    "S46": "cells that a spreadsheet would execute",
    "S47": "cells of an XLSX file",
    "S48": "reports and projects of other accounts",
    "S49": "every route, every kind of caller",
    "S50": "changes by GET and HEAD",
    "S51": "private data in lists, previews and badges",
    "S52": "changed privacy while cached copies exist",
    "S53": "password guesses one after another",
    "S54": "password guesses in parallel",
    "S55": "storage of passwords, responses to them",
    "S56": "the cookie of an unlocked report",
    "S57": "wrong, missing, private and deleted reports are indistinguishable",
    "S58": "passwords with unusual characters and lengths",
    "S59": "password privacy without a password",
    "S60": "keys that are expired, revoked, truncated, in the wrong place",
    "S61": "secrets in a dump of the database",
    "S62": "keys are shown once, their use is recorded, scopes are enforced",
    "S63": "keys that create keys",
    "S64": "response time for a known prefix",
    "S65": "unknown user and wrong password are indistinguishable",
    "S66": "sessions: fixation, sign-out, password change, disabled people",
    "S67": "two visitors race for the first account",
    "S68": "one-time links",
    "S69": "fields that nobody is allowed to set",
    "S70": "parameters of lists",
    "S71": "searches with wildcards, NUL and 10 kB",
    "S72": "repeated fields",
    "S73": "bodies that are too large or declare a false length",
    "S74": "forms of other sites",
    "S75": "cross-origin requests",
    "S76": "slow and malformed requests",
    "S77": "forwarding headers from untrusted senders",
    "S78": "a foreign Host header",
    "S79": "redirect targets after signing in",
    "S80": "line breaks and controls in logs and messages",
    "S81": "secrets in logs and errors",
    "S82": "webhooks to private IP addresses",
    "S83": "signatures of webhooks",
    "S84": "slow and broken receivers of webhooks",
    "S85": "line breaks and markup in mail and chat",
    "S86": "path traversal",
    "S87": "templates in branding",
    "S88": "restoring a crafted backup",
    "S89": "stored rows edited by hand",
    "S90": "permissions of an agent's tool with a key",
    "S91": "instructions in a page's text",
    "S92": "floods of reports",
    "S93": "reports as an amplifier",
    "S94": "health, readiness, metrics, debug pages",
    "S95": "dependencies, bill of materials, secrets in the code",
    "S96": "Chromium as root",
}
FAULTS: Mapping[str, str] = {
    "F1": "kill -9 of the service during a POST, before the commit",
    "F2": "kill -9 after the commit, before the response",
    "F3": "kill -9 of a worker in the middle of a report",
    "F4": "a worker paused past its lease",
    "F5": "a page that kills the worker three times",
    "F6": "PostgreSQL restarted or killed under load",
    "F7": "PostgreSQL becomes read-only",
    "F8": "the network between worker and database is cut",
    "F9": "disk full at every write",
    "F10": "fsync fails",
    "F11": "SQLite locked by another process",
    "F12": "files deleted, truncated, damaged",
    "F13": "two servers on one SQLite file",
    "F14": "ten thousand reports queued, everything killed",
    "F15": "one account queues very many reports, another account one",
    "F16": "the clock jumps",
    "F17": "the target hangs",
    "F18": "the target resets, returns 5xx or garbage",
    "F19": "the target returns 429 or 503",
    "F20": "errors with robots.txt",
    "F21": "errors with DNS",
    "F22": "the same POST twice at once",
    "F23": "changes and deletion while a report runs",
    "F24": "Chromium crashes or hangs",
    "F25": "a worker killed with a browser open",
    "F26": "a thousand reports with a browser",
    "F27": "old and new versions together",
    "F28": "a migration killed halfway or started twice",
    "F29": "an upgrade from an earlier schema",
    "F30": "SIGTERM while reports run",
    "F31": "SIGTERM during long requests",
    "F32": "backup under load, restore on an empty machine",
    "F33": "a memory cap",
    "F34": "no file descriptors left",
    "F35": "five thousand open connections",
    "F36": "a million reports",
    "F37": "deleting a project of ten thousand reports",
    "F38": "a webhook receiver that is down",
    "F39": "a crash between done and webhook",
    "F40": "notifications or the database of the queue are lost",
    "F41": "wrong settings",
    "F42": "the secret key is changed",
    "F43": "standard output closed, log disk full",
    "F44": "retention of old reports",
}

WITHOUT_TEST: Mapping[str, tuple[str, str]] = {
    "S41": (ABSENT, "no page of Findable can be embedded"),
}
"""Numbers with the kind of reason and the details."""


@cache
def proofs() -> Mapping[str, tuple[str, ...]]:
    """Return the tests by number, as ``file::name``; those of tests/safety first."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py"), key=lambda path: (path.parent.name != "safety", path)):
        for name in _tests(ast.parse(path.read_text(encoding="utf-8"))):
            for number in metrics_of(name):
                found.setdefault(number, []).append(f"{path.relative_to(ROOT)}::{name}")
    return {number: tuple(tests) for number, tests in found.items()}


def _tests(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name


def table(numbers: Mapping[str, str]) -> str:
    """Return a Markdown table: number, description, test or reason."""
    lines = ["| | What | Test |", "| --- | --- | --- |"]
    for number, what in numbers.items():
        lines.append(f"| {number} | {what} | {_shown_by(number)} |")
    return "\n".join(lines) + "\n"


def guards_table() -> str:
    """Return a Markdown table: number, and the guards without which its tests fail, or the reason why there are none."""
    lines = ["| | Guards |", "| --- | --- |"]
    for number in ATTACKS:
        names = [f"`{name}`" for name, guard in GUARDS.items() if number in {found for test in guard.red for found in metrics_of(test)}]
        if names or number in WITHOUT_GUARD:
            lines.append(f"| {number} | {', '.join(names) or f'none: {WITHOUT_GUARD[number]}'} |")
    return "\n".join(lines) + "\n"


def metrics_of(test: str) -> list[str]:
    """Return the numbers in the name of a test, ``file::name``."""
    return [number.upper() for number in _NUMBER.findall(test.rpartition("::")[2])]


def _shown_by(number: str) -> str:
    tests = proofs().get(number, ())
    if not tests:
        kind, why = WITHOUT_TEST.get(number, ("", ""))
        return f"*{kind}*: {why}"
    first = f"`{tests[0]}`"
    return first if len(tests) == 1 else f"{first} and others"


def gaps() -> list[str]:
    """Return numbers that are missing, in both places, or unknown."""
    known = {**ATTACKS, **FAULTS}
    found = [f"{number}: no test and no reason" for number in known if number not in proofs() and number not in WITHOUT_TEST]
    found += [f"{number}: has a test and a reason for having none" for number in WITHOUT_TEST if number in proofs()]
    found += [f"{number}: not in the list, but in {tests[0]}" for number, tests in proofs().items() if number not in known]
    return found
