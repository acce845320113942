"""Use cases of reports: create, list, show, share, run again."""
