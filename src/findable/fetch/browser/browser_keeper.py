"""Process between a worker and Chromium: isolates the browser, and cleans up after it however either of them ends.

A script that needs only the standard library, run with ``python -I -S``. It

- gives the browser a separate network namespace if the system allows it, so that only sockets created here can be reached from inside;
- changes from root to another user, because Chromium's sandbox does not start as root;
- makes the browser trust the operator's certificate authorities, in the NSS database of its profile, the only place where Chromium looks;
- adopts processes that the browser leaves behind (``PR_SET_CHILD_SUBREAPER``), and reaps them;
- removes the profile, and the profiles of keepers that were killed.

It ends, and kills all its descendants, when the browser ends or the worker closes the control socket, as a killed worker does.

Control socket: for each byte ``l`` from the worker the keeper sends ``l`` with a socket listening on the browser's loopback interface.
It sends ``s`` and a JSON object first, when Chromium has started, and ``e`` and the end of its error output last.
"""

import binascii
import contextlib
import ctypes
import fcntl
import json
import os
import resource
import select
import shutil
import signal
import socket
import struct
import sys
import tempfile
import time

PREFIX = "findable-browser-"
LOCK = "keeper.lock"
ERRORS_BYTES = 4000
END_S = 5.0
"""Maximum time to wait for killed processes to end."""
NEW_S = 60.0
"""Age below which a profile may be new and not locked yet."""
FILE_BYTES = 512 * 1024 * 1024
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 1, 4, 36
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
SIOCSIFFLAGS, IFF_UP, IFF_RUNNING = 0x8914, 0x1, 0x40
DEVTOOLS_READ, DEVTOOLS_WRITE = 3, 4
"""Descriptors on which Chromium expects ``--remote-debugging-pipe``."""
KILLED_FIRST = "1000"
NSS = "libnss3.so"
"""Library that Chromium itself needs on Linux."""
NSS_DATABASE = ".pki/nssdb"
"""Folder below the home folder in which Chromium looks for authorities."""
TRUSTED = 0x01 | 0x02 | 0x08 | 0x10
"""NSS: a valid, trusted authority, and a trusted certificate of a server, as a self-signed one is. The names in it still apply."""
PEM_BEGIN, PEM_END = b"-----BEGIN CERTIFICATE-----", b"-----END CERTIFICATE-----"
_libc = ctypes.CDLL(None, use_errno=True)


class _Item(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int), ("data", ctypes.c_char_p), ("len", ctypes.c_uint))


class _Trust(ctypes.Structure):
    _fields_ = (("tls", ctypes.c_uint), ("email", ctypes.c_uint), ("code", ctypes.c_uint))


def main() -> None:
    """Run ``browser_keeper.py CONTROL DEVTOOLS USER NETWORK CA_FILE PROGRAM ARGUMENT…``.

    USER is ``uid:gid``, or empty to keep the current user; NETWORK is ``own`` or ``shared``; CA_FILE is a PEM file, or empty.
    """
    control = socket.socket(fileno=int(sys.argv[1]))
    devtools, user, wants_network, command = int(sys.argv[2]), sys.argv[3], sys.argv[4] == "own", sys.argv[6:]
    authorities = _certificates(sys.argv[5]) if sys.argv[5] else []  # before the user changes: the other may not read the file
    wake_r, wake_w = os.pipe()
    os.set_blocking(wake_w, False)
    signal.set_wakeup_fd(wake_w, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    # these signals are meant for the worker, which closes the control socket when it ends
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    has_own_network = _enter(user, wants_network=wants_network)
    profile = tempfile.mkdtemp(prefix=PREFIX)
    lock = os.open(os.path.join(profile, LOCK), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC)  # noqa: PTH118 - pathlib would make each start slower
    fcntl.flock(lock, fcntl.LOCK_EX)
    _remove_abandoned()
    trusts_authorities = _trust_certificates(authorities, profile)
    errors_r, errors_w = os.pipe()
    pid = _start(command, profile, devtools, errors_w)
    os.close(devtools)
    os.close(errors_w)
    with contextlib.suppress(OSError):
        started = {"has_own_network": has_own_network, "profile": profile, "trusts_authorities": trusts_authorities}
        control.send(b"s" + json.dumps(started).encode())
    errors = _serve_until_end(control, wake_r, errors_r, pid)
    _kill_all()
    shutil.rmtree(profile, ignore_errors=True)
    with contextlib.suppress(OSError):
        control.send(b"e" + errors)


def _enter(user: str, *, wants_network: bool) -> bool:
    """Change to the user, in a separate network namespace if possible; return whether the namespace was created."""
    has_network = False
    if wants_network and os.geteuid() == 0:
        has_network = _libc.unshare(CLONE_NEWNET) == 0 and _bring_loopback_up()
    if user:
        uid, gid = map(int, user.split(":"))
        os.setgroups([])
        os.setresgid(gid, gid, gid)
        os.setresuid(uid, uid, uid)
        _libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # a process that is not dumpable cannot write to its /proc/self files
    if has_network or not wants_network:
        return has_network
    # Try it in a child process first: a system may allow the namespace but nothing inside it, and a process cannot leave it.
    attempt = os.fork()
    if attempt == 0:
        os._exit(0 if _enter_user_namespace() else 1)
    return os.waitpid(attempt, 0)[1] == 0 and _enter_user_namespace()


def _enter_user_namespace() -> bool:
    """Create a user namespace, which gives the right to create a network namespace; return whether the kernel allowed both."""
    uid, gid = os.getuid(), os.getgid()
    if _libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
        return False
    try:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            _write(f"/proc/self/{name}", text)
    except OSError:
        return False
    return _bring_loopback_up()


def _bring_loopback_up() -> bool:
    with socket.socket() as any_socket:
        try:
            fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP | IFF_RUNNING))
        except OSError:
            return False
    return True


def _write(path: str, text: str) -> None:
    """Write to a kernel file, as bytes: after the change of user, modules of this Python, such as encodings, may not be readable."""
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def _certificates(path: str) -> list[bytes]:
    """Return the certificates of a PEM file as DER; empty if it cannot be read."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib would make each start slower
            blocks = file.read().split(PEM_BEGIN)[1:]
        return [binascii.a2b_base64(block.partition(PEM_END)[0]) for block in blocks]
    except (OSError, ValueError):
        return []


def _trust_certificates(certificates: list[bytes], profile: str) -> bool:
    """Make the browser of this profile trust these certificates; return whether it does."""
    if not certificates:
        return False
    attempt = os.fork()  # in a child process, because a fault in the library would end the keeper
    if attempt == 0:
        is_done = False
        with contextlib.suppress(BaseException):
            is_done = _fill_nss_database(certificates, os.path.join(profile, NSS_DATABASE))  # noqa: PTH118 - pathlib would make each start slower
        os._exit(0 if is_done else 1)
    return os.waitpid(attempt, 0)[1] == 0


def _fill_nss_database(certificates: list[bytes], folder: str) -> bool:
    os.makedirs(folder, mode=0o700)  # noqa: PTH103 - pathlib would make each start slower
    nss = ctypes.CDLL(NSS)
    pointer = ctypes.c_void_p
    for function in (nss.PK11_GetInternalKeySlot, nss.CERT_GetDefaultCertDB, nss.CERT_NewTempCertificate):
        function.restype = pointer
    nss.PK11_InitPin.argtypes = (pointer, ctypes.c_char_p, ctypes.c_char_p)
    nss.CERT_NewTempCertificate.argtypes = (pointer, ctypes.POINTER(_Item), ctypes.c_char_p, ctypes.c_int, ctypes.c_int)
    nss.PK11_ImportCert.argtypes = (pointer, pointer, ctypes.c_ulong, ctypes.c_char_p, ctypes.c_int)
    nss.CERT_ChangeCertTrust.argtypes = (pointer, pointer, ctypes.POINTER(_Trust))
    nss.CERT_DestroyCertificate.argtypes = (pointer,)
    nss.PK11_FreeSlot.argtypes = (pointer,)
    if nss.NSS_InitReadWrite(f"sql:{folder}".encode()):
        return False
    slot, database = nss.PK11_GetInternalKeySlot(), nss.CERT_GetDefaultCertDB()
    is_done = nss.PK11_InitPin(slot, None, b"") == 0
    for number, der in enumerate(certificates):
        certificate = nss.CERT_NewTempCertificate(database, _Item(0, der, len(der)), None, 0, 1)
        is_done = is_done and bool(certificate) and nss.PK11_ImportCert(slot, certificate, 0, b"authority %d" % number, 0) == 0
        is_done = is_done and nss.CERT_ChangeCertTrust(database, certificate, _Trust(TRUSTED, 0, 0)) == 0
        if certificate:
            nss.CERT_DestroyCertificate(certificate)
    nss.PK11_FreeSlot(slot)
    return bool(nss.NSS_Shutdown() == 0 and is_done)


def _remove_abandoned() -> None:
    """Remove profiles whose keeper was killed: their lock is free."""
    folder = tempfile.gettempdir()
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if not entry.name.startswith(PREFIX) or not entry.is_dir(follow_symlinks=False):
                continue
            with contextlib.suppress(OSError):
                about = entry.stat(follow_symlinks=False)
                if about.st_uid == os.getuid() and time.time() - about.st_mtime > NEW_S and _is_abandoned(entry.path):
                    shutil.rmtree(entry.path, ignore_errors=True)


def _is_abandoned(profile: str) -> bool:
    try:
        lock = os.open(os.path.join(profile, LOCK), os.O_RDWR | os.O_CLOEXEC)  # noqa: PTH118 - pathlib would make each start slower
    except FileNotFoundError:
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True


def _start(command: list[str], profile: str, devtools: int, errors: int) -> int:
    environment = {
        name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "FONTCONFIG_FILE", "FONTCONFIG_PATH") if name in os.environ
    }
    environment |= dict.fromkeys(("HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"), profile)
    keeper = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != keeper:
            os._exit(1)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
        with contextlib.suppress(OSError):
            _write("/proc/self/oom_score_adj", KILLED_FIRST)
        nothing = os.open(os.devnull, os.O_RDWR)
        # Duplicate to descriptors above 9 first, because one of them may be a descriptor that is overwritten.
        held = fcntl.fcntl(devtools, fcntl.F_DUPFD, 10)
        held_errors = fcntl.fcntl(errors, fcntl.F_DUPFD, 10)
        for source, target in ((nothing, 0), (nothing, 1), (held_errors, 2), (held, DEVTOOLS_READ), (held, DEVTOOLS_WRITE)):
            os.dup2(source, target, inheritable=True)
        os.closerange(DEVTOOLS_WRITE + 1, 256)
        os.chdir(profile)
        os.execve(command[0], [*command, f"--user-data-dir={profile}"], environment)  # noqa: S606 - no shell
    except BaseException as error:  # noqa: BLE001 - a forked child never returns
        os.write(2, f"{command[0]}: {error}\n".encode())
    os._exit(127)


def _serve_until_end(control: socket.socket, wake: int, errors_r: int, pid: int) -> bytes:
    """Handle requests of the worker until it or the browser ends; return the end of the browser's error output."""
    errors = b""
    poll = select.poll()
    for descriptor in (control.fileno(), wake, errors_r):
        poll.register(descriptor, select.POLLIN)
    while True:
        ready = dict(poll.poll())
        if wake in ready:
            os.read(wake, 4096)
            if _reap_ended(pid):
                return (errors + _read(errors_r))[-ERRORS_BYTES:]
        if errors_r in ready:
            more = _read(errors_r)
            errors = (errors + more)[-ERRORS_BYTES:]
            if not more:
                poll.unregister(errors_r)
        if control.fileno() in ready and not _serve_request(control):
            return errors


def _read(descriptor: int) -> bytes:
    return os.read(descriptor, 65536) if select.select([descriptor], [], [], 0)[0] else b""


def _serve_request(control: socket.socket) -> bool:
    """Handle one request of the worker; return False if the worker has closed the connection."""
    try:
        if not control.recv(1):
            return False
        listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        socket.send_fds(control, [b"l"], [listener.fileno()])
        listener.close()
    except OSError:
        return False
    return True


def _reap_ended(pid: int) -> bool:
    """Reap every process that has ended; return whether the browser was among them."""
    found = False
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG)[0]) != 0:
            found = found or ended == pid
    return found


def _kill_all() -> None:
    """Kill all descendants and reap them."""
    until_s = time.monotonic() + END_S
    while time.monotonic() < until_s:
        for pid in descendants(os.getpid()):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0] != 0:
                pass
        except ChildProcessError:
            return
        time.sleep(0.005)


def descendants(pid: int) -> list[int]:
    """Return the ids of all descendants of a process."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib would make each start slower
        if name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123 - pathlib would make each start slower
                parent = int(file.read().rpartition(b")")[2].split()[1])
                children.setdefault(parent, []).append(int(name))
    found: list[int] = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


if __name__ == "__main__":
    main()
