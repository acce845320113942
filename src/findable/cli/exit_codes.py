"""Exit codes that mean the same in all commands that use them."""

PASSED = 0
NOT_PASSED = 1
"""A page or a site did not pass."""
USAGE = 2
"""Invalid usage, or an invalid setting."""
NOT_LOADED = 3
"""A page could not be loaded."""
CRASHED = 70
"""The command crashed, or the disk is full or failed (EX_SOFTWARE of sysexits.h); different from the code of a page that did not pass."""
TRY_LATER = 75
"""The database is locked or unreachable; the same command may work later (EX_TEMPFAIL of sysexits.h)."""
