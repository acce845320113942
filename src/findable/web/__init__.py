"""HTTP API and pages: all code that depends on the web framework."""
