"""What `/metrics` says, in the text format of Prometheus. Labels have few values whatever is asked; no account is named."""

from collections.abc import Iterable
from http import HTTPMethod

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from findable.clock import now
from findable.errors import Unavailable
from findable.service.app import Service

CONTENT_TYPE = CONTENT_TYPE_LATEST
NO_ROUTE = "none"
OTHER = "other"
BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_METHODS = frozenset(HTTPMethod)


class Metrics:
    """The numbers of one service."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._requests = Counter(
            "findable_requests", "Requests answered.", ("method", "route", "status"), registry=self._registry
        )  # "_total" is added
        self._seconds = Histogram(
            "findable_request_seconds",
            "How long answers took; those of reports wait for the report.",
            ("method", "route"),
            buckets=BUCKETS_S,
            registry=self._registry,
        )
        self._shed = Counter("findable_requests_shed", "Requests refused because too many were being answered.", registry=self._registry)
        self._in_flight = Gauge("findable_requests_in_flight", "Requests that are being answered.", registry=self._registry)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """One request. ``route`` is the pattern of its address, not the address."""
        method = method if method in _METHODS else OTHER
        self._requests.labels(method, route or NO_ROUTE, str(status)).inc()
        self._seconds.labels(method, route or NO_ROUTE).observe(seconds)

    def shed(self) -> None:
        """One request was refused."""
        self._shed.inc()

    def set_in_flight(self, count: int) -> None:
        """So many are being answered."""
        self._in_flight.set(count)

    def text(self, service: Service) -> bytes:
        """Everything (blocking). Where the database does not answer, what is in it is left out and `findable_database_up` is 0."""
        held = CollectorRegistry()
        held.register(_Stored(service))
        return generate_latest(self._registry) + generate_latest(held)


class _Stored(Collector):
    """What the database knows, at the moment of asking."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def describe(self) -> Iterable[Metric]:
        """Nothing beforehand: the database is asked once."""
        return ()

    def collect(self) -> Iterable[Metric]:
        """Queue, reports, size."""
        service = self._service
        yield _gauge("findable_ready", "Whether requests should be sent here.", float(service.is_ready()))
        yield _gauge("findable_waiting_requests", "Requests that wait for their report.", service.waiting_count)
        yield from _of_database(service)


def _of_database(service: Service) -> Iterable[Metric]:
    try:
        with service.store.read() as session:
            depths = session.jobs.depths()
            results = session.accounts.totals()
        size_bytes = service.store.size_bytes()
    except Unavailable:
        yield _gauge("findable_database_up", "Whether the database answers.", 0)
        return
    yield _gauge("findable_database_up", "Whether the database answers.", 1)
    yield _gauge("findable_database_bytes", "Room the database takes.", size_bytes)
    moment = now().timestamp()
    jobs = GaugeMetricFamily("findable_jobs", "Reports to be made, by state.", labels=("state",))
    ages = GaugeMetricFamily("findable_jobs_oldest_seconds", "Since the oldest of them was queued.", labels=("state",))
    for state in ("ready", "running"):
        count, oldest = depths.get(state, (0, int(moment)))
        jobs.add_metric((state,), count)
        ages.add_metric((state,), max(0.0, moment - oldest))
    reports = GaugeMetricFamily("findable_reports", "Reports by result; none: not rated yet, or not at all.", labels=("result",))
    for result, count in results.items():
        reports.add_metric((result,), count)
    yield from (jobs, ages, reports)


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=value)
