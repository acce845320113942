"""Run queued jobs in a worker. The store keeps their leases in SQL tables."""
