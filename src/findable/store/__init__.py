"""All SQL, and nothing but SQL. Times are whole seconds since 1970; permissions and rules are the service's business."""
