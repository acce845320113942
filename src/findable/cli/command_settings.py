"""Settings of the service, as the commands load them."""

import sys
from collections.abc import Mapping
from typing import Any

from findable.settings import Settings


def load_settings(flags: Mapping[str, Any] | None = None, flag_names: Mapping[str, str] | None = None) -> Settings:
    """Return all settings (see `Settings.load`), and report misspelled variables on standard error. Raises SettingError."""
    settings = Settings.load(flags, flag_names=flag_names)
    for sentence in Settings.misspelt():
        sys.stderr.write(f"findable: {sentence}\n")
    return settings
