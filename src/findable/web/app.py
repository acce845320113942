"""ASGI application of the service: routes of the API and the pages, error responses, and middleware."""

import logging

from starlette.exceptions import HTTPException
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import Request as StarletteRequest
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from findable.errors import BadRequest, NotFound, RequestError
from findable.service.runtime.oidc import OpenIdProvider
from findable.service.runtime.service import Service
from findable.service_urls import ServiceUrls
from findable.web.api import openapi
from findable.web.compression import Compression
from findable.web.metrics import Metrics
from findable.web.middleware import Edge
from findable.web.pages.account import (
    account,
    account_reports,
    audit_log,
    email_preference_forms,
    feed_files,
    instance,
    invitation,
    keys,
    people,
    provider_sign_in,
    sessions,
    sign_in,
    unsubscribe,
    views,
    webhooks,
)
from findable.web.pages.project import (
    batch,
    bots,
    changes,
    crawl_overview,
    findings,
    home,
    marker_form,
    project_csv,
    project_data,
    project_findings,
    project_page,
    project_people,
    project_questions,
    project_settings,
    project_share,
    projects,
    recipients,
    schedule_form,
    shared_project,
    site_import,
    watching,
)
from findable.web.pages.report import (
    demonstration,
    details,
    downloads,
    event_stream,
    manage,
    report_images,
    report_page,
    run_history,
    saved_page_file,
)
from findable.web.pages.result import presentation
from findable.web.pages.shared import agents, api, checks, documentation, error_code, system
from findable.web.pages.shared.page_templates import CompiledTemplates, error_page
from findable.web.pages.site import crawled_pages, site_changes, site_crawled_page, site_files, site_owner, site_page, site_questions
from findable.web.problems import InternalError, error_headers, media_type, problem_bytes
from findable.web.routing import Application, PathRouter, Request, endpoints_of

log = logging.getLogger("findable.web")

PAGES = (
    report_page, details, downloads, event_stream, report_images, demonstration, manage,
    presentation, run_history, saved_page_file,
    home, batch, findings, projects, project_page, project_csv, project_findings,
    shared_project, bots, project_data, project_questions, project_people, recipients, project_settings, project_share, site_import,
    crawl_overview, watching, schedule_form, changes, marker_form,
    site_page, site_owner, crawled_pages, site_crawled_page, site_files, site_changes, site_questions,
    account, account_reports, keys, people, instance, audit_log, webhooks, email_preference_forms,
    feed_files, views, provider_sign_in, sign_in, invitation, sessions, unsubscribe,
    agents, api, checks, system, error_code, documentation,
)  # fmt: skip
ENDPOINTS = (*(operation.endpoint for operation in openapi.OPERATIONS), *endpoints_of((openapi, *PAGES)))


def create_app(service: Service) -> Edge:
    """Return the ASGI application that serves the API and the pages of an open service."""
    settings, base_url = service.settings, service.settings.base_url
    CompiledTemplates.folder = settings.data_dir / "templates"
    metrics = Metrics()
    provider = OpenIdProvider(settings) if settings.sign_in_provider else None
    application = Application(service, ServiceUrls(base_url), metrics, provider)
    router = PathRouter(ENDPOINTS, application, _not_found)

    async def on_error(request: StarletteRequest, error: Exception) -> Response:
        return error_response(Request(application, request.scope, request.receive, _unused_send), error)

    handled = ExceptionMiddleware(router, handlers={Exception: on_error, HTTPException: on_error})
    return Edge(Compression(handled), settings, metrics)


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001 - an ASGI application
    raise NotFound


async def _unused_send(message: object) -> None:
    """Do nothing: a handler gets this as its ASGI send function, but returns its response instead of sending it."""


def error_response(request: Request, error: Exception) -> Response:
    """Return the response for an exception of a handler: JSON for the API, a page elsewhere."""
    known = _request_error(error)
    context = request.context
    if isinstance(known, InternalError):
        log.error("request %s failed with an internal error", context.request_id, exc_info=error)
    headers = error_headers(known)
    if not context.is_api:
        return error_page(request, known, headers)
    body = problem_bytes(known, request.urls.base_url, request.scope["path"], context.request_id)
    return Response(body, known.status, headers, media_type(request.headers.get("accept", "")))


def _request_error(error: Exception) -> RequestError:
    if isinstance(error, RequestError):
        return error
    return BadRequest() if isinstance(error, HTTPException) else InternalError()
