"""`findable doctor`: show problems of this installation and how to fix them."""

import os
import shutil
import socket
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from findable import __version__, urls
from findable.artifacts.page.private_hosts import is_loopback
from findable.clock import now, rfc3339
from findable.errors import FindableError, Unavailable
from findable.export.pdf import is_available
from findable.export.table_files import TableFormat
from findable.settings import SECRET_NAME, Settings

if TYPE_CHECKING:
    from findable.service.runtime.service import Service

WORLD_BITS = 0o077
LOW_DISK_BYTES = 500_000_000
MAX_IDS = 10


class DoctorLine(Struct, frozen=True):
    """Result of one check of the installation, with its level: ok, note or wrong."""

    level: str
    text: str


def doctor() -> int:
    """Check this installation; exits 1 if there is a problem."""
    print(f"Findable {__version__}")
    remarks = list(_diagnose())
    for remark in remarks:
        print(f"  {remark.level:<5}  {remark.text}")
    return 1 if any(remark.level == "wrong" for remark in remarks) else 0


def _diagnose() -> Iterator[DoctorLine]:
    from findable.service.runtime.signing_secret import stored_secret

    try:
        settings = Settings.load()
    except FindableError as error:
        yield DoctorLine("wrong", str(error))
        return
    yield DoctorLine("ok", f"settings: {len(settings.sources)} given, the others are defaults")
    for sentence in Settings.misspelt():
        yield DoctorLine("note", sentence)
    yield from _data_dir(settings)
    try:
        stored_secret(settings)
    except FindableError as error:
        yield DoctorLine("wrong", str(error))
    else:
        yield from _database(settings)
    yield from _base_url(settings)
    yield from _environment(settings)


def _data_dir(settings: Settings) -> Iterator[DoctorLine]:
    from findable.store.database_errors import START_BYTES, bytes_of_start

    folder = settings.data_dir
    existing = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not os.access(existing, os.W_OK):
        yield DoctorLine("wrong", f"data directory: {folder} cannot be written")
        return
    yield DoctorLine("ok", f"data directory: {folder}")
    if folder.exists() and folder.stat().st_mode & WORLD_BITS:
        yield DoctorLine("note", f"data directory: others on this machine can list it: chmod 700 {folder}")
    free_bytes = shutil.disk_usage(existing).free
    if free_bytes < START_BYTES:
        needed_bytes = bytes_of_start(Path(settings.database_url.removeprefix("sqlite:///")))
        room = f"{free_bytes // 1_000_000} MB are free and {-(-needed_bytes // 1_000_000)} MB are needed"
        missing_mb = -(-(needed_bytes - free_bytes) // 1_000_000)
        yield DoctorLine("wrong", f"the disk is full, so nothing can be stored: {room}: free {missing_mb} MB in {existing}")
    elif free_bytes < LOW_DISK_BYTES:
        yield DoctorLine("note", f"only {free_bytes // 1_000_000} MB are free in the data directory")
    key = folder / SECRET_NAME
    if key.exists() and key.stat().st_mode & WORLD_BITS:
        yield DoctorLine("wrong", f"{key} can be read by others: chmod 600 {key}")


def _database(settings: Settings) -> Iterator[DoctorLine]:
    from findable.service.runtime.service import Service
    from findable.store.high_water_mark import MarkFile
    from findable.store.open_store import is_postgresql

    file = Path(settings.database_url.removeprefix("sqlite:///"))
    is_new = not is_postgresql(settings.database_url) and not file.exists() and MarkFile(file).read() is None
    if is_new:  # this command must not create the database, because the service may run as another user
        yield DoctorLine("ok", f"database: SQLite, created at the first start in {file}")
        return
    try:
        service = Service.open(settings)
    except FindableError as error:
        yield DoctorLine("wrong", str(error))
        return
    with closing(service):
        problem = service.readiness_problem()
        about = service.store.about() if problem is None else None
        crawls = list(_crawls(service)) if problem is None else []
        dated = list(_future_times(service)) if problem is None else []
        locked = "" if problem is None and _can_write(service) else "is in use by another program that keeps it locked: end it, or wait"
    if about is None:
        yield DoctorLine("wrong", f"database: {problem}")
        return
    if locked:
        yield DoctorLine("wrong", f"database: {locked}; it is not damaged")
    yield DoctorLine("ok", f"database: {about.text}")
    for note in about.notes:
        yield DoctorLine("note", f"database: {note}")
    yield from crawls
    yield from dated


def _future_times(service: "Service") -> Iterator[DoctorLine]:
    moment = now()
    with service.store.read() as session:
        is_behind = session.times.is_clock_behind(int(moment.timestamp()))
        found = session.times.counts(int(moment.timestamp()))
    if is_behind:
        yield DoctorLine("wrong", f"clock: it says {rfc3339(moment)}, which is before the first account was created: set it")
    elif found:
        listed = ", ".join(f"{count:,} in {table}" for table, count in found.items())
        words = f"rows are dated in the future ({listed}): a clock was wrong when they were stored, or is wrong now ({rfc3339(moment)})"
        yield DoctorLine("note", f"clock: {words}")


def _can_write(service: "Service") -> bool:
    """Return whether a writing transaction can begin."""
    try:
        with service.store.write():
            return True
    except Unavailable:
        return False


def _crawls(service: "Service") -> Iterator[DoctorLine]:
    from findable.service.crawls.crawl_stores import stored_crawls

    found = stored_crawls(service)
    if found.count:
        yield DoctorLine("ok", f"crawls: {found.count:,} stored, {found.size_bytes / 1_000_000:,.0f} MB{found.place}")
    if found.problem:
        yield DoctorLine("wrong", f"crawls: {found.problem}")
    if found.orphans:
        stores = "1 store belongs" if len(found.orphans) == 1 else f"{len(found.orphans):,} stores belong"
        yield DoctorLine("note", f"crawls: {stores} to no crawl of this database ({_numbers(found.orphans)}): delete them")
    if found.damaged:
        words = f"the pages of {_crawls_named(found.damaged)} are damaged: delete and crawl again, or restore from a backup"
        yield DoctorLine("wrong", f"crawls: {words}; findings and scores are there")
    if found.missing:
        yield DoctorLine("note", f"crawls: the pages of {_crawls_named(found.missing)} are missing; findings and scores are there")


def _crawls_named(crawl_ids: Sequence[int]) -> str:
    return f"crawl {crawl_ids[0]}" if len(crawl_ids) == 1 else f"{len(crawl_ids):,} crawls ({_numbers(crawl_ids)})"


def _numbers(crawl_ids: Sequence[int]) -> str:
    return ", ".join(map(str, crawl_ids[:MAX_IDS]))


def _base_url(settings: Settings) -> Iterator[DoctorLine]:
    url = urls.parse(settings.base_url)
    if url is None:
        return
    if is_loopback(url.host):
        yield DoctorLine("note", f"BASE_URL {settings.base_url} is loopback: links to reports work on this machine only")
    elif url.scheme != "https":
        yield DoctorLine("note", f"BASE_URL {settings.base_url} is not https: cookies and passwords are sent unencrypted")
    else:
        yield DoctorLine("ok", f"BASE_URL {settings.base_url}")
    if url.scheme == "https" and not settings.trusted_proxies:  # the service itself does not terminate TLS
        yield DoctorLine(
            "note",
            "FINDABLE_TRUSTED_PROXIES is missing: all visitors share the IP address and the limits of your proxy; set it to that address",
        )


def _environment(settings: Settings) -> Iterator[DoctorLine]:
    if not Path("/etc/resolv.conf").exists():
        yield DoctorLine("note", "/etc/resolv.conf is missing: names cannot be resolved")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
            yield DoctorLine("ok", f"port {settings.port} is free")
        except OSError as error:
            yield DoctorLine("note", f"port {settings.port} is in use ({error.strerror}): is the service running?")
    yield from _browser(settings)
    yield from _typesetter()
    yield from _table_formats()
    yield from _bots(settings)
    for name, folder in settings.named_log_folders.items():
        if folder.is_dir() and os.access(folder, os.R_OK | os.X_OK):
            yield DoctorLine("ok", f"log folder {name}: {folder}")
        else:
            yield DoctorLine("wrong", f"log folder {name}: {folder} is not a folder that this user can read")


def _bots(settings: Settings) -> Iterator[DoctorLine]:
    """Tell whether the lists of IP addresses of bots are so old that they prove no fake."""
    from findable.artifacts.tables.bot_ranges import CDNS, FRESH_DAYS
    from findable.cli.bots import load_ranges

    try:
        days = [one.readings[-1].last_on for one in load_ranges(None, settings).lists if one.name not in CDNS]
    except FindableError as error:
        yield DoctorLine("wrong", f"bots: {error}")
        return
    old = sum((now().date() - day).days > FRESH_DAYS for day in days)
    advice = f"; {old} are too old to tell fakes in new logs: findable bots refresh" if old else ""
    yield DoctorLine("note" if old else "ok", f"bots: {len(days)} lists of IP addresses, read from {min(days)} to {max(days)}{advice}")


def _browser(settings: Settings) -> Iterator[DoctorLine]:
    from findable.fetch.browser.browser_doctor import examine_browser
    from findable.fetch.browser.browser_program import NONE, configured_browser

    try:
        program = configured_browser(settings)
    except FindableError as error:
        yield DoctorLine("wrong", str(error))
        return
    if program is None:
        is_meant = settings.browser == NONE
        advice = "" if is_meant else ": on Debian: apt-get install chromium-headless-shell"
        yield DoctorLine("ok" if is_meant else "note", f"browser: none, reports are generated without it{advice}")
        return
    found = examine_browser(program)
    if found.problem:
        yield DoctorLine("wrong", f"browser: {program.path} does not work: {found.problem}")
        return
    network = "its own network" if found.has_own_network else "the network of this machine, behind its proxy"
    sandbox = "sandboxed" if found.is_sandboxed else "without a sandbox: a page that breaks it has the rights of its user"
    yield DoctorLine("ok" if found.is_sandboxed else "wrong", f"browser: {found.version} ({program.path}), {sandbox}, in {network}")
    if program.ca_file and found.trusts_authorities:
        yield DoctorLine("ok", f"browser: trusts the certificates in {program.ca_file}")
    elif program.ca_file:
        yield DoctorLine(
            "wrong", f"browser: does not trust the certificates in {program.ca_file}: pages that need them are checked without a browser"
        )


def _table_formats() -> Iterator[DoctorLine]:
    for one in TableFormat:
        if one.package:
            shown = f"tables as {one.label}"
            yield DoctorLine("ok", shown) if one.is_available else DoctorLine("note", f"{shown}: {one.how_to_install}")


def _typesetter() -> Iterator[DoctorLine]:
    if not is_available():
        yield DoctorLine("note", "PDF: not installed: pip install '.[pdf]' in a clone of Findable")
        return
    from findable.export.typesetting import scripts_without_font

    missing = scripts_without_font()
    if missing:
        scripts = ", ".join(missing)
        yield DoctorLine(
            "note", f"PDF: no font for {scripts}: □ is shown instead; on Debian: apt-get install fonts-noto-core fonts-noto-cjk"
        )
    else:
        yield DoctorLine("ok", "PDF: fonts for every script that was tried")
