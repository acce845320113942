"""Access to the databases, by SQL statements. Times are whole seconds since 1970; `findable.service` checks permissions and rules."""
