"""Build a release in dist/ and check it: ``make release``. RELEASING.md describes the steps before and after.

- The working tree is clean, CHANGELOG.md has a section for the version, and no tag has its name.
- sdist and wheel are built; their metadata is valid; the wheel built from the sdist has the same files.
- The wheel is installed with the locked requirements in a separate environment, and `findable --version` runs there.
- A bill of materials (CycloneDX) and SHA256SUMS are written beside them.

Nothing is published.
"""

import argparse
import hashlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from packaging.metadata import Metadata

from findable import __version__
from findable.demo import demo_site

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = {
    "": ("audit", "{url}", "--fail-under", "0"),
    "crawl": ("crawl", "{url}", "--rate", "50", "--render", "never", "--fail-under", "0"),
    "service": ("doctor",),
    "postgresql": ("doctor",),
    "mcp": ("mcp",),
    "oidc": ("doctor",),
    "xlsx": ("crawl", "{url}", "--rate", "50", "--render", "never", "--fail-under", "0", "--export", "xlsx=tables.xlsx"),
    "parquet": ("crawl", "{url}", "--rate", "50", "--render", "never", "--fail-under", "0", "--export", "parquet=tables"),
    "pdf": ("audit", "{url}", "--format", "pdf", "--output", "page.pdf", "--fail-under", "0"),
}
"""A command for each extra that needs it and ends by itself."""
PLATFORMS = (
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "aarch64-apple-darwin",
    "x86_64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "x86_64-unknown-linux-musl",
)
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command and return its standard output. Raises SystemExit with its output if it fails."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def require_ready(version: str) -> None:
    """Raise SystemExit if the tree cannot be released as this version."""
    if changed := run("git", "status", "--porcelain"):
        raise SystemExit(f"commit or remove first:\n{changed}")
    if f"\n## {version}\n" not in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"):
        raise SystemExit(f'CHANGELOG.md has no section "## {version}"')
    if version in run("git", "tag", "--list", version, f"v{version}").split() or run("git", "tag", "--list", f"v{version}"):
        raise SystemExit(f"{version} is tagged already: raise the version in src/findable/__init__.py")


def build_distribution(source: Path, target: str, dist: Path) -> Path:
    """Build one distribution with the hatchling of this environment, so that nothing is downloaded."""
    run(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", dist, cwd=source)
    (path,) = dist.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return path


def require_valid(wheel: Path, sdist: Path, version: str) -> None:
    """Raise SystemExit if the metadata is invalid, or the two distributions contain different packages."""
    with zipfile.ZipFile(wheel) as archive:
        files = set(archive.namelist())
        (name,) = (name for name in files if name.endswith(".dist-info/METADATA"))
        texts = {wheel.name: archive.read(name)}
    with tempfile.TemporaryDirectory() as folder, tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
        (source,) = Path(folder).iterdir()
        texts[sdist.name] = (source / "PKG-INFO").read_bytes()
        with zipfile.ZipFile(build_distribution(source, "wheel", Path(folder) / "dist")) as again:
            different = files ^ set(again.namelist())
    for name, text in texts.items():
        metadata = Metadata.from_email(text, validate=True)
        lacking = [field for field in ("summary", "description", "license_expression", "requires_python") if not getattr(metadata, field)]
        if lacking or str(metadata.version) != version:
            raise SystemExit(f"{name}: version {metadata.version}, without {lacking}")
    if different:
        raise SystemExit(f"the wheel of the sdist has other files: {sorted(different)}")
    if strange := sorted(name for name in files if not name.startswith(("findable/", "findable_seo-"))):
        raise SystemExit(f"does not belong into the wheel: {strange}")


def install(wheel: Path, environment: Path) -> Path:
    """Install the wheel with the locked requirements in a new environment; return its `findable`."""
    install = new_environment(environment)
    run(*install, "--require-hashes", "-r", ROOT / "requirements.lock")
    run(*install, "--no-deps", wheel)
    return environment / "bin/findable"


def new_environment(environment: Path) -> Sequence[str | Path]:
    """Create an environment; return the beginning of the command that installs into it."""
    run(sys.executable, "-m", "venv", "--without-pip", environment)
    return (sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", environment / "bin/python")


def needs_of(wheel: Path, version: str, folder: Path) -> str:
    """Install each extra alone, in the locked versions, and use it; return what all of them need, as Markdown."""
    lines = [
        f"# What findable-seo {version} needs\n",
        f"Installed and used on {platform.system()} {platform.machine()} with Python {platform.python_version()}: each extra alone,",
        "in a new environment, in the versions of requirements.lock.\n",
        "| Extra | Packages | MB | Command that ran |",
        "|---|---|---|---|",
    ]
    lists = []
    with demo_site.serve_site(0) as url:
        for extra, command in EXTRAS.items():
            environment = folder / (extra or "none")
            wanted = f"findable-seo{f'[{extra}]' if extra else ''} @ {wheel.as_uri()}"
            run(*new_environment(environment), "--constraints", ROOT / "requirements.lock", wanted)
            given = [part.format(url=url) for part in command]
            run("env", f"FINDABLE_DATA_DIR={environment / 'data'}", environment / "bin/findable", *given, cwd=environment)
            found = run(sys.executable, "-m", "uv", "pip", "freeze", "--quiet", "--python", environment / "bin/python").splitlines()
            packages = [line for line in found if not line.startswith("findable-seo")]
            size = sum(path.stat().st_size for path in environment.rglob("lib/**/*") if path.is_file() and path.suffix != ".pyc")
            shown = " ".join(part for part in command if part != "{url}")
            lines.append(f"| {extra or 'none'} | {len(packages)} | {size / 1e6:.0f} | `findable {shown}` |")
            lists.append(f"## {extra or 'No extra'}\n\n{', '.join(packages)}\n")
    return "\n".join([*lines, "", *lists, *platforms(), *needs_of_container()])


def platforms() -> Iterator[str]:
    """Yield a table of where all packages of all extras have wheels, by what the index says now."""
    yield "## Wheels\n\nWhether every package of every extra has a wheel; otherwise the first that has none.\n"
    yield f"| | {' | '.join(PYTHONS)} |\n|---|{'---|' * len(PYTHONS)}"
    for name in PLATFORMS:
        yield f"| {name} | {' | '.join(lacking_wheel(name, version) or 'yes' for version in PYTHONS)} |"
    yield ""


def lacking_wheel(name: str, version: str) -> str:
    """Return the package without a wheel for a platform and a version of Python; empty if all have one."""
    command = (sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--all-extras", "--only-binary", ":all:", "--python-platform", name)
    options = ("--python-version", version, "--constraints", "requirements.lock", "pyproject.toml")
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, check=False)
    found = re.search(r"Wheels are required for `([\w-]+)`", done.stderr)
    if done.returncode and not found:
        raise SystemExit(done.stderr)
    return f"no: {found[1]}" if found else ""


def needs_of_container() -> Sequence[str]:
    """Return what the Dockerfile needs beside its files: images, Debian packages and lock files."""
    text = (ROOT / "packaging/Dockerfile").read_text(encoding="utf-8")
    return [
        "## Container\n",
        *(f"- {name}: {value.strip(chr(34))}" for name, value in re.findall(r"^ARG (\w+)=(.+)$", text, re.MULTILINE)),
        "",
    ]


def pack_container_files(dist: Path, version: str) -> Path:
    """Pack what an image is built from: what the Dockerfile copies, and the files of packaging/. Raises SystemExit if something lacks."""
    path = dist / f"findable_seo-{version}-container.tar.gz"
    text = (ROOT / "packaging/Dockerfile").read_text(encoding="utf-8")
    copied = {part for line in re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE) for part in line.split()}
    parts = sorted({part for part in copied if not part.startswith("packaging/")} | {".dockerignore", "packaging"})
    if lacking := sorted(part for part in copied if not (ROOT / part).exists()):
        raise SystemExit(f"the Dockerfile copies what does not exist: {lacking}")
    with tarfile.open(path, "w:gz") as archive:
        for part in parts:
            name = f"{path.name.removesuffix('.tar.gz')}/{part}"
            archive.add(ROOT / part, name, filter=lambda one: None if "__pycache__" in one.name else one)
    return path


def main(arguments: Sequence[str]) -> int:
    """Build and check the release; return 0 if it can be published."""
    parser = argparse.ArgumentParser(description="Build a release into dist/ and check it.")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="where it goes; emptied first")
    parser.add_argument("--draft", action="store_true", help="build and check what lies here, committed or not")
    given = parser.parse_args(arguments)
    version, dist = __version__, given.dist.resolve()
    if not given.draft:
        require_ready(version)
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir(parents=True)
    run(sys.executable, "tools/documentation_site.py")
    wheel, sdist = build_distribution(ROOT, "wheel", dist), build_distribution(ROOT, "sdist", dist)
    require_valid(wheel, sdist, version)
    print(f"built {wheel.name} ({wheel.stat().st_size:,} bytes) and {sdist.name} ({sdist.stat().st_size:,} bytes)")
    with tempfile.TemporaryDirectory() as folder:
        findable = install(wheel, Path(folder) / "environment")
        if version not in (said := run(findable, "--version", cwd=Path(folder))):
            raise SystemExit(f"the installed wheel says {said}")
        needs = dist / f"findable_seo-{version}.needs.md"
        needs.write_text(needs_of(wheel, version, Path(folder)), encoding="utf-8")
    print(f"each extra works alone: {needs.name}; the files of a container: {pack_container_files(dist, version).name}")
    print(run(sys.executable, "tools/audit.py", "--advisories", "", "--bill", dist / f"findable_seo-{version}.cdx.json").strip())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in sorted(dist.iterdir())]
    (dist / "SHA256SUMS").write_text("\n".join(sums) + "\n", encoding="utf-8")
    print(f"{dist} is ready: RELEASING.md says what comes next")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
