"""Signing in with a one-time link: looking at it changes nothing, pressing the button uses it up."""

from litestar import Response, get, post
from litestar.params import FromPath

from findable.errors import NotFound
from findable.service import accounts
from findable.service.app import Service
from findable.web.auth import cookies, refuse_cross_site, session_cookie, session_cookie_name
from findable.web.context import header_map
from findable.web.pages.rendering import PageRequest, page, see_other

NO_REFERRER = {"Referrer-Policy": "no-referrer"}


@get("/sign-in/{token:str}")
async def get_link(token: FromPath[str]) -> Response[bytes]:
    """A button; mail scanners and previews that follow the link do not use it up."""
    del token
    return page("sign_in.html", headers=NO_REFERRER)


@post("/sign-in/{token:str}", status_code=303)
async def post_link(request: PageRequest, token: FromPath[str]) -> Response[bytes]:
    """Signs in."""
    service: Service = request.app.state.service
    refuse_cross_site(header_map(request.scope["headers"]), service.settings.base_url)
    if "\0" in token:
        raise NotFound
    session = await service.run(accounts.redeem_link, token)
    if session is None:
        return page("sign_in_failed.html", status=410, headers=NO_REFERRER)
    return see_other("/", [session_cookie(service.settings.base_url, session)])


@post("/sign-out", status_code=303)
async def post_sign_out(request: PageRequest) -> Response[bytes]:
    """Signs out, on our side too."""
    service: Service = request.app.state.service
    headers = header_map(request.scope["headers"])
    refuse_cross_site(headers, service.settings.base_url)
    token = cookies(headers).get(session_cookie_name(service.settings.base_url), "")
    if token:
        await service.run(accounts.end_session, token)
    return see_other("/", [session_cookie(service.settings.base_url, None)])
