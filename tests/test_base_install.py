"""The wheel installed without extras: what runs, what it says of what does not, and how large it is."""

import compileall
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.sites.plugin import make_site, site
from tests.sites.server import Site
from tests.test_project import wheel

__all__ = ["make_site", "site", "wheel"]

MAX_BASE_MB = {"": 100, "crawl": 130, "service": 170}
"""With bytecode, the project included, and its documentation (5 MB) where `make documentation` built it."""


def requirements(found: Distribution, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    for text in found.requires or ():
        requirement = Requirement(text)
        if requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in extras | {""}):
            yield requirement.name, frozenset(requirement.extras)


def installed(wheel: Path, folder: Path, extra: str) -> Path:
    """An environment with the wheel and what it requires with that extra, linked from the environment of the tests: nothing is fetched."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    zipfile.ZipFile(wheel).extractall(packages)
    (information,) = packages.glob("findable_seo-*.dist-info")
    waiting: list[tuple[Distribution, frozenset[str]]] = [(PathDistribution(information), frozenset({extra}))]
    seen = set()
    while waiting:
        found, extras = waiting.pop()
        for name, more in requirements(found, extras):
            own = name == "findable-seo"
            if (name, more) in seen:
                continue
            seen.add((name, more))
            other = PathDistribution(information) if own else distribution(name)
            waiting.append((other, more))
            for file in () if own else other.files or ():
                if ".." not in file.parts and "__pycache__" not in file.parts:
                    target = packages / file
                    target.parent.mkdir(parents=True, exist_ok=True)
                    if not target.exists():
                        target.symlink_to(Path(str(file.locate())))
    return folder / "bin/python"


def run(python: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FINDABLE_", "PYTHON"))}
    return subprocess.run(
        [python, "-I", "-m", "findable", *arguments],
        env={**kept, "FINDABLE_DATA_DIR": str(python.parent / "data"), **environment},
        cwd=python.parent,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.full
def test_base_install_audits_a_page_and_names_the_extra_for_the_rest(wheel: Path, tmp_path: Path, site: Site) -> None:
    python = installed(wheel, tmp_path / "environment", "")
    site.page("/", "<!doctype html><html lang=en><title>A page about bread</title><h1>Bread</h1><img src=/a.png alt=loaf>")

    assert run(python, "--version").returncode == 0
    audited = run(python, "audit", site.url("/"), "--format", "json", "--fail-under", "0")
    assert (audited.returncode, audited.stderr) == (0, "")
    assert '"score"' in audited.stdout
    for format_ in ("text", "csv", "sarif", "junit", "markdown"):
        assert run(python, "audit", site.url("/"), "--format", format_, "--fail-under", "0").returncode == 0, format_
    for command in (("checks",), ("robots", site.url("/"), "/"), ("gather", site.url("/")), ("--help",)):
        assert run(python, *command).returncode == 0, command
    for command in (("serve",), ("worker",), ("queue",), ("doctor",), ("rescore",), ("db", "size"), ("backup", "x"), ("accounts", "list")):
        refused = run(python, *command, FINDABLE_DATABASE_URL="postgresql://nobody@127.0.0.1:9/x" if command == ("worker",) else "")
        assert refused.returncode == 2, (command, refused.stderr)
        assert refused.stderr.startswith(f"findable: `findable {command[0]}` needs the extra 'service' ("), refused.stderr
        assert refused.stderr.endswith(": pip install '.[service]' in a clone of Findable\n")
        assert refused.stderr.count("\n") == 1
    refused = run(python, "crawl", site.url("/"))
    assert refused.returncode == 2
    assert refused.stderr.endswith("pip install '.[crawl]' in a clone of Findable\n"), refused.stderr
    pdf = run(python, "audit", site.url("/"), "--format", "pdf", "-o", str(tmp_path / "x.pdf"))
    assert (pdf.returncode, pdf.stderr.count("\n")) == (2, 1)
    assert "pip install '.[pdf]' in a clone of Findable" in pdf.stderr


CONTAINS = {
    "": (),
    "crawl": ("crawl",),
    "service": ("crawl", "service"),
    "mcp": ("crawl", "service", "mcp", "oidc"),  # the SDK requires what the sign-in needs
    "oidc": ("crawl", "service", "oidc"),
    "pdf": ("pdf",),
    "postgresql": ("crawl", "service", "postgresql"),
    "xlsx": ("crawl", "xlsx"),
    "parquet": ("crawl", "parquet"),
}


@pytest.mark.full
@pytest.mark.parametrize("extra", CONTAINS)
def test_each_extra_works_alone_and_names_what_it_lacks_first(wheel: Path, tmp_path: Path, site: Site, extra: str) -> None:
    """Each command would fail for another reason too if its extra is installed, such as a port in use; the extra is named before that."""
    python = installed(wheel, tmp_path / "environment", extra)
    site.page("/", "<!doctype html><html lang=en><title>A page about bread</title><h1>Bread</h1>")
    away = "postgresql://nobody@127.0.0.1:9/x"
    port = ("--port", str(site.port))
    uses: dict[str, tuple[tuple[str, ...], dict[str, str], int]] = {
        "crawl": (("crawl", site.url("/"), "--fail-under", "0", "--render", "never", "--confirm-after", "0", "--rate", "50"), {}, 0),
        "service": (("serve", *port), {}, 2),
        "mcp": (("mcp",), {}, 0),
        "oidc": (("serve", *port), {"FINDABLE_SIGN_IN_PROVIDER": "https://x@id.example.com"}, 2),
        "pdf": (("audit", site.url("/"), "--format", "pdf", "-o", "x.pdf", "--fail-under", "0"), {}, 0),
        "postgresql": (("queue",), {"FINDABLE_DATABASE_URL": away}, 75),
        **{
            name: (("crawl", site.url("/"), "--fail-under", "0", "--render", "never", "--export", f"{name}=tables"), {}, 0)
            for name in ("xlsx", "parquet")
        },
    }
    assert run(python, "audit", site.url("/"), "--fail-under", "0").returncode == 0
    for needed, (arguments, environment, code) in uses.items():
        done = run(python, *arguments, **environment)
        is_named = any(f"'.[{one}]' in a clone of Findable" in done.stderr for one in (needed, "service", "crawl"))
        assert is_named == (needed not in CONTAINS[extra]), (needed, done.stderr)
        assert done.returncode == (2 if is_named else code), (needed, done.stderr)
        assert done.stderr.count("\n") == 1 or code == 0, (needed, done.stderr)


@pytest.mark.full
def test_a_new_user_has_a_gate_after_three_commands(wheel: Path, tmp_path: Path, site: Site) -> None:
    """Installing, `findable init` and `findable audit`; the last one is the gate."""
    head = (
        "<meta name=viewport content='width=device-width'><meta name=description content='How bread is baked, and why its crust is dark.'>"
    )
    page = f"<!doctype html><html lang=en>{head}<title>A page about bread and its crust</title>"
    body = "<h1>Bread</h1><p>" + "How bread is baked, and why its crust is dark. " * 20
    site.page("/", page + body)
    python = installed(wheel, tmp_path / "environment", "")
    assert run(python, "init", site.url("/")).returncode == 0
    passed = run(python, "audit")
    assert passed.returncode == 0, passed.stdout
    site.page("/", page + "<meta name=robots content=noindex>" + body)
    stopped = run(python, "audit")
    assert stopped.returncode == 1, stopped.stdout
    assert "noindex" in stopped.stdout


@pytest.mark.full
@pytest.mark.parametrize(("extra", "most_mb"), MAX_BASE_MB.items())
def test_an_install_is_no_larger_than_promised(wheel: Path, tmp_path: Path, extra: str, most_mb: int) -> None:
    python = installed(wheel, tmp_path / "environment", extra)
    (packages,) = python.parent.parent.glob("lib/python*/site-packages")
    for path in packages.rglob("*.py"):
        compileall.compile_file(path, quiet=2, force=True)
    sizes = [path.stat().st_size for path in packages.rglob("*") if path.is_file()]
    assert sum(sizes) / 1e6 < most_mb
