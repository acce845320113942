"""Run queued jobs in a worker. The leases are SQL and live in the store."""
