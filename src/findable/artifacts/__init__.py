"""Bytes to facts. Pure: no socket, no database, no clock, no setting."""
