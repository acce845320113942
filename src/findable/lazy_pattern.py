"""Compile regular expressions on first use, because a command uses only a few."""

import re
from typing import Any, AnyStr, cast

_METHODS = ("search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn")


class LazyPattern:
    """Proxy of a `re.Pattern` that is compiled when one of its methods is first used."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._arguments = (pattern, flags)

    def compiled(self) -> "re.Pattern[Any]":
        """Return the compiled pattern."""
        return re.compile(*self._arguments)

    def __getattr__(self, name: str) -> Any:
        compiled = self.compiled()
        for method in _METHODS:  # later lookups find the method on this object, as fast as on the pattern
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> "re.Pattern[AnyStr]":
    """Return a `LazyPattern` under the type of a pattern. Functions of `re` do not accept it."""
    return cast("re.Pattern[AnyStr]", LazyPattern(pattern, flags))
