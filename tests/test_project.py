"""The project as it is handed out: metadata, lock, wheel, and what make does for a newcomer."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from findable import __version__
from findable.store.schema_versions import REVISIONS
from tools.class_names import class_names, problems, repeated

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
LOCKED = dict(re.findall(r"^([a-z0-9-]+)==(\S+)", LOCK, re.MULTILINE))


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Its own process, nothing on standard input, the environment of a terminal without our settings."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("FINDABLE_", "PYTHON", "PYTEST_", "MAKE"))}
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=inherited | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


LONGEST_NAME = 80

# --- names


def test_names_of_tests_are_short() -> None:
    names = {name for path in (ROOT / "tests").rglob("*.py") for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))}

    assert len(names) > 1000
    assert [name for name in sorted(names) if len(name) > LONGEST_NAME] == []


def test_a_new_class_name_is_refused_if_the_package_has_it_already(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("class Visit: ...\nclass _Row: ...\nclass Own:\n    class Visit: ...\n")
    (tmp_path / "b.py").write_text("class Visit: ...\nclass _Row: ...\nclass Other: ...\n")
    found = repeated(class_names(sorted(tmp_path.iterdir())))

    assert found == {"Visit": 2}
    assert problems(found, {"Visit": 2}) == []
    assert problems(found, {}) == ["Visit: 2 classes have this name; choose another one"]
    assert [line.partition(":")[0] for line in problems(found, {"Visit": 3, "Gone": 2})] == ["Visit", "Gone"]


# --- layout


def test_the_store_has_no_limits_of_findable() -> None:
    modules = list((ROOT / "src/findable/store").rglob("*.py"))

    assert len(modules) > 50
    assert [path.name for path in modules if "(set by Findable)" in path.read_text(encoding="utf-8")] == []  # they belong to crawl/site


# --- metadata and lock


def every_requirement() -> list[str]:
    project = PROJECT["project"]
    extras = project["optional-dependencies"].values()
    every = [*project["dependencies"], *(one for extra in extras for one in extra), *PROJECT["dependency-groups"]["dev"]]
    return [one for one in every if not one.startswith(f"{project['name']}[")]  # an extra of ours within another


def test_the_lock_satisfies_what_the_project_asks_for() -> None:
    for asked in map(Requirement, every_requirement()):
        assert LOCKED[canonicalize_name(asked.name)] in asked.specifier, asked


def test_every_locked_file_has_a_hash() -> None:
    entries = [entry for entry in re.split(r"^(?=[a-z0-9-]+==)", LOCK, flags=re.MULTILINE) if "==" in entry]

    assert len({entry.partition("==")[0] for entry in entries}) == len(LOCKED) > 50  # one version for each range of interpreters
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def entries_of(lock: str) -> dict[str, set[str]]:
    """Name to what pip reads of it: version, condition, hashes."""
    lines = [line for line in lock.replace("\\\n", " ").splitlines() if "==" in line]
    return {line.partition("==")[0]: set(line.partition("    #")[0].split()) for line in lines}


@pytest.mark.parametrize(("name", "extras"), [("command", ("crawl",)), ("service", ("service", "pdf", "postgresql"))])
def test_s95_what_an_operator_installs_is_a_part_of_the_lock(name: str, extras: tuple[str, ...]) -> None:
    part, whole = entries_of((ROOT / f"packaging/{name}.lock").read_text(encoding="utf-8")), entries_of(LOCK)
    project = PROJECT["project"]
    wanted = [*project["dependencies"], *(one for extra in extras for one in project["optional-dependencies"][extra])]
    assert {canonicalize_name(Requirement(one).name) for one in wanted} - {project["name"]} < set(part)
    assert "hatchling" in part  # what builds the project is not fetched beside the lock
    assert {key for key, entry in part.items() if not entry <= whole[key]} == set()


OTHERS = r"install( (pandas|pyarrow|duckdb|openpyxl|matplotlib|jupyterlab))+$"
"""Programs that read our results are installed as their makers say."""


def test_s95_documented_installations_ask_for_hashes_and_no_tag() -> None:
    places = [
        *(path for path in (ROOT / "docs").rglob("*.md") if path.parent.name != "decisions"),
        ROOT / "README.md",
        ROOT / "packaging/Dockerfile",
        ROOT / "packaging/gitlab/findable.yml",
    ]
    lines = [line for path in places for line in path.read_text(encoding="utf-8").splitlines()]
    installs = [line for line in lines if re.search(r"pipx? install ", line)]
    clones = [line for line in lines if "git clone" in line or "git+http" in line]
    assert len(installs) >= 8
    assert [line for line in installs if not re.search(f"--require-hashes|--no-deps --no-build-isolation|{OTHERS}", line)] == []
    assert len(clones) >= 2
    assert [line for line in clones if "--branch" in line] == []  # there are no tags


def test_the_version_is_told_once() -> None:
    released = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert version("findable-seo") == __version__
    assert f"## {__version__}" in released


# --- the image


def test_the_image_is_built_from_what_it_copies_and_nothing_else_is_handed_over() -> None:
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", (ROOT / "packaging/Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    patterns = [line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]

    assert patterns[0] == "*"  # secrets and environments stay outside
    assert {line[1:] for line in patterns if line.startswith("!")} == {name for names in copied for name in names.split()}


# --- the wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, with the hatchling of this environment: nothing is fetched, nothing is left in the clone."""
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "hatch_build.py", "LICENSE", "README.md", ".gitignore"):  # what git ignores, hatchling leaves out
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__"))
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", source / "dist", cwd=source)
    assert built.returncode == 0, built.stderr
    (path,) = (source / "dist").glob("findable_seo-*-py3-none-any.whl")
    return path


def test_every_file_of_the_package_is_in_the_wheel(wheel: Path) -> None:
    ours = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src/findable").rglob("*") if path.is_file()}
    expected = {name for name in ours if "__pycache__" not in name and not name.endswith(".po")}  # read only when they are compiled
    inside = set(zipfile.ZipFile(wheel).namelist())

    assert sorted(expected - inside) == []
    assert {name.removesuffix(".mo") for name in inside if "/LC_MESSAGES/" in name} == {
        name.removesuffix(".po") for name in ours if name.endswith(".po")
    }
    assert [name for name in inside if name.endswith("licenses/LICENSE")]


def test_the_wheel_runs_outside_the_clone(wheel: Path, tmp_path: Path) -> None:
    """As pipx would have it: an environment of its own, another working directory, no source tree in sight."""
    environment = tmp_path / "environment"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    made = run(sys.executable, "-m", "venv", "--without-pip", environment, cwd=elsewhere)
    assert made.returncode == 0, made.stderr
    python = environment / "bin/python"
    installed = run(sys.executable, "-m", "uv", "pip", "install", "--offline", "--no-deps", "--python", python, wheel, cwd=elsewhere)
    assert installed.returncode == 0, installed.stderr
    # The libraries are those of this environment, so that nothing is fetched; the project itself is hidden: a .pth
    # file is read in site directories only, not on PYTHONPATH.
    libraries = next(path for path in sys.path if path.endswith("site-packages"))

    asked = run(environment / "bin/findable", "--version", cwd=elsewhere, PYTHONPATH=libraries)
    where = run(python, "-c", "import findable; print(findable.__file__)", cwd=elsewhere, PYTHONPATH=libraries)

    assert asked.returncode == 0, asked.stderr
    assert __version__ in asked.stdout
    assert Path(where.stdout.strip()).is_relative_to(environment)


# --- make


def test_make_alone_lists_the_targets() -> None:
    listed = run("make", cwd=ROOT)

    assert listed.returncode == 0
    assert listed.stderr == ""
    for target in (
        "setup",
        "setup-tools",
        "run",
        "test-quick",
        "test",
        "test-full",
        "endurance",
        "check",
        "fmt",
        "bench",
        "docs",
        "new-check",
    ):
        assert re.search(rf"^  {target} +\S", listed.stdout, re.MULTILINE), target


def test_an_unfit_python_is_told_with_the_line_to_run(tmp_path: Path) -> None:
    answer = run("tools/install.sh", "/bin/false", tmp_path / "venv", cwd=ROOT)

    assert answer.returncode == 1
    assert "apt-get install python3 python3-venv" in answer.stderr
    assert not (tmp_path / "venv").exists()


def test_a_missing_system_package_is_told_with_the_line_to_run(tmp_path: Path) -> None:
    stand_ins = {"id": "echo 1000", "dpkg-query": 'case "$*" in *present*) echo "install ok installed";; *) exit 1;; esac'}
    for name, script in stand_ins.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)

    answer = run("tools/system_packages.sh", "present-one", "absent-one", "absent-two", cwd=ROOT, PATH=f"{tmp_path}:{os.environ['PATH']}")

    assert answer.returncode == 0
    assert "apt-get install absent-one absent-two\n" in answer.stderr


def test_the_interpreters_found_can_run() -> None:
    found = run(sys.executable, "tools/interpreters.py", cwd=ROOT)

    assert found.returncode == 0, found.stderr
    for line in found.stdout.splitlines():
        told, path = line.split("\t")
        assert run(path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])", cwd=ROOT).stdout.strip() == told


# --- new-check


def scaffold(check_id: str, root: Path) -> subprocess.CompletedProcess[str]:
    (root / "tools").mkdir(exist_ok=True)
    shutil.copy(ROOT / "tools/new_check.py", root / "tools")
    return run(sys.executable, "tools/new_check.py", check_id, cwd=root)


def test_a_new_check_is_laid_out(tmp_path: Path) -> None:
    answer = scaffold("links/links-fragment", tmp_path)

    assert answer.stdout.splitlines() == [
        "src/findable/checks/links/links_fragment.py",
        "tests/checks/links/links_fragment/test_links_fragment.py",
        "tests/checks/links/links_fragment/good.html",
        "tests/checks/links/links_fragment/bad.html",
    ]
    assert "<!-- evidence -->" in (tmp_path / "tests/checks/links/links_fragment/bad.html").read_text(encoding="utf-8")
    formatted = run(sys.executable, "-m", "ruff", "format", "--check", "--config", ROOT / "pyproject.toml", "src", "tests", cwd=tmp_path)
    assert formatted.returncode == 0, formatted.stdout


def test_nothing_is_written_over(tmp_path: Path) -> None:
    scaffold("links/links-fragment", tmp_path)
    page = tmp_path / "tests/checks/links/links_fragment/good.html"
    page.write_text("mine", encoding="utf-8")
    (tmp_path / "src/findable/checks/links/links_fragment.py").unlink()

    answer = scaffold("links/links-fragment", tmp_path)

    assert answer.returncode == 1
    assert page.read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "src/findable/checks/links/links_fragment.py").exists()


@pytest.mark.parametrize("check_id", ["", "title", "Links/x", "links/x_y", "../x", "links/x/y", "links/-x"])
def test_an_id_that_is_none_is_refused(check_id: str, tmp_path: Path) -> None:
    answer = scaffold(check_id, tmp_path)

    assert answer.returncode == 2
    assert "make new-check ID=category/the-id" in answer.stderr


def test_migrations_are_numbered_in_line() -> None:
    paths = sorted((ROOT / "src/findable/store/migrations/versions").glob("0*.py"))
    numbers = [path.name.partition("_")[0] for path in paths]
    assert tuple(numbers) == REVISIONS
    for path, number, before in zip(paths, numbers, [None, *numbers], strict=False):
        text = path.read_text("utf-8")
        assert f'\nrevision = "{number}"\n' in text, path
        assert f'\ndown_revision = "{before}"\n' in text or before is None, path


@pytest.mark.parametrize("page", ["docs/explanation/architecture.md", "CONTRIBUTING.md"])
def test_files_that_the_documentation_names_exist(page: str) -> None:
    files = [
        path.relative_to(ROOT).as_posix() for folder in ("src", "tests", "tools") for path in (ROOT / folder).rglob("*") if path.is_file()
    ]
    named = set(
        re.findall(
            r"`(?:/?static/)?([a-z][a-z0-9_/]*[a-z0-9_-]+\.(?:py|html|typ|js|css|po|json))`", (ROOT / page).read_text(encoding="utf-8")
        )
    )
    assert len(named) > 10
    assert [name for name in sorted(named) if not any(f"/{file}".endswith(f"/{name}") for file in files)] == []
