"""The OpenAPI 3.1 document, from what the endpoints declare."""

from functools import cache
from typing import Any

from litestar.serialization import encode_json
from pydantic import BaseModel, TypeAdapter

from findable.errors import NOT_SEEN_CODES
from findable.web.api import shapes
from findable.web.api.addresses import API, ListLinks
from findable.web.api.models import (
    MAX_WAIT_S,
    AcceptBody,
    BatchBody,
    BatchListQuery,
    ChangesQuery,
    ClientBody,
    CreateBody,
    LinkBody,
    NewProjectBody,
    ProjectBody,
    ProjectListQuery,
    ReportListQuery,
    UpdateBody,
    WaitQuery,
    WithdrawQuery,
)
from findable.web.bodies import JSON, MANY, MULTIPART, URLENCODED
from findable.web.problems import EXPLAINED, PLAIN_JSON, PROBLEM_JSON, RETRY_SOON_S

REF = "#/components/schemas/{model}"
Json = dict[str, Any]

_INTRODUCTION = """Make, list, read, change and delete SEO reports.

Every request carries `Authorization: Bearer KEY`. Bodies are sent as `application/x-www-form-urlencoded`, `multipart/form-data` or JSON.
Answers are JSON whatever `Accept` says. A report takes seconds: `POST /reports` waits up to 20 s for it and answers 201, or 202 when it
takes longer; then ask `GET /reports/{id}?wait=20`. Errors carry the members of RFC 9457 and `message` and `errors`."""

_SHAPES: dict[str, Any] = {
    "Report": shapes.Report,
    "Summary": shapes.Summary,
    "Project": shapes.Project,
    "ProjectWhole": shapes.ProjectWhole,
    "Run": shapes.Run,
    "Changes": shapes.ChangesShape,
    "Client": shapes.Client,
    "Link": shapes.Link,
    "Batch": shapes.Batch,
    "BatchSummary": shapes.BatchSummary,
    "Member": shapes.Member,
    "ListMeta": shapes.ListMeta,
    "ListLinks": ListLinks,
}

_EXAMPLE_REPORT: Json = {
    "id": 7,
    "object": "report",
    "public_id": "Zq3xkT0pV9uWn2LrYb8sMA",
    "url": "https://example.com/",
    "project": "example.com",
    "status": "done",
    "result": "good",
    "score": 93,
    "coverage": 1.0,
    "privacy": 2,
    "has_password": True,
    "created_at": "2026-11-21T10:00:00Z",
    "generated_at": "2026-11-21T10:00:04Z",
    "updated_at": "2026-11-21T10:00:04Z",
    "error": None,
    "engine": {"version": "0.1.0", "ruleset": "2026-11", "profile": "static"},
    "judged_as": None,
    "last_error": None,
    "previous": {"report": 5, "run": 1, "result": "decent", "score": 84, "change": 9},
    "not_asked": ["lcp"],
    "counts": {"failed": 1, "warned": 6, "passed": 88, "inapplicable": 20, "unknown": 3, "info": 12},
    "categories": [{"id": "indexability", "title": "Indexability & crawling", "score": 100}],
    "links": {
        "self": "https://seo.example.com/api/v1/reports/7",
        "html": "https://seo.example.com/r/Zq3xkT0pV9uWn2LrYb8sMA",
        "project": "https://seo.example.com/api/v1/projects/example.com",
        "json": "https://seo.example.com/r/Zq3xkT0pV9uWn2LrYb8sMA/report.json",
        "csv": "https://seo.example.com/r/Zq3xkT0pV9uWn2LrYb8sMA/report.csv",
        "markdown": "https://seo.example.com/r/Zq3xkT0pV9uWn2LrYb8sMA/report.md",
        "pdf": "https://seo.example.com/r/Zq3xkT0pV9uWn2LrYb8sMA/report.pdf",
    },
}

_ERRORS = {error.slug: error for error in EXPLAINED}
_EVERYWHERE = ("unauthenticated", "forbidden", "rate_limited", "internal_error", "unavailable")
_WITH_BODY = ("bad_request", "payload_too_large", "unsupported_media_type", "validation_failed")

_HEADERS: Json = {
    "X-Request-Id": {"description": "Finds the request in our log.", "schema": {"type": "string"}},
    "ETag": {"description": "Version of the report.", "schema": {"type": "string"}},
    "Location": {"description": "Address of the report.", "schema": {"type": "string", "format": "uri"}},
    "Link": {"description": "Other pages of the list (RFC 8288).", "schema": {"type": "string"}},
    "Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}},
    "Idempotent-Replayed": {"description": "The reply to an earlier request with that Idempotency-Key.", "schema": {"const": "true"}},
    "Preference-Applied": {"description": "What was followed of Prefer (RFC 7240).", "schema": {"type": "string"}},
    "WWW-Authenticate": {"description": "Keys go into Authorization: Bearer KEY.", "schema": {"type": "string"}},
    "RateLimit": {"description": "What is left of the minute.", "schema": {"type": "string"}},
    "RateLimit-Policy": {"description": "Requests a minute for each key.", "schema": {"type": "string"}},
}


@cache
def document(base_url: str) -> Json:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Findable",
            "version": "1",
            "description": _INTRODUCTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": f"{base_url}{API}"}],
        "security": [{"key": []}],
        "tags": [{"name": "reports"}, {"name": "projects"}, {"name": "batches"}, {"name": "account"}],
        "paths": _paths(),
        "components": {
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": "An API key with the scopes read, write or both."}
            },
            "schemas": _schemas(),
            "headers": _HEADERS,
            "responses": {slug: _error_response(slug) for slug in _ERRORS},
        },
    }


@cache
def document_bytes(base_url: str) -> bytes:
    """The same as JSON."""
    return encode_json(document(base_url))


def _schemas() -> Json:
    definitions: Json = {}
    for name, shape in _SHAPES.items():
        schema = TypeAdapter(shape).json_schema(ref_template=REF)
        definitions |= schema.pop("$defs", {})
        definitions[name] = schema
    definitions["Error"] = _ERROR_SCHEMA
    return definitions


_ERROR_SCHEMA: Json = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "instance", "code", "message", "errors", "request_id"],
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "code": {"type": "string", "enum": sorted(_ERRORS)},
        "message": {"type": "string"},
        "errors": {
            "type": "object",
            "description": "Field to sentences.",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
        "request_id": {"type": "string"},
    },
}


def _error_response(slug: str) -> Json:
    error = _ERRORS[slug]
    example = {
        "type": f"https://seo.example.com/errors/{slug}",
        "title": error.title,
        "status": error.status,
        "detail": error.title,
        "instance": f"{API}/reports",
        "code": slug,
        "message": error.title,
        "errors": {},
        "request_id": "9f1c2d3e4b5a6978",
    }
    schema = {"$ref": REF.format(model="Error")}
    own = ["Retry-After"] if slug in RETRY_SOON_S else ["WWW-Authenticate"] if slug == "unauthenticated" else []
    return {
        "description": EXPLAINED[error],
        "headers": _named_headers("X-Request-Id", *own),
        "content": {PLAIN_JSON: {"schema": schema, "example": example}, PROBLEM_JSON: {"schema": schema}},
    }


def _errors(*slugs: str) -> Json:
    """Responses by status; two codes with one status share an entry."""
    found: Json = {}
    for slug in (*slugs, *_EVERYWHERE):
        found.setdefault(str(_ERRORS[slug].status), {"$ref": f"#/components/responses/{slug}"})
    return found


def _ref(model: str) -> Json:
    return {"$ref": REF.format(model=model)}


def _ok(description: str, schema: Json, *headers: str, example: Any = None) -> Json:
    content: Json = {"schema": schema}
    if example is not None:
        content["example"] = example
    return {
        "description": description,
        "headers": _named_headers("X-Request-Id", "RateLimit", "RateLimit-Policy", *headers),
        "content": {PLAIN_JSON: content},
    }


def _named_headers(*names: str) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _one(schema: Json) -> Json:
    """The envelope of one object."""
    meta = {"type": "object", "properties": {"warnings": {"type": "array", "items": {"type": "string"}}}}
    return {"type": "object", "required": ["data"], "properties": {"data": schema, "meta": meta}}


def _list(model: str) -> Json:
    return {
        "type": "object",
        "required": ["data", "links", "meta"],
        "properties": {"data": {"type": "array", "items": _ref(model)}, "links": _ref("ListLinks"), "meta": _ref("ListMeta")},
    }


def _query(model: type[BaseModel]) -> list[Json]:
    """Parameters from a model of the query."""
    schema = model.model_json_schema()
    return [
        {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "description": member.pop("description", ""),
            "schema": _plain(member, schema.get("$defs", {})),
        }
        for name, member in schema["properties"].items()
    ]


_EMPTY: Json = {"const": "", "description": "Counts as absent, as an empty text does for every field."}


def _plain(member: Json, definitions: Json) -> Json:
    """A member without null (a query cannot say it), references resolved."""
    if "anyOf" in member:
        (kept,) = (choice for choice in member["anyOf"] if choice.get("type") != "null")
        member = {**kept, **{name: value for name, value in member.items() if name not in ("anyOf", "default") or value}}
        member.pop("anyOf", None)
    if member.get("default", "") in ("", None):
        member.pop("default", None)
    if "$ref" in member:
        found = definitions[member.pop("$ref").rpartition("/")[2]]
        member = {**{name: value for name, value in found.items() if name not in ("title", "description")}, **member}
    member.pop("title", None)
    if member.get("format"):
        member = {"anyOf": [{"type": member.pop("type"), "format": member.pop("format")}, _EMPTY], **member}
    return member


def _or_null(member: Json) -> Json:
    """``null`` counts as absent where it can be said."""
    types = member["type"] if isinstance(member["type"], list) else [member["type"]]
    nullable = {**member, "type": [*types, "null"]}
    return {**nullable, "enum": [*member["enum"], None]} if "enum" in member else nullable


def _body(model: type[BaseModel], example: Json, *, required: bool) -> Json:
    schema = model.model_json_schema()
    flat = {
        "type": "object",
        "properties": {name: _or_null(_plain(member, schema.get("$defs", {}))) for name, member in schema["properties"].items()},
        "required": schema.get("required", []),
    }
    content = {"schema": flat, "example": example}
    return {"required": required, "content": {URLENCODED: content, JSON: content, MULTIPART: content}}


def _path(name: str, description: str, schema: Json, example: Any) -> Json:
    return {"name": name, "in": "path", "required": True, "description": description, "schema": schema, "example": example}


def _header(name: str, description: str, schema: Json | None = None) -> Json:
    return {"name": name, "in": "header", "required": False, "description": description, "schema": schema or {"type": "string"}}


_NUMBER: Json = {"type": "integer", "minimum": 1}
_ID = _path("id", "Number of the report.", _NUMBER, 7)
_BATCH = _path("id", "Number of the batch.", _NUMBER, 3)
_PROJECT = _path(
    "project",
    "Name of the project (its host, in any case, IDN or punycode) or its number.",
    {"type": "string", "minLength": 1},
    "example.com",
)
_CHECK = _path("check", "Id of the check.", {"type": "string", "minLength": 1}, "meta-description")
_IF_MATCH = _header("If-Match", "Answer 412 unless the report still has one of these ETags.")
_IDEMPOTENCY_KEY = _header(
    "Idempotency-Key",
    "Sent again with the same fields within 24 hours, the stored reply comes back and nothing is made a second time.",
    {"type": "string", "maxLength": 255, "pattern": "^[!-~]*$"},
)
_PREFER = _header("Prefer", f"wait=N (at most {MAX_WAIT_S}) or respond-async (RFC 7240).")


def _operation(name: str, tag: str, summary: str, responses: Json, **more: Any) -> Json:
    return {"operationId": name, "tags": [tag], "summary": summary, "responses": responses, **more}


def _paths() -> Json:
    return {
        "/reports": {"get": _list_reports(), "post": _create_report()},
        "/reports/{id}": {
            "parameters": [_ID],
            "get": _get_report(),
            "put": _update("updateReport", "Change a report, or generate its results again"),
            "patch": _update("patchReport", "The same as PUT"),
            "post": _update("postReport", "The same as PUT, for older clients", deprecated=True),
            "delete": _delete_report(),
        },
        "/reports/{id}/runs": {"parameters": [_ID], "get": _list_runs()},
        "/reports/{id}/runs/{run}": {"parameters": [_ID, _path("run", "Number of the run.", _NUMBER, 1)], "get": _get_run()},
        "/reports/{id}/changes": {"parameters": [_ID], "get": _get_changes()},
        "/reports/{id}/client": {"parameters": [_ID], "get": _get_client(), "put": _put_client()},
        "/reports/{id}/link": {"parameters": [_ID], "get": _get_link(), "put": _put_link(), "post": _post_link()},
        "/projects": {"get": _list_projects(), "post": _make_project()},
        "/reports/{id}/accepted/{check}": {"parameters": [_ID, _CHECK], "put": _accept_finding(), "delete": _withdraw_acceptance()},
        "/projects/{project}": {
            "parameters": [_PROJECT],
            "get": _get_project(),
            "put": _update_project("updateProject", "Change a project"),
            "patch": _update_project("patchProject", "The same as PUT"),
            "delete": _delete_project(),
        },
        "/batches": {"get": _list_batches(), "post": _create_batch()},
        "/batches/{id}": {"parameters": [_BATCH], "get": _get_batch()},
        "/batches/{id}/reports": {"parameters": [_BATCH], "get": _list_members()},
        "/account": {"get": _get_account()},
    }


def _list_reports() -> Json:
    responses = {"200": _ok("A page of the list.", _list("Summary"), "Link"), **_errors("validation_failed", "bad_request")}
    return _operation("listReports", "reports", "List reports", responses, parameters=_query(ReportListQuery))


_OF_POST = ("Location", "ETag", "Preference-Applied", "Idempotent-Replayed")


def _create_report() -> Json:
    example = {"data": {**_EXAMPLE_REPORT, "run": 1, "explained": {}, "results": [], "facts": {}}}
    codes = ", ".join(NOT_SEEN_CODES)
    responses = {
        "201": _ok("The finished report.", _one(_ref("Report")), *_OF_POST, example=example),
        "202": _ok("It is being made; ask again after Retry-After.", _one(_ref("Summary")), *_OF_POST, "Retry-After"),
        **_errors("conflict", *_WITH_BODY),
    }
    return _operation(
        "createReport",
        "reports",
        "Make a report",
        responses,
        description=f"A page that could not be seen gives a report with status failed and one of the error codes {codes}.",
        parameters=[
            *_query(WaitQuery),
            _PREFER,
            _IDEMPOTENCY_KEY,
        ],
        requestBody=_body(CreateBody, {"url": "https://example.com/", "privacy": 2, "password": "correct horse"}, required=True),
    )


def _get_report() -> Json:
    responses = {
        "200": _ok("The report.", _one(_ref("Report")), "ETag", "Preference-Applied"),
        "304": {"description": "The version named in If-None-Match is current.", "headers": _named_headers("ETag")},
        **_errors("not_found", "validation_failed", "bad_request"),
    }
    parameters = [*_query(WaitQuery), _PREFER, _header("If-None-Match", "ETags that are known already.")]
    return _operation("getReport", "reports", "Read a report", responses, parameters=parameters)


def _update(name: str, summary: str, *, deprecated: bool = False) -> Json:
    responses = {
        "200": _ok("The report.", _one(_ref("Report")), "ETag", "Preference-Applied"),
        "202": _ok("It is being made again.", _one(_ref("Summary")), "Location", "ETag", "Preference-Applied", "Retry-After"),
        **_errors("not_found", "conflict", "precondition_failed", *_WITH_BODY),
    }
    more = {"deprecated": True} if deprecated else {}
    return _operation(
        name,
        "reports",
        summary,
        responses,
        parameters=[*_query(WaitQuery), _PREFER, _IF_MATCH],
        requestBody=_body(UpdateBody, {"results": 1}, required=False),
        **more,
    )


def _delete_report() -> Json:
    deleted = {
        "type": "object",
        "required": ["id", "object", "deleted"],
        "properties": {"id": _NUMBER, "object": {"const": "report"}, "deleted": {"const": True}},
    }
    responses = {"200": _ok("It is gone.", _one(deleted)), **_errors("not_found", "precondition_failed", "bad_request")}
    return _operation("deleteReport", "reports", "Delete a report", responses, parameters=[_IF_MATCH])


def _list_runs() -> Json:
    found = {"200": _ok("Newest first.", _one({"type": "array", "items": _ref("Run")})), **_errors("not_found", "bad_request")}
    return _operation("listRuns", "reports", "List the runs of a report's address", found)


def _get_run() -> Json:
    responses = {"200": _ok("The report.", _one(_ref("Report"))), **_errors("not_found", "bad_request")}
    return _operation("getRun", "reports", "Read the report as it was in a run", responses)


def _get_changes() -> Json:
    responses = {"200": _ok("What changed.", _one(_ref("Changes"))), **_errors("not_found", "validation_failed", "bad_request")}
    return _operation("getChanges", "reports", "Compare the report with an earlier run", responses, parameters=_query(ChangesQuery))


def _get_client() -> Json:
    responses = {"200": _ok("What is written and chosen.", _one(_ref("Client"))), **_errors("not_found", "bad_request")}
    return _operation("getClient", "reports", "Read what is shown to the client", responses)


def _put_client() -> Json:
    responses = {
        "200": _ok("What is written and chosen now.", _one(_ref("Client"))),
        **_errors("not_found", "precondition_failed", *_WITH_BODY),
    }
    example = {"summary": "In good order but for two things.", "notes": {"noindex": "We ask the agency."}, "prepared_for": "Miller"}
    return _operation(
        "putClient",
        "reports",
        "Write for the client",
        responses,
        description="Replaces all of it: what is not sent is taken away. It stays when the report is generated again.",
        parameters=[_IF_MATCH],
        requestBody=_body(ClientBody, example, required=False),
    )


def _get_link() -> Json:
    responses = {"200": _ok("The link.", _one(_ref("Link")), "ETag"), **_errors("not_found", "bad_request")}
    return _operation("getLink", "reports", "Read the link of a report and its terms", responses)


def _put_link() -> Json:
    responses = {
        "200": _ok("The link, as it is now.", _one(_ref("Link")), "ETag"),
        **_errors("not_found", "precondition_failed", *_WITH_BODY),
    }
    body = _body(LinkBody, {"until": "2027-01-31"}, required=False)
    return _operation("putLink", "reports", "Change the terms of the link", responses, parameters=[_IF_MATCH], requestBody=body)


def _post_link() -> Json:
    responses = {
        "201": _ok("The new link.", _one(_ref("Link")), "ETag", "Location"),
        **_errors("not_found", "precondition_failed", "bad_request"),
    }
    return _operation(
        "renewLink",
        "reports",
        "Give the report a new link",
        responses,
        description="The old one, and what was unlocked with it, ends at once. Its terms stay.",
        parameters=[_IF_MATCH],
    )


def _accept_finding() -> Json:
    responses = {"200": _ok("The report.", _one(_ref("Report")), "ETag"), **_errors("not_found", "precondition_failed", *_WITH_BODY)}
    return _operation(
        "acceptFinding",
        "reports",
        "Accept what a check holds against the page",
        responses,
        description="The finding leaves the score at once and in later runs. Other reports of a project follow when they are made again.",
        parameters=[_IF_MATCH],
        requestBody=_body(AcceptBody, {"reason": "agreed with legal", "until": "2027-01-31"}, required=True),
    )


def _withdraw_acceptance() -> Json:
    responses = {
        "200": _ok("The report.", _one(_ref("Report")), "ETag"),
        **_errors("not_found", "precondition_failed", "validation_failed", "bad_request"),
    }
    parameters = [*_query(WithdrawQuery), _IF_MATCH]
    return _operation("withdrawAcceptance", "reports", "Accept a finding no longer", responses, parameters=parameters)


def _list_projects() -> Json:
    responses = {"200": _ok("A page of the list.", _list("Project"), "Link"), **_errors("validation_failed", "bad_request")}
    return _operation("listProjects", "projects", "List projects", responses, parameters=_query(ProjectListQuery))


def _get_project() -> Json:
    responses = {"200": _ok("The project.", _one(_ref("ProjectWhole"))), **_errors("not_found", "bad_request")}
    return _operation("getProject", "projects", "Read a project", responses)


def _make_project() -> Json:
    responses = {
        "200": _ok("There was a project of that site.", _one(_ref("ProjectWhole")), "Location"),
        "201": _ok("The project.", _one(_ref("ProjectWhole")), "Location"),
        **_errors(*_WITH_BODY),
    }
    return _operation(
        "makeProject",
        "projects",
        "Make a project before its first report",
        responses,
        description="To set what a staging site wants to see. Else a project is made with the first report of one of its pages.",
        requestBody=_body(NewProjectBody, {"project": "staging.example.com"}, required=True),
    )


def _update_project(name: str, summary: str) -> Json:
    responses = {"200": _ok("The project.", _one(_ref("ProjectWhole"))), **_errors("not_found", *_WITH_BODY)}
    body = _body(ProjectBody, {"not_for_search": ["/thanks*", "https://example.com/cart/*"]}, required=False)
    return _operation(
        name, "projects", summary, responses, requestBody=body, description="Reports that are made from now on follow the settings."
    )


def _delete_project() -> Json:
    deleted = {
        "type": "object",
        "required": ["id", "object", "project", "deleted", "reports_deleted"],
        "properties": {
            "id": _NUMBER,
            "object": {"const": "project"},
            "project": {"type": "string"},
            "deleted": {"const": True},
            "reports_deleted": {"type": "integer", "minimum": 0},
        },
    }
    responses = {"200": _ok("It is gone, its reports too.", _one(deleted)), **_errors("not_found", "bad_request")}
    return _operation("deleteProject", "projects", "Delete a project and its reports", responses)


def _list_batches() -> Json:
    found = _one({"type": "array", "items": _ref("BatchSummary")})
    found = {**found, "required": ["data", "links"], "properties": {**found["properties"], "links": _ref("ListLinks")}}
    responses = {"200": _ok("Newest first.", found, "Link"), **_errors("validation_failed", "bad_request")}
    return _operation("listBatches", "batches", "List batches", responses, parameters=_query(BatchListQuery))


def _create_batch() -> Json:
    responses = {
        "202": _ok(
            "It is accepted; ask for it again after Retry-After.", _one(_ref("Batch")), "Location", "Retry-After", "Idempotent-Replayed"
        ),
        **_errors("conflict", *_WITH_BODY),
    }
    return _operation(
        "createBatch",
        "batches",
        "Report on many addresses",
        responses,
        description=f"The body may have {MANY.body_bytes // 1024**2} MiB. Addresses that cannot be analysed are listed among the failures.",
        parameters=[_IDEMPOTENCY_KEY],
        requestBody=_body(BatchBody, {"urls": ["https://example.com/", "https://example.com/about"]}, required=True),
    )


def _get_batch() -> Json:
    responses = {"200": _ok("The batch.", _one(_ref("Batch"))), **_errors("not_found", "bad_request")}
    return _operation("getBatch", "batches", "Read how far a batch is", responses)


def _list_members() -> Json:
    found = _one({"type": "array", "items": _ref("Member")})
    responses = {"200": _ok("All of them, in the order sent.", found), **_errors("not_found", "bad_request")}
    return _operation("listBatchReports", "batches", "List the addresses of a batch with their reports", responses)


def _get_account() -> Json:
    numbers = {"type": "object", "additionalProperties": {"type": "integer"}}
    key = {
        "type": "object",
        "required": ["prefix", "scopes", "expires_at"],
        "properties": {
            "prefix": {"type": "string"},
            "scopes": {"type": "array", "items": {"enum": ["read", "write"]}},
            "expires_at": {"type": ["string", "null"], "format": "date-time"},
        },
    }
    account = {
        "type": "object",
        "required": ["id", "object", "name", "email", "key", "limits", "usage"],
        "properties": {
            "id": _NUMBER,
            "object": {"const": "account"},
            "name": {"type": "string"},
            "email": {"type": "string"},
            "created_at": {"type": "string", "format": "date-time"},
            "key": key,
            "limits": numbers,
            "usage": numbers,
        },
    }
    responses = {"200": _ok("The account of the key.", _one(account)), **_errors("bad_request")}
    return _operation("getAccount", "account", "Read the account", responses)
