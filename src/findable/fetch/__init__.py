"""The only package that opens sockets to audited sites."""
