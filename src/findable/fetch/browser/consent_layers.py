"""Dismiss the layers of well-known consent services: refuse if they offer that, and click nothing else."""

import asyncio
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from findable.artifacts.tables.consent_services import CONSENT_SERVICES, ConsentService
from findable.capture.rendering import ConsentChoice, DismissedLayer
from findable.clock import monotonic_s
from findable.fetch.browser.browser_events import DescribedNode, EvaluationResult, World
from findable.fetch.browser.devtools_pipe import BrowserError, Session
from findable.fetch.browser.open_page import OpenPage
from findable.fetch.browser.page_scripts import CONSENT, CONSENT_LAYER, WORLD, try_collector

LAYER_S = 2.0
"""Time to wait for a layer to appear after the page is ready."""
GONE_S = 2.0
"""Time to wait for the layer to disappear."""
CALL_S = 2.0
"""Timeout of a call of the service's JavaScript API."""
POLL_S = 0.1
_LAYERS = tuple(service.layer for service in CONSENT_SERVICES)


class _ButtonFrame(Struct, frozen=True):
    """Frame that contains the buttons of a consent layer."""

    session: Session
    frame_id: str
    layer: str
    """CSS selector of the element that must contain the button; empty for anywhere in the frame."""


class ConsentLayers:
    """Consent layers of a page that is ready.

    Args:
        page: the open page.
        frame_id: its main frame.
    """

    def __init__(self, page: OpenPage, frame_id: str) -> None:
        self._page = page
        self._main = _ButtonFrame(page.session, frame_id, "")

    async def dismiss(self) -> DismissedLayer | None:
        """Dismiss the first consent layer that is shown; return None if there is none, or it has nothing that may be clicked.

        Raises BrowserEnded.
        """
        service = await self._wait_for_service()
        if service is None:
            return None
        answer, by = await self._choose(service)
        return DismissedLayer(service.name, answer, by, is_gone=await self._is_gone(service)) if by else None

    async def _wait_for_service(self) -> ConsentService | None:
        """Wait for a consent layer to be shown; return its service, None if none appears in time."""
        ends_s = monotonic_s() + LAYER_S
        while True:
            place = await self._first_shown(_LAYERS)
            if place >= 0:
                return CONSENT_SERVICES[place]
            if monotonic_s() > ends_s:
                return None
            await asyncio.sleep(POLL_S)

    async def _choose(self, service: ConsentService) -> tuple[ConsentChoice, str]:
        """Refuse or accept consent; return the choice and the selector or call that made it, empty if nothing worked."""
        place = await self._button_frame_of(service)
        if place is not None and (clicked := await self._click(place, service.reject)):
            return ConsentChoice.REFUSED, clicked
        if service.reject_call and await self._call(service.reject_call):
            return ConsentChoice.REFUSED, service.reject_call
        return ConsentChoice.ACCEPTED, await self._click(place, service.accept) if place is not None else ""

    async def _first_shown(self, layers: Sequence[str]) -> int:
        """Return the index of the first selector whose layer is shown; -1 for none, or if the page does not respond."""
        return await try_collector(self._main.session, self._main.frame_id, CONSENT_LAYER, layers, default=-1)

    async def _click(self, place: _ButtonFrame, buttons: Sequence[str]) -> str:
        """Click the first visible button and return its selector; empty if none is visible."""
        return await try_collector(place.session, place.frame_id, CONSENT, place.layer, buttons, default="")

    async def _call(self, expression: str) -> bool:
        """Call the service's API in the page; return whether it raised no error."""
        try:
            evaluated = await self._main.session.call(
                "Runtime.evaluate", EvaluationResult, expression=f"{expression};0", awaitPromise=True, returnByValue=True, timeout_s=CALL_S
            )
        except BrowserError:
            return False
        return evaluated.exception_details is None

    async def _button_frame_of(self, service: ConsentService) -> _ButtonFrame | None:
        """Return the frame of the service's buttons; None if it cannot be found."""
        if not service.frame:
            return _ButtonFrame(self._main.session, self._main.frame_id, service.layer)
        session = self._main.session
        try:
            world = await session.call("Page.createIsolatedWorld", World, frameId=self._main.frame_id, worldName=WORLD)
            element = await session.call(
                "Runtime.evaluate",
                EvaluationResult,
                expression=f"document.querySelector({msgspec.json.encode(service.frame).decode()})",
                contextId=world.execution_context_id,
            )
            described = await session.call("DOM.describeNode", DescribedNode, objectId=element.result.object_id)
        except BrowserError:
            return None
        frame_id = described.node.frame_id
        return _ButtonFrame(self._page.frames.get(frame_id, session), frame_id, "") if frame_id else None

    async def _is_gone(self, service: ConsentService) -> bool:
        """Wait for the layer to disappear; return whether it did."""
        ends_s = monotonic_s() + GONE_S
        while monotonic_s() < ends_s:
            await asyncio.sleep(POLL_S)
            if await self._first_shown((service.layer,)) < 0:
                return True
        return False
