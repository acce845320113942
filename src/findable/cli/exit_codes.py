"""Exit codes with the same meaning in every command; 0 and 1 depend on the command."""

USAGE = 2
"""Wrong usage, or a wrong setting."""
NOT_SEEN = 3
"""A page could not be loaded."""
BROKEN = 70
"""The command crashed (EX_SOFTWARE of sysexits.h); different from the code of a page that did not pass."""
