"""Metrics of the service in the text format of Prometheus, for `/metrics`. Labels have few values and name no accounts."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from http import HTTPMethod

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from findable.errors import Unavailable
from findable.service.runtime.queue_status import QueueStatus, queue_status_of
from findable.service.runtime.service import Service

CONTENT_TYPE = CONTENT_TYPE_LATEST
NO_ROUTE = "none"
OTHER = "other"
BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
MAX_CACHED_COUNTERS = 1024
"""Number of cached counters: a lookup in the client library takes a lock."""
_METHODS = frozenset(HTTPMethod)


class Metrics:
    """Counters of the process, and the response of `/metrics`."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._requests = Counter(
            "findable_requests", "Requests with a response.", ("method", "route", "status"), registry=self._registry
        )  # prometheus_client appends "_total"
        self._seconds = Histogram(
            "findable_request_seconds",
            "Response times; those of reports include the wait for the report.",
            ("method", "route"),
            buckets=BUCKETS_S,
            registry=self._registry,
        )
        self._shed = Counter("findable_requests_shed", "Requests rejected because too many were in progress.", registry=self._registry)
        self._in_flight = Gauge("findable_requests_in_flight", "Requests in progress.", registry=self._registry)
        self._count = lru_cache(MAX_CACHED_COUNTERS)(self._requests.labels)
        self._observe = lru_cache(MAX_CACHED_COUNTERS)(self._seconds.labels)

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request with its duration. ``route``: pattern of the matching route, empty without one."""
        method = method if method in _METHODS else OTHER
        self._count(method, route or NO_ROUTE, status).inc()
        self._observe(method, route or NO_ROUTE).observe(seconds)

    def count_rejected(self) -> None:
        """Count one request that was rejected because too many were in progress."""
        self._shed.inc()

    def read_in_flight(self, count: Callable[[], int]) -> None:
        """Set the function that returns the load of the requests in progress at each scrape."""
        self._in_flight.set_function(count)

    def text(self, service: Service) -> bytes:
        """Return all metrics (blocking). If the database does not respond, its metrics are missing and `findable_database_up` is 0."""
        held = CollectorRegistry()
        held.register(_DatabaseCollector(service))
        return generate_latest(self._registry) + generate_latest(held)


class _DatabaseCollector(Collector):
    """Metrics of the service and its database, read at each scrape."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def describe(self) -> Iterable[Metric]:
        """Return nothing, so that the registration does not read the database."""
        return ()

    def collect(self) -> Iterable[Metric]:
        """Yield readiness, waiting requests, and the metrics of the database: size, queue and reports."""
        service = self._service
        yield _gauge("findable_ready", "Whether requests should be sent here.", float(service.is_ready()))
        yield _gauge("findable_waiting_requests", "Requests waiting for their report.", service.waiting_count)
        yield from _database_metrics(service)


def _database_metrics(service: Service) -> Iterable[Metric]:
    try:
        queue = queue_status_of(service)
        with service.store.read() as session:
            results = session.accounts.totals()
        size_bytes = service.store.size_bytes()
    except Unavailable:
        yield _gauge("findable_database_up", "Whether the database responds.", 0)
        return
    yield _gauge("findable_database_up", "Whether the database responds.", 1)
    yield _gauge("findable_database_bytes", "Size of the database in bytes.", size_bytes)
    yield from _queue_metrics(queue)
    yield _gauges("findable_reports", "Reports by rating; none: not rated.", "result", results)


def _queue_metrics(queue: QueueStatus) -> Iterable[Metric]:
    """Yield the values of `findable queue` except those per host and per worker, whose number is unlimited."""
    states = {"ready": queue.waiting, "running": queue.running}
    ages = {"ready": queue.oldest_waiting_s, "running": queue.oldest_running_s}
    yield _gauges("findable_jobs", "Queued and running reports, by state.", "state", states)
    yield _gauges("findable_jobs_oldest_seconds", "Seconds since the oldest report was queued, by state.", "state", ages)
    yield _gauges("findable_jobs_waiting", "Queued reports, by queue.", "queue", queue.waiting_by_priority)
    yield _gauges(
        "findable_jobs_waiting_again", "Queued reports whose worker or process was lost, by reason.", "reason", queue.waiting_again
    )
    yield _gauges("findable_crawls", "Queued and running crawls, by state.", "state", queue.crawls)
    yield _gauges("findable_crawls_waiting_for", "Paused crawls, by reason.", "reason", queue.crawls_waiting_for)
    yield _gauge(
        "findable_jobs_ended_per_minute",
        "Reports generated or failed per minute, averaged over the last five minutes.",
        queue.ended_per_minute,
    )
    yield _gauges(
        "findable_jobs_failed_last_hour", "Reports of the last hour that failed or could not be rated, by error.", "code", queue.failures
    )
    yield _gauge("findable_workers_at_work", "Workers that are generating a report.", len(queue.running_by_worker))
    yield _gauge("findable_hosts_paused", "Hosts that requested a pause.", len(queue.paused_hosts))


def _gauges(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, text, labels=(label,))
    for value, count in values.items():
        family.add_metric((value,), count)
    return family


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=value)
