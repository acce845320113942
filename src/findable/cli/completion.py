"""`findable completion`: print the completion script of a shell."""

import contextlib
from typing import Literal


def completion(shell: Literal["bash", "zsh", "fish"], /) -> int:
    """Print the completion script of a shell.

    Args:
        shell: Shell.
    """
    from findable.cli.commands import app

    for name in list(app):
        try:
            with contextlib.suppress(TypeError):  # a flag such as --help has no command to import
                _ = app[name].default_command
        except ImportError:  # the extra with the command is not installed
            del app[name]
    print(app.generate_completion(prog_name="findable", shell=shell))
    return 0
