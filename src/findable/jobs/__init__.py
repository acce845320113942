"""How work that was accepted reaches a worker. The table of leases is SQL and lives in the store; here is what carries it."""
