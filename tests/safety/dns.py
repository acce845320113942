"""A name server on loopback that answers what a test tells it to."""

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

A, PTR, AAAA = 1, 12, 28
NOERROR, SERVFAIL, NXDOMAIN = 0, 2, 3
Answers = list[str]


@dataclass
class NameServer:
    """UDP only. ``names`` maps a name to its addresses, or to a function that is called for each question of type A."""

    names: dict[str, Answers | Callable[[], Answers]] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)
    """Names that are answered with an error code."""
    silent: set[str] = field(default_factory=set)
    cut: set[str] = field(default_factory=set)
    """Names whose answer is marked as truncated, with nothing listening on TCP."""
    host_names: dict[str, str] = field(default_factory=dict)
    """Names of IP addresses, by the name in in-addr.arpa."""
    asked: list[str] = field(default_factory=list)
    port: int = 0
    """0: any free one."""

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def answer(self, query: bytes) -> bytes | None:
        labels, position = [], 12
        while query[position]:
            labels.append(query[position + 1 : position + 1 + query[position]].decode())
            position += query[position] + 1
        name = ".".join(labels).lower()
        (kind,) = struct.unpack("!H", query[position + 1 : position + 3])
        question = query[12 : position + 5]
        self.asked.append(name)
        if name in self.silent:
            return None
        code = self.codes.get(name, NOERROR if name in self.names or name in self.host_names else NXDOMAIN)
        known = self.names.get(name, []) if code == NOERROR else []
        addresses = known() if callable(known) and kind == A else known if isinstance(known, list) else []
        family = socket.AF_INET6 if kind == AAAA else socket.AF_INET
        packed = [socket.inet_pton(family, text) for text in addresses if (":" in text) == (kind == AAAA)]
        if kind == PTR and name in self.host_names:
            labels = self.host_names[name].split(".")
            packed = [b"".join(bytes([len(label)]) + label.encode() for label in labels) + b"\0"]
        records = b"".join(b"\xc0\x0c" + struct.pack("!HHIH", kind, 1, 0, len(data)) + data for data in packed)
        flags = 0x8180 | code | (0x0200 if name in self.cut else 0)
        return query[:2] + struct.pack("!HHHHH", flags, 1, len(packed), 0, 0) + question + records


@contextmanager
def name_server(**settings: object) -> Iterator[NameServer]:
    server = NameServer(**settings)  # type: ignore[arg-type]  # settings by name
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.bind(("127.0.0.1", server.port))
    server.port = sock.getsockname()[1]
    ended = threading.Event()

    def serve() -> None:
        while not ended.is_set():
            query, sender = sock.recvfrom(4096)
            reply = server.answer(query) if query else None
            if reply:
                sock.sendto(reply, sender)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        ended.set()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as waker:
            waker.sendto(b"", ("127.0.0.1", server.port))
        thread.join(5)
        sock.close()
