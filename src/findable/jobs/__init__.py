"""Run queued jobs in a worker. The leases are stored in SQL tables of the store."""
