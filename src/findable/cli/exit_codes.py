"""Exit codes that mean the same in all commands that use them."""

PASSED = 0
NOT_PASSED = 1
"""A page or a site did not pass."""
USAGE = 2
"""Invalid usage, or an invalid setting."""
NOT_LOADED = 3
"""A page could not be loaded."""
CRASHED = 70
"""The command crashed (EX_SOFTWARE of sysexits.h); different from the code of a page that did not pass."""
