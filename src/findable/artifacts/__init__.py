"""Derive facts from captured bytes. Pure: no socket, no database, no clock, no setting."""
