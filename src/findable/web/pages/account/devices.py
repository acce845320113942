"""Names of browser and operating system from the User-Agent header, by which people recognize their devices."""

import re

from findable.wording import Translator

_BROWSERS = (
    ("Edge", re.compile(r"\bEdg(?:e|A|iOS)?/")),
    ("Opera", re.compile(r"\b(?:OPR|Opera)/")),
    ("Samsung Internet", re.compile(r"\bSamsungBrowser/")),
    ("Vivaldi", re.compile(r"\bVivaldi/")),
    ("Firefox", re.compile(r"\b(?:Firefox|FxiOS)/")),
    ("Chrome", re.compile(r"\b(?:Chrome|CriOS|HeadlessChrome)/")),
    ("Safari", re.compile(r"\bSafari/")),
)
"""Patterns in order of priority: browsers also mention others in their User-Agent."""
_SYSTEMS = (
    ("iPhone", re.compile(r"\biPhone\b")),
    ("iPad", re.compile(r"\biPad\b")),
    ("Android", re.compile(r"\bAndroid\b")),
    ("Windows", re.compile(r"\bWindows\b")),
    ("macOS", re.compile(r"\bMac OS X\b|\bMacintosh\b")),
    ("ChromeOS", re.compile(r"\bCrOS\b")),
    ("Linux", re.compile(r"\bLinux\b")),
)


def device(user_agent: str, say: Translator) -> str:
    """Return browser and operating system of a User-Agent header: ``Firefox on Linux``."""
    browser = next((name for name, pattern in _BROWSERS if pattern.search(user_agent)), "")
    system = next((name for name, pattern in _SYSTEMS if pattern.search(user_agent)), "")
    if browser and system:
        return say("%(browser)s on %(system)s", browser=browser, system=system)
    return browser or system or say("Unknown device")
