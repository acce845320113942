"""Folders with access logs that the operator names in the settings. Owners assign them to projects; then they are read as they grow.

Every file is recognized by its content, as an uploaded one is, so rotation, compression, truncation, a restart or a killed process neither
lose lines nor count them twice. What a pass has seen is the moment of its begin: a file whose inode did not change since is not opened.
"""

import asyncio
import os
import stat
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from findable.clock import now
from findable.errors import Conflict, NotFound, ValidationFailed
from findable.log_import import PROBLEMS
from findable.service.accounts.callers import has_operator
from findable.service.accounts.owned_projects import owned_project
from findable.service.accounts.permissions import may, reading, writing
from findable.service.projects import log_imports
from findable.service.projects.log_parts import source_of
from findable.service.projects.log_uploads import ENDED, read_apart
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import OWNER, Caller
from findable.service.values.log_values import LogImport, LogImportAdded, LogImportCreate, UploadOrder
from findable.service.values.views import moment
from findable.store.log_statements import LogFolderRow
from findable.store.rows import ProjectRow
from findable.store.store_protocol import Session
from findable.values import DateTime
from findable.wording import later

READ_EVERY_S = 300
"""Time between two passes over a folder."""
CLAIMED_S = 600
"""Time for which a worker that reads a folder keeps others away from it. Two that read the same file would still count it once."""
MARGIN_S = 5
"""Difference of the clocks of this machine and of its file systems that is tolerated."""
MAX_PROBLEMS = 20
"""Files with a problem that are remembered for each folder."""
_NO_LOG = ("error",)
"""Parts of the names of files beside access logs."""


_OF_READER = frozenset({*PROBLEMS, ENDED})
PROBLEM_WORDS = {
    **PROBLEMS,
    "unreadable": later("no access log that is recognized"),
    "overlaps": later("contains lines of a time that was imported before from another file"),
    "denied": later("cannot be read"),
    "limit": later("the project has too many imported logs"),
    "ended": later("could not be read to its end; reading will continue"),
}
"""Reasons why a file of a folder was not counted, or not to its end, with their sentences.

denied: the service may not read the file or, without a name, the folder.
"""


class LogFolder(Struct, frozen=True, kw_only=True):
    """Folder with access logs on the machine of the service."""

    object: Literal["log_folder"] = "log_folder"
    name: str
    is_assigned: bool
    """Whether new lines are stored in this project."""
    read_at: DateTime | None
    """Begin of the last pass."""
    problems: dict[str, str]
    """Problems, keys of `PROBLEM_WORDS`, by name of the file; an empty name stands for the folder."""


def find(service: Service, caller: Caller, name_or_id: str) -> tuple[LogFolder, ...]:
    """Return the folders of a project, and those that the caller may assign to it. Raises NotFound."""
    with reading(service, caller) as session:
        project = owned_project(session, caller, name_or_id)
        rows = {row.name: row for row in session.logs.folders(project.id)}
        names = {*rows, *(service.settings.named_log_folders if _may_assign(session, caller) else ())}
        return tuple(_folder(name, rows.get(name)) for name in sorted(names))


def assign(service: Service, caller: Caller, name_or_id: str, name: str) -> LogFolder:
    """Assign a folder to a project. Raises NotFound for an unknown one, and if the caller may not choose folders."""
    with writing(service, caller) as session:
        project = owned_project(session, caller, name_or_id)
        if name not in service.settings.named_log_folders or not _may_assign(session, caller):
            raise NotFound
        row = next((row for row in session.logs.folders(project.id) if row.name == name), None)
        if row is None:
            session.logs.assign_folder(project.id, name)
            audit_log.record(session, caller, AuditAction.LOG_FOLDER_ASSIGNED, project.name, folder=name)
    return _folder(name, row) if row is not None else LogFolder(name=name, is_assigned=True, read_at=None, problems={})


def remove(service: Service, caller: Caller, name_or_id: str, name: str) -> None:
    """End the assignment of a folder; what was counted stays. Raises NotFound."""
    with writing(service, caller) as session:
        project = owned_project(session, caller, name_or_id)
        if not session.logs.remove_folder(project.id, name):
            raise NotFound
        audit_log.record(session, caller, AuditAction.LOG_FOLDER_REMOVED, project.name, folder=name)


def _may_assign(session: Session, caller: Caller) -> bool:
    """Return whether the caller may choose any folder: its lines can be of other projects, and only an operator knows whose they are."""
    return caller.is_operator or (may(caller, OWNER) and has_operator(session, caller.account_id))


def _folder(name: str, row: LogFolderRow | None) -> LogFolder:
    problems = msgspec.json.decode(row.problems_json, type=dict[str, str]) if row else {}
    return LogFolder(
        name=name, is_assigned=row is not None, read_at=moment(row.read_at) if row and row.read_at else None, problems=problems
    )


async def read_due(service: Service) -> None:
    """Read what is new in all folders that are due."""
    for row in await service.run(_due):
        if await service.run(_claimed, row):
            await _read_folder(service, row)


def _due(service: Service) -> list[LogFolderRow]:
    """Return the folders that are due and exist on this machine."""
    moment_s, names = int(now().timestamp()), service.settings.named_log_folders
    if not names:
        return []
    with service.store.read() as session:
        return [row for row in session.logs.folders() if row.due_at <= moment_s and row.name in names]


def _claimed(service: Service, row: LogFolderRow) -> bool:
    if not service.store.is_shared:  # no other process works
        return True
    with service.store.write() as session:
        return session.logs.change_folder(row, due_at=session.moment + CLAIMED_S)


async def _read_folder(service: Service, row: LogFolderRow) -> None:
    """Read the files of a folder that changed since its last pass, the oldest first, and note the pass."""
    started = int(now().timestamp())
    problems = msgspec.json.decode(row.problems_json, type=dict[str, str])
    problems.pop("", None)
    try:
        with closing(LogFiles(service.settings.named_log_folders[row.name])) as folder:
            names = await asyncio.to_thread(folder.names)
            problems = {name: problem for name, problem in problems.items() if name in names}
            for name in await asyncio.to_thread(folder.changed_since, row.read_at or 0):
                problem = await _read_file(service, row, folder, name)
                problems.pop(name, None)
                if problem is not None and len(problems) < MAX_PROBLEMS:
                    problems[name] = problem
    except OSError:
        problems = {"": "denied"}
    if not {"ended", problems.get("")}.isdisjoint(problems.values()):
        started = row.read_at or 0  # the next pass opens the same files
    await service.run(_note_pass, row, started, problems)


def _note_pass(service: Service, row: LogFolderRow, started: int, problems: dict[str, str]) -> None:
    with service.store.write() as session:
        for current in session.logs.folders(row.project_id):
            if current.name == row.name:
                values = {"due_at": session.moment + READ_EVERY_S, "read_at": started or None}
                session.logs.change_folder(current, **values, problems=msgspec.json.encode(problems).decode())


async def _read_file(service: Service, row: LogFolderRow, folder: "LogFiles", name: str) -> str | None:
    """Store what is new in a file; return the reason if it could not be read to its end."""

    def project_of(session: Session) -> ProjectRow:
        """Return the project while the folder is assigned to it."""
        found = session.projects.by_id(row.account_id, row.project_id)
        if found is None or all(one.name != row.name for one in session.logs.folders(row.project_id)):
            raise NotFound
        return found

    def add(service: Service, part: LogImportCreate) -> LogImportAdded:
        return log_imports.add_part(service, row.account_id, project_of, part)

    def known(service: Service) -> tuple[LogImport, ...]:
        with service.store.read() as session:
            return log_imports.imports_of(session, row.project_id)

    for _ in range(2):  # another import may have read the same lines meanwhile; what overlaps does so again
        try:
            descriptor = folder.open(name)
        except OSError:
            return "denied"
        if descriptor is None:
            return None
        try:
            order = UploadOrder(f"{row.name}/{source_of(name)}"[:100], await service.run(known))
            found = await read_apart(service, descriptor, order, add)
        except Conflict:
            continue
        except ValidationFailed:
            return "limit"
        except NotFound:  # it was removed meanwhile
            return None
        finally:
            os.close(descriptor)
        if not found.problem:
            return None
        return found.problem if found.problem in _OF_READER else "unreadable"
    return "overlaps"


class LogFiles:
    """Folder whose files are opened relative to it, so that neither a link nor a renamed folder leads elsewhere. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def close(self) -> None:
        """Close the folder."""
        os.close(self._descriptor)

    def _files(self) -> Iterator[tuple[str, os.stat_result]]:
        with os.scandir(self._descriptor) as entries:
            for entry in entries:
                if not entry.name.startswith(".") and not any(part in entry.name for part in _NO_LOG):
                    with suppress(FileNotFoundError):  # it was rotated meanwhile
                        yield entry.name, entry.stat(follow_symlinks=False)

    def names(self) -> set[str]:
        """Return the names of all files."""
        return {name for name, _ in self._files()}

    def changed_since(self, moment_s: int, source: str = "") -> list[str]:
        """Return the names of regular files, or of one log and its rotated files, that changed about then or later, the oldest first."""
        changed = ((name, about) for name, about in self._files() if stat.S_ISREG(about.st_mode) and about.st_ctime >= moment_s - MARGIN_S)
        return [name for _, name in sorted((about.st_mtime_ns, name) for name, about in changed if source in ("", source_of(name)))]

    def open(self, name: str) -> int | None:
        """Return the descriptor of a regular file that is not empty; None for others, and if it is gone."""
        try:
            descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=self._descriptor)
        except FileNotFoundError:
            return None
        about = os.fstat(descriptor)
        if stat.S_ISREG(about.st_mode) and about.st_size:
            return descriptor
        os.close(descriptor)
        return None
