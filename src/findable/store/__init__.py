"""SQL statements and database access only. Times are whole seconds since 1970; the service decides about permissions and rules."""
