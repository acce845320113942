"""Heartbeats of workers: how often they are stored, and when a worker without one is lost."""

LOST_AFTER_S = 30
"""Time without a heartbeat after which a worker is lost and its jobs are queued again."""
HEARTBEAT_S = LOST_AFTER_S / 3
"""Interval of heartbeats."""
