"""Send the requests of bots in an access log to a service, part by part. Only counts leave this machine."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Struct

from findable.api.options import Access
from findable.api.targets import guard_of, typed_url
from findable.cli.accounts import open_project
from findable.cli.given_files import read_text
from findable.cli.terminal import clean
from findable.errors import SettingError
from findable.service.projects import log_imports
from findable.service.projects.log_parts import PartedLog, Send
from findable.service.runtime.json_requests import JsonRequest, UnexpectedResponse, read_json, unpaused_fetcher
from findable.service.values.log_values import LogImport, LogImportAdded, LogImportCreate
from findable.service_urls import API
from findable.settings import Settings

DEADLINE_S = 120.0
MAX_RESPONSE_BYTES = 20_000_000
RETRY_S = (1.0, 5.0, 20.0)
"""Pauses before a request is repeated that the service could not serve now."""
_TRANSIENT = frozenset({0, 429, 502, 503, 504})
T = TypeVar("T")


class _Reply(Struct, frozen=True):
    data: LogImportAdded


class _List(Struct, frozen=True):
    data: list[LogImport]


class _Problem(Struct, frozen=True):
    message: str
    errors: dict[str, list[str]] = {}


class PartReceiver(NamedTuple):
    """Project that receives requests of bots."""

    known: Callable[[], Sequence[LogImport]]
    """Returns the logs that are known there."""
    send: Send
    """Stores a part of a log."""
    page: str
    """URL of the page that shows the requests."""


class LogReceiver:
    """Project of a service that receives requests of bots.

    Args:
        url: URL of the service, without ``/api/v1``.
        project: name of the project.
        key: API key that may write.
        settings: settings of this machine.
        runner: event loop for the requests.
    """

    def __init__(self, url: str, project: str, key: str, settings: Settings, runner: asyncio.Runner) -> None:
        parsed = typed_url(url)
        self._project, self._origin = project, parsed.origin
        base, path = f"{parsed.origin}{parsed.path.rstrip('/').removesuffix(API)}", f"/projects/{quote(project, safe='')}"
        self._url, self.page = f"{base}{API}{path}/log-imports", f"{base}{path}/bots"
        self._lines = (("Authorization", f"Bearer {key}"), ("Content-Type", "application/json"))
        self._settings, self._guard, self._runner = settings, guard_of(Access(), settings, [parsed]), runner

    def known(self) -> list[LogImport]:
        """Return the logs that the service knows. Raises SettingError if it refuses the request."""
        return self._send(None, _List).data

    def send(self, part: LogImportCreate) -> LogImportAdded:
        """Send a part of a log. Raises SettingError if the service refuses it."""
        return self._send(msgspec.json.encode(part), _Reply).data

    def _send(self, payload: bytes | None, kind: type[T]) -> T:
        request = JsonRequest(self._url, DEADLINE_S, MAX_RESPONSE_BYTES, self._lines, payload)
        for pause_s in (*RETRY_S, None):
            try:
                return self._runner.run(self._requested(request, kind))
            except UnexpectedResponse as error:
                if error.status == HTTPStatus.NOT_FOUND:
                    raise SettingError("--project", f"{self._project} is no project of {self._origin} that this key may change") from error
                if error.status not in _TRANSIENT or pause_s is None:
                    raise SettingError("--to", _words(error)) from error
                time.sleep(error.retry_after_s or pause_s)
        raise AssertionError

    async def _requested(self, request: JsonRequest, kind: type[T]) -> T:
        async with unpaused_fetcher(self._settings, self._guard) as fetcher:
            return await read_json(fetcher, request, kind)


def _words(error: UnexpectedResponse) -> str:
    """Return the sentence of the service about an error."""
    try:
        problem = msgspec.json.decode(error.body, type=_Problem)
    except msgspec.DecodeError:
        return str(error)
    return " ".join([problem.message, *(sentence for sentences in problem.errors.values() for sentence in sentences)])


@contextmanager
def local_receiver(project: str, account: str | None) -> Iterator[PartReceiver]:
    """Open the database of this machine. Raises SettingError."""
    with open_project("logs", project, account) as of_account:
        of_project = *of_account, project
        page = f"{of_account[0].settings.base_url}/projects/{quote(project, safe='')}/bots"
        yield PartReceiver(partial(log_imports.find, *of_project), partial(log_imports.add, *of_project), page)


@contextmanager
def receiver_of(url: str, project: str, key_file: Path | None, settings: Settings) -> Iterator[PartReceiver]:
    """Open a receiver. Raises SettingError."""
    if not project or key_file is None:
        raise SettingError("--to", "needs --project and --key-file, a file with an API key that may write")
    key = read_text(key_file, "--key-file").strip()
    if not key.isascii() or not key.isprintable() or not key:
        raise SettingError("--key-file", f"{key_file} does not contain an API key")
    with asyncio.Runner() as runner:
        made = LogReceiver(url, project, key, settings, runner)
        yield PartReceiver(made.known, made.send, made.page)


def words_of(log: PartedLog) -> str:
    """Return what was stored of a log, as a sentence."""
    known = "continued where an earlier import ended; " if log.is_known else ""
    other = f"; {log.other_sites:,} requests of other sites were not stored" if log.other_sites else ""
    return clean(f"stored as {log.source}: {known}{log.hits:,} requests of bots are new{other}")
