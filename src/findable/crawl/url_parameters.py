"""Query parameters of URLs: their names, and URLs without them."""

from findable.formats.session_ids import without_path_session
from findable.urls import query_parameters


def parameter_names(url: str) -> tuple[str, ...]:
    """Return the names of the query parameters, sorted, without duplicates."""
    return tuple(sorted({name for name, _ in query_parameters(url)}))


def without_parameters(url: str, names: frozenset[str]) -> str:
    """Return the URL without those query parameters and without a session id in its path."""
    if not names and ";" not in url:
        return url  # most URLs have no parameters to remove
    start, mark, query = url.partition("?")
    start = without_path_session(start)
    if not mark or not names:
        return start + mark + query
    kept = [part for part in query.split("&") if part.partition("=")[0] not in names]
    return f"{start}?{'&'.join(kept)}" if kept else start
