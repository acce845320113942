"""Run Findable's scripts in a page, isolated from the page's own scripts."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TypeVar

import msgspec

from findable.fetch.browser.browser_events import EvaluationResult, World
from findable.fetch.browser.devtools_pipe import BrowserError, CommandFailed, Session

T = TypeVar("T")
WORLD = "findable"
ELEMENTS, LAYOUT, IMAGES, ACCESSIBILITY, VITALS = "elements", "layout", "images", "accessibility", "vitals"
CONSENT, CONSENT_LAYER, USER_AGENT = "consent", "consent_layer", "user_agent"
_WITH_ELEMENTS = frozenset({LAYOUT, IMAGES, ACCESSIBILITY, VITALS, CONSENT, CONSENT_LAYER})
"""Collectors whose first argument is the functions of elements.js."""


@cache
def script_source(name: str) -> str:
    """Return the source of collectors/NAME.js, an expression."""
    return files("findable.fetch.browser").joinpath("collectors", f"{name}.js").read_text(encoding="utf-8")


def _call(name: str, arguments: Sequence[object]) -> str:
    """Return the expression that calls a collector."""
    given = ",".join(msgspec.json.encode(argument).decode() for argument in arguments)
    return f"({script_source(name)})({script_source(ELEMENTS) + ',' if name in _WITH_ELEMENTS else ''}{given})"


async def run_in_new_documents(session: Session, name: str, *arguments: object) -> None:
    """Call a collector in each document of the page before the document's own scripts run. Raises BrowserError."""
    await session.send("Page.addScriptToEvaluateOnNewDocument", source=_call(name, arguments), worldName=WORLD)


def run_before_page_scripts(session: Session, name: str, *arguments: object) -> None:
    """Call a script before the page's own scripts, in each document or in the worker of this session. The call returns without waiting."""
    source = _call(name, arguments)
    session.send_without_reply("Page.addScriptToEvaluateOnNewDocument", source=source)
    session.send_without_reply("Runtime.evaluate", expression=source)


async def run_collector(session: Session, frame_id: str, name: str, kind: type[T], *arguments: object, timeout_s: float = 5.0) -> T:
    """Run a collector in an isolated world of the frame and return its result.

    Raises BrowserError, also for a result of another type.
    """
    world = await session.call("Page.createIsolatedWorld", World, frameId=frame_id, worldName=WORLD, timeout_s=timeout_s)
    if name == ACCESSIBILITY:
        # axe-core as published, followed by a statement that discards its result
        axe = script_source("axe-core/axe.min") + "\n;0"
        await session.send("Runtime.evaluate", expression=axe, contextId=world.execution_context_id, timeout_s=timeout_s)
    evaluated = await session.call(
        "Runtime.evaluate",
        EvaluationResult,
        expression=_call(name, arguments),
        contextId=world.execution_context_id,
        returnByValue=True,
        awaitPromise=True,
        timeout_s=timeout_s,
    )
    if evaluated.exception_details is not None:
        raise CommandFailed(f"{name}: the script failed")
    try:
        return msgspec.convert(evaluated.result.value, kind, strict=False)
    except (msgspec.ValidationError, RecursionError) as error:
        raise CommandFailed(f"{name}: {error}") from error


async def try_collector(session: Session, frame_id: str, name: str, *arguments: object, default: T, timeout_s: float = 5.0) -> T:
    """Run a collector and return its result, of the type of ``default``; ``default`` if it fails. Raises BrowserEnded."""
    try:
        return await run_collector(session, frame_id, name, type(default), *arguments, timeout_s=timeout_s)
    except BrowserError:
        return default
