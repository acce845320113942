"""AI and answer engines: settings to know about; few of them are faults."""
