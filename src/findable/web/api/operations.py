"""What each endpoint of the interface takes and answers, for the OpenAPI document."""

from findable.errors import PageErrorCode
from findable.web.api.openapi_parts import (
    WITH_BODY,
    Json,
    answer,
    envelope,
    errors,
    header_parameter,
    list_of,
    named_headers,
    operation,
    path_parameter,
    query_parameters,
    ref,
    request_body,
)
from findable.web.api.request_models import (
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
from findable.web.bodies import MANY

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
_NUMBER: Json = {"type": "integer", "minimum": 1}
_ID = path_parameter("id", "Number of the report.", _NUMBER, 7)
_BATCH = path_parameter("id", "Number of the batch.", _NUMBER, 3)
_PROJECT = path_parameter(
    "project",
    "Name of the project (its host, in any case, IDN or punycode) or its number.",
    {"type": "string", "minLength": 1},
    "example.com",
)
_CHECK = path_parameter("check", "Id of the check.", {"type": "string", "minLength": 1}, "meta-description")
_IF_MATCH = header_parameter("If-Match", "Answer 412 unless the report still has one of these ETags.")
_IDEMPOTENCY_KEY = header_parameter(
    "Idempotency-Key",
    "Sent again with the same fields within 24 hours, the stored reply comes back and nothing is made a second time.",
    {"type": "string", "maxLength": 255, "pattern": "^[!-~]*$"},
)
_PREFER = header_parameter("Prefer", f"wait=N (at most {MAX_WAIT_S}) or respond-async (RFC 7240).")


def paths() -> Json:
    """What stands at each path."""
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
        "/reports/{id}/runs/{run}": {"parameters": [_ID, path_parameter("run", "Number of the run.", _NUMBER, 1)], "get": _get_run()},
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
    responses = {"200": answer("A page of the list.", list_of("Summary"), "Link"), **errors("validation_failed", "bad_request")}
    return operation("listReports", "reports", "List reports", responses, parameters=query_parameters(ReportListQuery))


_OF_POST = ("Location", "ETag", "Preference-Applied", "Idempotent-Replayed")


def _create_report() -> Json:
    example = {"data": {**_EXAMPLE_REPORT, "run": 1, "explained": {}, "results": [], "facts": {}}}
    codes = ", ".join(PageErrorCode)
    responses = {
        "201": answer("The finished report.", envelope(ref("Report")), *_OF_POST, example=example),
        "202": answer("It is being made; ask again after Retry-After.", envelope(ref("Summary")), *_OF_POST, "Retry-After"),
        **errors("conflict", *WITH_BODY),
    }
    return operation(
        "createReport",
        "reports",
        "Make a report",
        responses,
        description=f"A page that could not be seen gives a report with status failed and one of the error codes {codes}.",
        parameters=[
            *query_parameters(WaitQuery),
            _PREFER,
            _IDEMPOTENCY_KEY,
        ],
        requestBody=request_body(CreateBody, {"url": "https://example.com/", "privacy": 2, "password": "correct horse"}, required=True),
    )


def _get_report() -> Json:
    responses = {
        "200": answer("The report.", envelope(ref("Report")), "ETag", "Preference-Applied"),
        "304": {"description": "The version named in If-None-Match is current.", "headers": named_headers("ETag")},
        **errors("not_found", "validation_failed", "bad_request"),
    }
    parameters = [*query_parameters(WaitQuery), _PREFER, header_parameter("If-None-Match", "ETags that are known already.")]
    return operation("getReport", "reports", "Read a report", responses, parameters=parameters)


def _update(name: str, summary: str, *, deprecated: bool = False) -> Json:
    responses = {
        "200": answer("The report.", envelope(ref("Report")), "ETag", "Preference-Applied"),
        "202": answer("It is being made again.", envelope(ref("Summary")), "Location", "ETag", "Preference-Applied", "Retry-After"),
        **errors("not_found", "conflict", "precondition_failed", *WITH_BODY),
    }
    more = {"deprecated": True} if deprecated else {}
    return operation(
        name,
        "reports",
        summary,
        responses,
        parameters=[*query_parameters(WaitQuery), _PREFER, _IF_MATCH],
        requestBody=request_body(UpdateBody, {"results": 1}, required=False),
        **more,
    )


def _delete_report() -> Json:
    deleted = {
        "type": "object",
        "required": ["id", "object", "deleted"],
        "properties": {"id": _NUMBER, "object": {"const": "report"}, "deleted": {"const": True}},
    }
    responses = {"200": answer("It is gone.", envelope(deleted)), **errors("not_found", "precondition_failed", "bad_request")}
    return operation("deleteReport", "reports", "Delete a report", responses, parameters=[_IF_MATCH])


def _list_runs() -> Json:
    found = {"200": answer("Newest first.", envelope({"type": "array", "items": ref("Run")})), **errors("not_found", "bad_request")}
    return operation("listRuns", "reports", "List the runs of a report's address", found)


def _get_run() -> Json:
    responses = {"200": answer("The report.", envelope(ref("Report"))), **errors("not_found", "bad_request")}
    return operation("getRun", "reports", "Read the report as it was in a run", responses)


def _get_changes() -> Json:
    responses = {"200": answer("What changed.", envelope(ref("Changes"))), **errors("not_found", "validation_failed", "bad_request")}
    return operation(
        "getChanges", "reports", "Compare the report with an earlier run", responses, parameters=query_parameters(ChangesQuery)
    )


def _get_client() -> Json:
    responses = {"200": answer("What is written and chosen.", envelope(ref("Client"))), **errors("not_found", "bad_request")}
    return operation("getClient", "reports", "Read what is shown to the client", responses)


def _put_client() -> Json:
    responses = {
        "200": answer("What is written and chosen now.", envelope(ref("Client"))),
        **errors("not_found", "precondition_failed", *WITH_BODY),
    }
    example = {"summary": "In good order but for two things.", "notes": {"noindex": "We ask the agency."}, "prepared_for": "Miller"}
    return operation(
        "putClient",
        "reports",
        "Write for the client",
        responses,
        description="Replaces all of it: what is not sent is taken away. It stays when the report is generated again.",
        parameters=[_IF_MATCH],
        requestBody=request_body(ClientBody, example, required=False),
    )


def _get_link() -> Json:
    responses = {"200": answer("The link.", envelope(ref("Link")), "ETag"), **errors("not_found", "bad_request")}
    return operation("getLink", "reports", "Read the link of a report and its terms", responses)


def _put_link() -> Json:
    responses = {
        "200": answer("The link, as it is now.", envelope(ref("Link")), "ETag"),
        **errors("not_found", "precondition_failed", *WITH_BODY),
    }
    body = request_body(LinkBody, {"until": "2027-01-31"}, required=False)
    return operation("putLink", "reports", "Change the terms of the link", responses, parameters=[_IF_MATCH], requestBody=body)


def _post_link() -> Json:
    responses = {
        "201": answer("The new link.", envelope(ref("Link")), "ETag", "Location"),
        **errors("not_found", "precondition_failed", "bad_request"),
    }
    return operation(
        "renewLink",
        "reports",
        "Give the report a new link",
        responses,
        description="The old one, and what was unlocked with it, ends at once. Its terms stay.",
        parameters=[_IF_MATCH],
    )


def _accept_finding() -> Json:
    responses = {"200": answer("The report.", envelope(ref("Report")), "ETag"), **errors("not_found", "precondition_failed", *WITH_BODY)}
    return operation(
        "acceptFinding",
        "reports",
        "Accept what a check holds against the page",
        responses,
        description="The finding leaves the score at once and in later runs. Other reports of a project follow when they are made again.",
        parameters=[_IF_MATCH],
        requestBody=request_body(AcceptBody, {"reason": "agreed with legal", "until": "2027-01-31"}, required=True),
    )


def _withdraw_acceptance() -> Json:
    responses = {
        "200": answer("The report.", envelope(ref("Report")), "ETag"),
        **errors("not_found", "precondition_failed", "validation_failed", "bad_request"),
    }
    parameters = [*query_parameters(WithdrawQuery), _IF_MATCH]
    return operation("withdrawAcceptance", "reports", "Accept a finding no longer", responses, parameters=parameters)


def _list_projects() -> Json:
    responses = {"200": answer("A page of the list.", list_of("Project"), "Link"), **errors("validation_failed", "bad_request")}
    return operation("listProjects", "projects", "List projects", responses, parameters=query_parameters(ProjectListQuery))


def _get_project() -> Json:
    responses = {"200": answer("The project.", envelope(ref("ProjectWhole"))), **errors("not_found", "bad_request")}
    return operation("getProject", "projects", "Read a project", responses)


def _make_project() -> Json:
    responses = {
        "200": answer("There was a project of that site.", envelope(ref("ProjectWhole")), "Location"),
        "201": answer("The project.", envelope(ref("ProjectWhole")), "Location"),
        **errors(*WITH_BODY),
    }
    return operation(
        "makeProject",
        "projects",
        "Make a project before its first report",
        responses,
        description="To set what a staging site wants to see. Else a project is made with the first report of one of its pages.",
        requestBody=request_body(NewProjectBody, {"project": "staging.example.com"}, required=True),
    )


def _update_project(name: str, summary: str) -> Json:
    responses = {"200": answer("The project.", envelope(ref("ProjectWhole"))), **errors("not_found", *WITH_BODY)}
    body = request_body(ProjectBody, {"not_for_search": ["/thanks*", "https://example.com/cart/*"]}, required=False)
    return operation(
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
    responses = {"200": answer("It is gone, its reports too.", envelope(deleted)), **errors("not_found", "bad_request")}
    return operation("deleteProject", "projects", "Delete a project and its reports", responses)


def _list_batches() -> Json:
    found = envelope({"type": "array", "items": ref("BatchSummary")})
    found = {**found, "required": ["data", "links"], "properties": {**found["properties"], "links": ref("ListLinks")}}
    responses = {"200": answer("Newest first.", found, "Link"), **errors("validation_failed", "bad_request")}
    return operation("listBatches", "batches", "List batches", responses, parameters=query_parameters(BatchListQuery))


def _create_batch() -> Json:
    responses = {
        "202": answer(
            "It is accepted; ask for it again after Retry-After.", envelope(ref("Batch")), "Location", "Retry-After", "Idempotent-Replayed"
        ),
        **errors("conflict", *WITH_BODY),
    }
    return operation(
        "createBatch",
        "batches",
        "Report on many addresses",
        responses,
        description=f"The body may have {MANY.body_bytes // 1024**2} MiB. Addresses that cannot be analysed are listed among the failures.",
        parameters=[_IDEMPOTENCY_KEY],
        requestBody=request_body(BatchBody, {"urls": ["https://example.com/", "https://example.com/about"]}, required=True),
    )


def _get_batch() -> Json:
    responses = {"200": answer("The batch.", envelope(ref("Batch"))), **errors("not_found", "bad_request")}
    return operation("getBatch", "batches", "Read how far a batch is", responses)


def _list_members() -> Json:
    found = envelope({"type": "array", "items": ref("Member")})
    responses = {"200": answer("All of them, in the order sent.", found), **errors("not_found", "bad_request")}
    return operation("listBatchReports", "batches", "List the addresses of a batch with their reports", responses)


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
    responses = {"200": answer("The account of the key.", envelope(account)), **errors("bad_request")}
    return operation("getAccount", "account", "Read the account", responses)
