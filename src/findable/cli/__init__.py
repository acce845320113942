"""The command line: one file per command. A command imports only the modules that it needs."""
