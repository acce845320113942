"""Run alembic migrations on the given connection, inside the current transaction."""

from alembic import context

from findable.store.schema.all_tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
context.run_migrations()
