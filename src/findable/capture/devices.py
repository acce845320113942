"""Devices that the browser emulates: the sizes of their viewports."""

from msgspec import Struct


class Device(Struct, frozen=True):
    """Device that the browser emulates."""

    name: str
    viewport_width_px: int
    viewport_height_px: int
    pixel_ratio: float = 1.0
    """Device pixels per CSS pixel."""


PHONE = Device("phone", 412, 823, 1.75)
DESKTOP = Device("desktop", 1350, 940)
