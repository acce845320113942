"""Exit codes that mean the same in every command; 0 and 1 are each command's own answer."""

USAGE = 2
"""The command was not understood, or a setting is wrong."""
NOT_SEEN = 3
"""A page could not be seen."""
BROKEN = 70
"""The command itself broke (EX_SOFTWARE of sysexits.h), so that no pipeline takes it for a page that did not pass."""
