"""The command line: one file per command. A command imports only the parts of the service that it needs."""
