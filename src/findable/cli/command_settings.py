"""Settings of a command."""

import sys
from collections.abc import Mapping
from typing import Any

from findable.settings import Settings


def given_settings(flags: Mapping[str, Any] | None = None, named: Mapping[str, str] | None = None) -> Settings:
    """Return all settings (see `Settings.load`); misspelled variables are reported on standard error. Raises SettingError."""
    settings = Settings.load(flags, named=named)
    for sentence in Settings.misspelt():
        sys.stderr.write(f"findable: {sentence}\n")
    return settings
