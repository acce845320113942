"""The `findable` command."""

import sys
import traceback
from typing import NoReturn

from findable import __version__
from findable.cli.exit_codes import BROKEN, USAGE
from findable.cli.terminal import clean, hush, speak_plainly
from findable.errors import FindableError


def main() -> None:
    """Runs the command; exits 2 on wrong usage with one sentence on standard error, 70 where it breaks."""
    speak_plainly()
    if sys.argv[1:] == ["--version"]:
        print(__version__)
        return
    from cyclopts import CycloptsError

    from findable.cli.commands import app

    try:
        result = app(sys.argv[1:], exit_on_error=False, print_error=False, result_action="return_value")
        if sys.stdout is not None:  # it was closed by whoever started us
            sys.stdout.flush()  # here and not when the interpreter ends, where a reader who went away is complained about
    except (CycloptsError, FindableError) as error:
        _complain(str(error), USAGE)
    except BrokenPipeError:
        _end_unheard()
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # what prints the help says it so
            _end_unheard()
        raise
    except KeyboardInterrupt:
        sys.exit(130)
    except ImportError as error:
        _complain_of_import(error)
    except OSError as error:  # a full disk, say
        hush()
        _complain(str(error), BROKEN)
    except Exception:  # noqa: BLE001 - whatever it is, its exit code must not be the one of a page that did not pass
        _complain_of_fault()
    sys.exit(result if isinstance(result, int) else 0)


def _end_unheard() -> NoReturn:
    """The reader went away (`findable checks | head`): nothing is left to say."""
    hush()
    sys.exit(0)


def _complain(text: str, code: int) -> NoReturn:
    sys.stderr.write(f"findable: {clean(text)}\n")
    sys.exit(code)


def _complain_of_fault() -> NoReturn:
    traceback.print_exc()
    _complain("this is a fault of Findable and not of the page; please report it with what stands above", BROKEN)


def _complain_of_import(error: ImportError) -> NoReturn:
    """A package that is not installed belongs to the extra `service`: what the base imports is always there."""
    cause = error.__cause__ or error  # cyclopts imports the command and says so
    name = str(getattr(cause, "name", None) or "").partition(".")[0]
    if not isinstance(cause, ModuleNotFoundError) or name in ("", "findable"):
        _complain_of_fault()
    reason = f"`findable {sys.argv[1]}` needs the extra 'service' ({name} is not installed)"
    _complain(f"{reason}: pip install 'findable-seo[service]'", USAGE)
