"""`findable queue`: show queued and running reports, throughput and failures."""

from collections.abc import Mapping
from typing import Literal

from msgspec import structs

from findable.cli.accounts import open_service
from findable.cli.terminal import print_json

SHOWN = 20
"""Maximum number of rows per table; JSON contains all rows."""


def queue(*, format: Literal["text", "json"] = "text") -> int:  # noqa: A002 - the name of the flag
    """Show queued and running reports, throughput and failures.

    Args:
        format: text for people, json for programs.
    """
    from findable.service.runtime.queue_status import queue_status_of

    with open_service("queue") as service:
        numbers = queue_status_of(service)
    if format == "json":
        print_json(structs.asdict(numbers))
        return 0
    oldest = f", the oldest since {_duration_words(numbers.oldest_waiting_s)}" if numbers.waiting else ""
    print(f"{numbers.waiting:,} queued{oldest}; {numbers.running:,} running; {numbers.ended_per_minute:g} finished per minute")
    _print_counts("queued by priority", numbers.waiting_by_priority if numbers.waiting else {})
    _print_counts("queued again", numbers.waiting_again)
    _print_counts("crawls", numbers.crawls if any(numbers.crawls.values()) else {})
    _print_counts("paused crawls, by reason", numbers.crawls_waiting_for)
    _print_counts("running by worker", numbers.running_by_worker)
    _print_counts("running by host", numbers.running_by_host)
    _print_counts("paused hosts, in seconds", numbers.paused_hosts)
    _print_counts("failed in the last hour", numbers.failures)
    return 0


def _print_counts(title: str, counts: Mapping[str, int]) -> None:
    if not counts:
        return
    print(f"\n{title}")
    for name, count in list(counts.items())[:SHOWN]:
        print(f"  {count:>7,}  {name}")
    if len(counts) > SHOWN:
        print(f"  {len(counts) - SHOWN:,} more not shown; use --format json to list all")


def _duration_words(seconds: int) -> str:
    minutes, hours = seconds // 60, seconds // 3600
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min {seconds % 60} s" if minutes else f"{seconds} s"
