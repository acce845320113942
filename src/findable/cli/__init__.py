"""The command line: one file per command. Commands load nothing of the service that they do not need."""
