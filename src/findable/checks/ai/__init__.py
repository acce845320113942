"""AI and answer engines: choices to see clearly; little of it is a fault."""
