"""Turn captured bytes into facts. Pure: no socket, no database, no clock, no setting."""
