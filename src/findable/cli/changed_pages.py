"""Selection of the pages that a change in the repository affects (`--changed-from`)."""

import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from findable.cli.source_files import SourceFiles
from findable.errors import SettingError
from findable.urls import Url

GIT_S = 60
Page = TypeVar("Page")


class ChangedPages(Struct, frozen=True):
    """Selection of pages: those whose own source file changed, and one page for each template."""

    changed: frozenset[str]
    """Changed files, relative to the working directory."""
    sources: SourceFiles

    def select(self, pages: Sequence[Page], url_of: Callable[[Page], Url]) -> list[Page]:
        """Return the pages to check, in order. The pages of one rule of `[source]` have one template.

        Pages without a source file, or that are all made of one file, share the template of their folder.
        """
        selected, templates = [], set[str]()
        for page in pages:
            url = url_of(page)
            found = self.sources.source_of(url.href)
            template = found.urls if found is not None else f"{url.origin}/{url.path.strip('/').partition('/')[0]}"
            is_own = found is not None and found.is_own and found.path in self.changed
            if is_own or template not in templates:
                selected.append(page)
            templates.add(template)
        return selected


def changed_files(revision: str) -> frozenset[str]:
    """Return the files below the working directory that differ from where its branch left a revision; new files too.

    Raises SettingError if git or the revision is missing.
    """
    changed = _git("diff", "--name-only", "-z", "--relative", "--diff-filter=d", "--merge-base", "--end-of-options", revision, "--")
    return frozenset(filter(None, (changed + _git("ls-files", "-z", "--others", "--exclude-standard")).split("\0")))


def _git(*arguments: str) -> str:
    program = shutil.which("git")
    if program is None:
        raise SettingError("--changed-from", "git is not installed")
    done = subprocess.run([program, *arguments], capture_output=True, check=False, timeout=GIT_S, cwd=Path())  # noqa: S603 - git, and a revision that cannot be an option
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0].removeprefix("fatal: ")
        raise SettingError("--changed-from", f"git: {said}. In a pipeline, fetch the whole history (fetch-depth: 0)")
    return done.stdout.decode("utf-8", "surrogateescape")
