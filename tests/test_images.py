"""Both container images, built by Buildah and run as their user on a read-only root."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.external import needs
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]

ROOT = Path(__file__).parents[1]
BUILD_S = 1800
RUN_S = 120
SETTINGS = {
    "PATH": "/opt/findable/bin:/usr/local/bin:/usr/bin:/bin",
    "FINDABLE_DATA_DIR": "/var/lib/findable",
    "FINDABLE_HOST": "127.0.0.1",
    "FINDABLE_PORT": "18099",
    "PYTHONDONTWRITEBYTECODE": "1",
}
PAGE = "<!doctype html><html lang=en><title>Trains of the coast</title><h1>Trains</h1><p>When they run, and what they cost."
READ_ONLY = """
set -e
mount --rbind "$1" "$1"; mount -o remount,bind,ro "$1"
mount --bind "$2" "$1/var/lib/findable"; mount -t tmpfs tmpfs "$1/tmp"; mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"
shift 2
exec chroot --userspec=10001:10001 "$@"
"""
"""Mounts are those of a namespace of its own, which ends with the command."""

pytestmark = [
    pytest.mark.endurance,
    needs("buildah", "unshare"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount and change the root"),
]


def buildah(*arguments: str) -> str:
    done = subprocess.run(["buildah", *arguments], capture_output=True, text=True, timeout=BUILD_S, cwd=ROOT, check=False)
    if done.returncode and "initializing source docker://" in done.stderr:
        pytest.skip("the base images are neither here nor can they be pulled")
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()


@contextmanager
def image(*arguments: str) -> Iterator[Path]:
    """Build the image and mount it."""
    built = buildah("build", "--quiet", "--isolation", "chroot", "--format", "docker", "--file", "packaging/Dockerfile", *arguments, ".")
    container = buildah("from", "--pull-never", built.splitlines()[-1])
    try:
        yield Path(buildah("mount", container))
    finally:
        buildah("rm", container)


def run(root: Path, data: Path, *command: str, **settings: str) -> subprocess.CompletedProcess[bytes]:
    whole = ["unshare", "--mount", "bash", "-c", READ_ONLY, "bash", str(root), str(data), str(root), "/usr/bin/env", "-i"]
    given = [f"{name}={value}" for name, value in {**SETTINGS, **settings}.items()]
    return subprocess.run([*whole, *given, *command], capture_output=True, timeout=RUN_S, check=False)


def test_both_images_run_as_their_user_on_a_read_only_root(site: Site, tmp_path: Path) -> None:
    url = site.page("/", PAGE)
    loopback = {"FINDABLE_ALLOW_TARGETS": "127.0.0.0/8"}
    sizes = {}
    for name, arguments in (("full", ()), ("slim", ("--build-arg", "LOCK=slim.lock", "--build-arg", "FONTS="))):
        data = tmp_path / name
        data.mkdir()
        os.chown(data, 10001, 10001)
        with image(*arguments) as root:
            measured = subprocess.run(["du", "-sm", "--apparent-size", root], capture_output=True, text=True, check=True)
            sizes[name] = int(measured.stdout.split()[0])
            assert run(root, data, "python3", "-c", "import os; print(os.getuid())").stdout == b"10001\n"
            assert b"Read-only file system" in run(root, data, "touch", "/opt/findable/x").stderr
            doctor = run(root, data, "findable", "doctor")
            assert doctor.returncode == 0, doctor.stdout
            audited = run(root, data, "findable", "audit", url, **loopback)
            assert b"Score " in audited.stdout, audited.stderr
            pdf = run(root, data, "findable", "audit", url, "--format", "pdf", **loopback)
            assert pdf.stdout.startswith(b"%PDF-") == (name == "full"), pdf.stderr
            assert run(root, data, "findable", "accounts", "create", "a@example.com").returncode == 0
            assert b"a@example.com" in run(root, data, "findable", "accounts", "list").stdout
    print(f"\nunpacked: {sizes['full']} and {sizes['slim']} MB")
    assert sizes["full"] - sizes["slim"] > 200
