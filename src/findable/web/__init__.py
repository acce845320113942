"""The HTTP interface and the pages: everything that knows the web framework."""
