"""HTML pages of the service, in contrast to its JSON API."""
