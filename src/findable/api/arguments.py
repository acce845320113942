"""Keyword arguments of functions from the options of a command, so that each option is declared once."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

Keywords = ParamSpec("Keywords")
Options = TypeVar("Options")
Subject = TypeVar("Subject")
Made = TypeVar("Made")


def takes_options(
    kind: Callable[Keywords, Options],
) -> Callable[[Callable[[Subject, Options], Made]], Callable[Concatenate[Subject, Keywords], Made]]:
    """Return a decorator: a function of a subject and options gets the fields of the options as keyword arguments."""
    fields = inspect.signature(kind).parameters
    repeatable = {name for name, field in fields.items() if field.default == ()}

    def decorate(use: Callable[[Subject, Options], Made]) -> Callable[Concatenate[Subject, Keywords], Made]:
        @wraps(use)
        def call(subject: Subject, /, *args: Keywords.args, **kwargs: Keywords.kwargs) -> Made:
            given: dict[str, Any] = {name: _values(value) if name in repeatable else value for name, value in kwargs.items()}
            return use(subject, kind(*args, **given))

        first, *_ = inspect.signature(use).parameters.values()
        signature = inspect.Signature([first.replace(kind=first.POSITIONAL_ONLY), *fields.values()])
        call.__signature__ = signature  # type: ignore[attr-defined]  # shown by help() and completed in notebooks
        return call

    return decorate


def _values(value: Any) -> tuple[Any, ...]:
    """Return the values of an option that a command line may repeat; a single text is one value."""
    return (value,) if isinstance(value, str) else tuple(value)
