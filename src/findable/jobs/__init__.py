"""Run queued jobs in a worker."""
