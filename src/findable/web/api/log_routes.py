"""Routes of access logs of a project: `/projects/{project}/log-imports`, and folders of logs."""

from datetime import date
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.errors import Conflict
from findable.service.projects import log_folders, log_imports, log_uploads
from findable.service.projects.log_folders import LogFolder
from findable.service.projects.log_parts import source_of
from findable.service.values.log_values import LogImport, LogImportAdded, LogImportCreate
from findable.web.api.operation import Call, Data, Items, Reply, operation
from findable.web.api.shape_parts import Deleted
from findable.web.api.validation import value_or
from findable.web.bodies import Bounds, streamed_file

PATH = "/projects/{project}/log-imports"
BODY = Bounds(log_imports.MAX_BYTES * 14 // 10, 24)
"""Limits of the body: a file of maximum size, encoded in base64."""


class ForgetQuery(Struct, frozen=True):
    """Requests to delete."""

    source: Annotated[str, Meta(max_length=100)] = ""
    """Only those of this server or CDN."""
    before: date | UnsetType = UNSET
    """Only those before this day, in UTC."""


class LogsForgotten(Struct, frozen=True, kw_only=True):
    """Deleted requests of a project."""

    object: Literal["log_imports"] = "log_imports"
    deleted: Annotated[bool, Meta(description="Always true.")] = True
    logs_count: int
    """Number of logs whose requests were deleted."""


class LogImportDeleted(Deleted[Literal["log_import"]], frozen=True, kw_only=True):
    """Deleted import with its requests."""


@operation("GET", PATH, {200: Items[LogImport]})
def list_log_imports(call: Call, project: str) -> Reply:
    """List the imported access logs of a project."""
    return Reply(log_imports.find(call.service, call.caller, project))


_EXAMPLE = {"source": "access.log", "format": "combined", "head_hash": "9f2c4a71d0be0000" * 2, "head_bytes": 65536, "offset": 177_000_000}
_EXAMPLE |= {"tail_hash": "71d0be9f2c4a0000" * 2, "first_at": 1_793_491_200, "last_at": 1_795_305_599, "lines": 1_000_000}


@operation(
    "POST",
    PATH,
    {200: Data[LogImportAdded], 201: Data[LogImportAdded]},
    Conflict,
    bounds=BODY,
    example={**_EXAMPLE, "days": ["2026-11-01", "2026-11-02"]},
)
def add_log_import(call: Call, project: str, *, body: LogImportCreate) -> Reply:
    """Store the requests of bots in a part of an access log.

    `findable logs FILE --project NAME --to URL` reads the log where it is and sends only these counts. The same part again changes nothing
    (200). If lines of the same source and time were imported from another file, nothing is stored (409).
    """
    made = log_imports.add(call.service, call.caller, project, body)
    return call.write_reply(Reply(made, 201 if made.is_new else 200), 0)


class LogFileQuery(Struct, frozen=True):
    """Source of a log."""

    source: Annotated[str, Meta(max_length=100)] = ""
    """Server or CDN. Default: `upload`."""
    replace: Literal[0, 1] = 0
    """1: delete imports of the same source and time."""


@operation("POST", f"{PATH}/file", {200: Data[LogImportAdded], 201: Data[LogImportAdded]}, Conflict)
async def upload_log(call: Call, project: str, *, query: LogFileQuery) -> Reply:
    """Read an access log and store the requests of bots in it.

    The body is the log, plain or compressed, or multipart with a field `file`, at most 2 GB. No line of it is stored.
    `findable logs --to` sends only counts, and has options for logs that are not recognized. The same log again changes nothing (200).
    """
    file = await streamed_file(call.headers, call.request.receive, "file")
    source = query.source or source_of(file.name or "upload")
    made = await log_uploads.upload(call.service, call.caller, project, file.blocks, source, replace=bool(query.replace))
    return call.write_reply(Reply(made, 201 if made.is_new else 200), 0)


@operation("DELETE", f"{PATH}/{{import_id}}", {200: Data[LogImportDeleted]})
def delete_log_import(call: Call, project: str, import_id: int) -> Reply:
    """Delete an imported access log with its requests."""
    log_imports.remove(call.service, call.caller, project, import_id)
    return call.write_reply(Reply(LogImportDeleted(id=import_id, object="log_import")), 0)


@operation("DELETE", PATH, {200: Data[LogsForgotten]})
def forget_logs(call: Call, project: str, *, query: ForgetQuery) -> Reply:
    """Delete all imported access logs of a project with their requests, or only those of a source.

    With `before`, only requests before that day are deleted. The logs stay known then, so that the same files do not bring them back.
    """
    count = log_imports.forget(call.service, call.caller, project, query.source, value_or(query.before))
    return call.write_reply(Reply(LogsForgotten(logs_count=count)), 0)


FOLDERS = "/projects/{project}/log-folders"


class LogFolderRemoved(Struct, frozen=True, kw_only=True):
    """Folder that is not assigned any more."""

    name: str
    object: Literal["log_folder"] = "log_folder"
    deleted: Annotated[bool, Meta(description="Always true.")] = True


@operation("GET", FOLDERS, {200: Items[LogFolder]})
def list_log_folders(call: Call, project: str) -> Reply:
    """List the folders with access logs of a project, and those that you may assign to it.

    The operator names them in the setting `log_folders`. Owners of an account with an operator may assign them.
    """
    return Reply(log_folders.find(call.service, call.caller, project))


@operation("PUT", f"{FOLDERS}/{{folder}}", {200: Data[LogFolder]})
def assign_log_folder(call: Call, project: str, folder: str) -> Reply:
    """Assign a folder: its access logs are read as they grow, from their beginnings, about every five minutes."""
    return call.write_reply(Reply(log_folders.assign(call.service, call.caller, project, folder)), 0)


@operation("DELETE", f"{FOLDERS}/{{folder}}", {200: Data[LogFolderRemoved]})
def remove_log_folder(call: Call, project: str, folder: str) -> Reply:
    """End the assignment of a folder. What was counted stays."""
    log_folders.remove(call.service, call.caller, project, folder)
    return call.write_reply(Reply(LogFolderRemoved(name=folder)), 0)
