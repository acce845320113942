"""Entry point of the `findable` command, with its exit codes for errors and crashes."""

import atexit
import gc
import sys
from typing import NoReturn

from findable import __version__
from findable.cli.exit_codes import CRASHED, TRY_LATER, USAGE
from findable.cli.terminal import clean, discard_output, replace_unencodable
from findable.errors import DatabaseUnusable, FindableError, Unavailable

GC_THRESHOLD = 100_000
"""Number of new objects after which the garbage collector runs: more than an audit of one page creates. Python's default of 700 takes a
tenth of its time.
"""


def main() -> None:
    """Run the command of the command line. Exits 2 on wrong usage with one sentence on standard error, 70 after a crash."""
    replace_unencodable()
    if sys.argv[1:] == ["--version"]:
        print(__version__)
        return
    gc.set_threshold(GC_THRESHOLD)
    gc.disable()  # what is imported stays
    atexit.register(gc.freeze)  # skips the last garbage collection, which only delays the exit
    from cyclopts import CycloptsError

    from findable.cli.commands import app

    try:
        command, arguments, _ = app.parse_args(sys.argv[1:], exit_on_error=False, print_error=False)
        gc.freeze()
        gc.enable()
        result = command(*arguments.args, **arguments.kwargs)
        if sys.stdout is not None:  # None if the parent closed it
            sys.stdout.flush()  # a closed pipe would cause an error message at interpreter exit
    except DatabaseUnusable as error:
        _print_error(str(error), TRY_LATER if error.is_temporary else CRASHED)
    except Unavailable as error:
        _print_error(str(error), TRY_LATER)
    except (CycloptsError, FindableError) as error:
        _print_error(str(error), USAGE)
    except BrokenPipeError:
        _end_quietly()
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # raised while printing help
            _end_quietly()
        raise
    except KeyboardInterrupt:
        sys.exit(130)
    except ImportError as error:
        _print_import_error(error)
    except OSError as error:  # for example a full disk
        discard_output()
        _print_error(str(error), CRASHED)
    except Exception:  # noqa: BLE001 - an internal error needs its own exit code, unlike that of a failed page
        _print_fault()
    sys.exit(result if isinstance(result, int) else 0)


def _end_quietly() -> NoReturn:
    """Exit without an error message after the reader closed the pipe (`findable checks | head`)."""
    discard_output()
    sys.exit(0)


def _print_error(text: str, code: int) -> NoReturn:
    sys.stderr.write(f"findable: {clean(text)}\n")
    sys.exit(code)


def _print_fault() -> NoReturn:
    import traceback

    traceback.print_exc()
    _print_error("this is a bug in Findable, not a problem with the page; please report it with the output above", CRASHED)


def _print_import_error(error: ImportError) -> NoReturn:
    """Exit with a message that tells how to install the extra of a missing package."""
    cause = error.__cause__ or error  # cyclopts wraps the ImportError of a command's module
    name = str(getattr(cause, "name", None) or "").partition(".")[0]
    if not isinstance(cause, ModuleNotFoundError) or name in ("", "findable"):
        _print_fault()
    if name in sys.stdlib_module_names:
        _print_error(f"`findable {sys.argv[1]}` does not run on this system: its Python has no module {name}. On Windows, use WSL", USAGE)
    extra = {"crawl": "crawl", "export": "crawl", "mcp": "mcp", "query": "crawl"}.get(sys.argv[1], "service")
    reason = f"`findable {sys.argv[1]}` needs the extra '{extra}' ({name} is not installed)"
    _print_error(f"{reason}: pip install '.[{extra}]' in a clone of Findable", USAGE)
