"""All SQL, and nothing but SQL. Times are whole seconds since 1970; the service decides about permissions and rules."""
