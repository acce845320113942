"""The engine for its own tools: ``procrastinate --app findable.jobs.operators_app.app shell``, with libpq's ``PG…`` variables."""

from procrastinate import App, PsycopgConnector

app = App(connector=PsycopgConnector())
"""Lists queues, jobs and workers; runs nothing."""
