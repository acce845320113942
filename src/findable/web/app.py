"""Puts the interface and the pages together."""

import logging
from typing import Any

from litestar import Litestar, Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException, MethodNotAllowedException, NotFoundException

from findable.errors import BadRequest, NotFound, RequestError
from findable.service.runtime.app import Service
from findable.web.api import (
    acceptance_routes,
    account_routes,
    batch_routes,
    document_routes,
    link_routes,
    project_routes,
    project_settings_routes,
    report_creation,
    report_routes,
)
from findable.web.api import client_routes as client_api
from findable.web.api.api_urls import Addresses
from findable.web.compression import Compression
from findable.web.metrics import Metrics
from findable.web.middleware import Edge
from findable.web.pages.account import account as account_pages
from findable.web.pages.account import keys as key_pages
from findable.web.pages.account import people as people_pages
from findable.web.pages.account import sign_in
from findable.web.pages.project import batch as batch_pages
from findable.web.pages.project import findings, home, project_settings
from findable.web.pages.project import projects as project_pages
from findable.web.pages.report import (
    client,
    demonstration,
    downloads,
    event_stream,
    manage,
    owner_presentation,
    report_images,
    run_history,
    saved_page_file,
    share,
)
from findable.web.pages.shared import checks, system
from findable.web.pages.shared.rendering import error_page
from findable.web.problems import InternalError, MethodNotAllowed, error_headers, media_type, problem_bytes
from findable.web.request_context import context_of, header_map

log = logging.getLogger("findable.web")

HANDLERS = [
    account_routes.get_account,
    project_routes.list_projects,
    project_routes.get_project,
    project_routes.delete_project,
    project_settings_routes.make_project,
    project_settings_routes.update_project,
    project_settings_routes.patch_project,
    report_routes.list_reports,
    report_routes.get_report,
    report_routes.delete_report,
    report_routes.list_runs,
    report_routes.get_run,
    report_routes.get_changes,
    client_api.get_client,
    client_api.put_client,
    link_routes.get_link,
    link_routes.put_link,
    link_routes.post_link,
    acceptance_routes.accept_finding,
    acceptance_routes.withdraw_acceptance,
    report_creation.create_report,
    report_creation.update_report,
    report_creation.patch_report,
    report_creation.post_report,
    batch_routes.list_batches,
    batch_routes.create_batch,
    batch_routes.get_batch,
    batch_routes.list_members,
    document_routes.get_openapi,
    document_routes.get_docs,
    home.get_home,
    home.post_report,
    batch_pages.get_batch,
    findings.get_findings,
    sign_in.get_sign_in,
    sign_in.post_sign_in,
    sign_in.get_link,
    sign_in.post_link,
    sign_in.get_welcome,
    sign_in.post_welcome,
    sign_in.get_invitation,
    sign_in.post_invitation,
    sign_in.post_sign_out,
    account_pages.get_account,
    account_pages.post_profile,
    account_pages.post_email,
    account_pages.post_password,
    account_pages.get_sessions,
    account_pages.post_end_session,
    account_pages.post_end_sessions,
    account_pages.get_delete_account,
    account_pages.post_delete_account,
    key_pages.get_keys,
    key_pages.post_key,
    key_pages.get_revoke_key,
    key_pages.post_revoke_key,
    people_pages.get_people,
    people_pages.post_invite,
    people_pages.post_withdraw,
    people_pages.post_role,
    people_pages.get_remove_person,
    people_pages.post_remove_person,
    project_pages.get_projects,
    project_pages.post_project,
    project_pages.get_project,
    project_pages.get_project_csv,
    project_settings.get_settings,
    project_settings.get_logo,
    project_settings.post_patterns,
    project_settings.post_brand,
    project_settings.post_identity,
    project_settings.get_delete_project,
    project_settings.post_delete_project,
    demonstration.get_demonstration,
    share.get_share,
    share.post_share,
    downloads.get_download,
    downloads.get_pdf,
    downloads.get_badge,
    report_images.get_picture,
    manage.post_again,
    manage.post_privacy,
    manage.get_delete,
    manage.post_delete,
    manage.post_accepted,
    manage.post_withdraw,
    client.get_client,
    client.post_client,
    client.get_link,
    client.post_link,
    client.post_new_link,
    owner_presentation.get_brand,
    event_stream.get_events,
    run_history.get_history,
    run_history.get_compare,
    saved_page_file.get_evidence,
    checks.get_checks,
    checks.get_check,
    system.get_error,
    system.get_healthz,
    system.get_metrics,
    system.get_readyz,
    system.get_robots,
    system.get_favicon,
    system.get_static,
]


def create_app(service: Service) -> Edge:
    """The ASGI application over an open service."""
    base_url = service.settings.base_url
    metrics = Metrics()
    application = Litestar(
        HANDLERS,
        exception_handlers={Exception: answer_error},
        openapi_config=None,
        logging_config=None,
        state=State({"service": service, "addresses": Addresses(base_url), "metrics": metrics}),
    )
    return Edge(Compression(application), base_url, metrics, service.settings.trusted_proxies)


def answer_error(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Every error of every route: JSON under /api/, a page elsewhere."""
    known = _known(error)
    context = context_of(request.scope)
    if isinstance(known, InternalError):
        log.error("request %s failed", context.request_id, exc_info=error)
    headers = error_headers(known)
    if not context.is_api:
        return error_page(request, known, headers)
    path = request.scope["path"]
    body = problem_bytes(known, request.app.state.addresses.base_url, path, context.request_id)
    accept = header_map(request.scope["headers"]).get("accept", "")
    return Response(body, status_code=known.status, media_type=media_type(accept), headers=headers)


def _known(error: Exception) -> RequestError:
    if isinstance(error, RequestError):
        return error
    if isinstance(error, MethodNotAllowedException):
        allowed = {method.strip() for method in (error.headers or {}).get("allow", "").split(",")}
        return MethodNotAllowed(", ".join(sorted({*allowed, "OPTIONS", *({"HEAD"} if "GET" in allowed else ())})))
    if isinstance(error, NotFoundException):
        return NotFound()
    if isinstance(error, HTTPException) and error.status_code < InternalError.status:
        return BadRequest()
    return InternalError()
