"""Web server with the pages, the HTTP API and the agent tools of the service."""
