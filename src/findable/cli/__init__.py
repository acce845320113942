"""The command line: one file per command. Nothing of the service is loaded by the commands that do not need it."""
