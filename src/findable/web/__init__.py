"""The HTTP API and the pages: everything that knows the web framework."""
