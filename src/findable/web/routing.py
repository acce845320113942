"""Declaration of handlers with their methods and paths, and the routes that call them."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import cached_property
from inspect import iscoroutinefunction
from types import ModuleType
from typing import Any

from msgspec import Struct
from starlette.requests import Request as StarletteRequest
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from findable.service.runtime.oidc import OpenIdProvider
from findable.service.runtime.service import Service
from findable.service_urls import ServiceUrls
from findable.web.auth import refuse_cross_site
from findable.web.bodies import ORDINARY, TEXTS, Bounds, Fields, Kinds, read_fields
from findable.web.metrics import Metrics
from findable.web.problems import MethodNotAllowed
from findable.web.query_strings import Query, parse_query
from findable.web.request_context import Context, context_of


class Application(Struct, frozen=True):
    """Objects that all handlers share: service, URLs, metrics and OpenID provider."""

    service: Service
    urls: ServiceUrls
    metrics: Metrics
    provider: OpenIdProvider | None = None
    """OpenID provider of the settings, None without one."""


class Request(StarletteRequest):
    """HTTP request with the shared objects of the `Application`."""

    def __init__(self, application: Application, scope: Scope, receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self.service = application.service
        self.urls = application.urls
        self.metrics = application.metrics
        self.provider = application.provider

    @property
    def context(self) -> Context:
        """Id, network and rate limits of the request."""
        return context_of(self.scope)

    @cached_property
    def query(self) -> Query:
        """Parameters of the query string. Raises BadRequest if it is malformed."""
        return parse_query(self.scope["query_string"])

    async def form_fields(self, bounds: Bounds = ORDINARY, kinds: Kinds = TEXTS) -> Fields:
        """Return the fields of a form of this service. Raises Forbidden for a form of another site, and the errors of `fields`."""
        refuse_cross_site(self.headers, self.service.settings.base_url)
        return await self.fields(bounds, kinds)

    async def fields(self, bounds: Bounds = ORDINARY, kinds: Kinds = TEXTS) -> Fields:
        """Return the fields of the request body. Raises the errors of `read_fields`."""
        return await read_fields(self.headers, self.receive, bounds, kinds)


class Endpoint(Struct, frozen=True):
    """Handler with its method and paths."""

    method: str
    paths: tuple[str, ...]
    handle: Callable[..., Awaitable[Response]]
    """Handler, which takes the request and the path parameters by name."""


def get(*paths: str) -> Callable[[Callable[..., Awaitable[Response] | Response]], Endpoint]:
    """Declare a handler for GET and HEAD of these paths. One that is not a coroutine runs in a thread of the service."""
    return lambda handle: Endpoint("GET", paths, handle if iscoroutinefunction(handle) else _in_thread(handle))


def post(*paths: str) -> Callable[[Callable[..., Awaitable[Response]]], Endpoint]:
    """Declare a handler for POST of these paths."""
    return lambda handle: Endpoint("POST", paths, handle)


def _in_thread(handle: Callable[..., Any]) -> Callable[..., Awaitable[Response]]:
    def run(request: Request, **values: str) -> Awaitable[Response]:
        return request.service.run(lambda _service: handle(request, **values))

    return run


def endpoints_of(modules: Iterable[ModuleType]) -> tuple[Endpoint, ...]:
    """Return the endpoints of these modules, alone or in tuples, once each: a module may import the page that shows its form again."""
    values = (value for module in modules for value in vars(module).values())
    found = (one for value in values for one in (value if isinstance(value, tuple) else (value,)))
    return tuple(dict.fromkeys(one for one in found if isinstance(one, Endpoint)))


class PathRouter(Router):
    """Router with one route per path for all its methods, so that its `Allow` header is complete.

    Paths without parameters are looked up; only the others are compared one by one.
    """

    def __init__(self, endpoints: Iterable[Endpoint], application: Application, default: ASGIApp) -> None:
        handlers: dict[str, dict[str, Endpoint]] = {}
        for endpoint in endpoints:
            for path in endpoint.paths:
                handlers.setdefault(path, {})[endpoint.method] = endpoint
        found = {path: PathHandler(path, by_method, application) for path, by_method in handlers.items()}
        self._fixed = {path: handler for path, handler in found.items() if "{" not in path}
        routes = [Route(path, handler) for path, handler in found.items() if path not in self._fixed]
        super().__init__(routes, redirect_slashes=False, default=default)

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request to the handler of its path, or to the default."""
        handler = self._fixed.get(scope.get("path", ""))
        if handler is None:
            await super().app(scope, receive, send)
        else:
            scope.update(endpoint=handler, path_params={})
            await handler(scope, receive, send)


class PathHandler:
    """ASGI application for one path. HEAD arrives as GET, OPTIONS as a method that no path has (`middleware.Edge`)."""

    def __init__(self, path: str, endpoints: Mapping[str, Endpoint], application: Application) -> None:
        self.path = path
        self._endpoints = endpoints
        self._application = application
        self._allow = ", ".join(sorted({*endpoints, "OPTIONS", *({"HEAD"} if "GET" in endpoints else ())}))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response of the handler for the method. Raises MethodNotAllowed, and the errors of the handler."""
        endpoint = self._endpoints.get(scope["method"])
        if endpoint is None:
            raise MethodNotAllowed(self._allow)
        parameters: dict[str, Any] = scope["path_params"]
        response = await endpoint.handle(Request(self._application, scope, receive, send), **parameters)
        await response(scope, receive, send)
