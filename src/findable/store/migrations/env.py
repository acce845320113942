"""How alembic runs our migrations: on the connection it is given, inside the transaction that stands."""

from alembic import context

from findable.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
context.run_migrations()
