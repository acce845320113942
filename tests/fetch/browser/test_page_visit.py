"""Visits with the browser: what is read, and how the browser is held. The ways out of it: tests/safety/test_browser_*.py."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from findable.capture.rendering import Readiness, Rendering, RenderingFailure
from findable.errors import SettingError
from findable.fetch.browser import page_visit
from findable.fetch.browser.browser_keeper import descendants
from findable.fetch.browser.browser_pool import BrowserPool
from findable.fetch.browser.browser_program import BrowserProgram, configured_browser, find_browser
from findable.fetch.browser.chromium import Chromium
from findable.fetch.browser.open_page import open_page
from findable.fetch.browser.process_memory import memory_of_tree
from findable.fetch.browser.visit_order import VisitOrder
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.resolver import Resolver
from findable.settings import Settings
from tests.browser import needs_chromium
from tests.fetch.browser.visiting import LOOPBACK, in_pool, installed, left_processes, until, visit, visits
from tests.sites.server import AUTHORITY, CERTIFICATES, Site, silent

pytestmark = needs_chromium
BURNING = "<!doctype html><title>burning</title><script>while(1);</script>"
SCRIPTED = """<!doctype html><title>sent</title><p id=a>sent</p><img src=/missing.png><script>
console.error('own error', {a: 1}); setTimeout(() => { document.title = 'scripted'; document.body.append('later'); undefinedFunction() }, 300)</script>"""


@pytest.fixture(scope="module")
def seen() -> Mapping[str, Rendering]:
    """Some pages, visited together in one browser."""
    site = Site().start()
    site.page("/", SCRIPTED)
    site.page("/burning", BURNING)
    site.page("/tall", "<!doctype html><title>tall</title><div style='height:9000px'></div><img loading=lazy src=/lazy.png>")
    site.page(
        "/cookie",
        "<!doctype html><script>document.title = document.cookie + localStorage.a; document.cookie='a=1'; localStorage.a='b'</script>",
    )
    site.redirect("/moved", "/tall")
    site.page("/lazy.png", b"x", content_type="image/png")
    site.handler("/hanging", silent())
    site.page("/never", "<!doctype html><title>never</title><img src=/hanging><p>text")
    paths = ["/", "/burning", "/cookie", "/moved"]
    found = visits([site.url(path) for path in paths], deadline_s=15.0, concurrency=2)
    again = visits([site.url("/cookie"), "http://127.0.0.1:1/", "http://127.0.0.2:8080/", "ftp://127.0.0.1/"], concurrency=1)
    site.stop()
    return dict(zip([*paths, "/cookie again", "dead", "private", "ftp"], [*found, *again], strict=True))


def test_a_page_is_read_after_its_scripts_ran(seen: Mapping[str, Rendering]) -> None:
    page = seen["/"]
    assert (page.failure, page.readiness) == (RenderingFailure.NONE, Readiness.QUIET)
    assert page.browser.startswith(("HeadlessChrome/", "Chrome/"))
    assert page.html.startswith("<!DOCTYPE html><html>")
    assert "<title>scripted</title>" in page.html
    assert "later" in page.html
    assert [(request.kind, request.status) for request in page.requests] == [("document", 200), ("image", 404)]
    lines = {(line.text, line.uncaught, line.line) for line in page.console if line.level == "error"}
    assert ("own error Object", False, 2) in lines
    assert ("ReferenceError: undefinedFunction is not defined", True, 2) in lines


def test_a_page_that_never_responds_ends_at_its_deadline(seen: Mapping[str, Rendering]) -> None:
    assert seen["/burning"].failure is RenderingFailure.TIMEOUT


def test_the_view_is_made_as_tall_as_the_page(seen: Mapping[str, Rendering]) -> None:
    page = seen["/moved"]
    assert page.final_url.endswith("/tall")
    assert page.page_height_px > 9000
    assert any(request.url.endswith("/lazy.png") for request in page.requests)
    assert [request.status for request in page.requests][:2] == [302, 200]


def test_a_visit_knows_nothing_of_earlier_ones(seen: Mapping[str, Rendering]) -> None:
    assert "undefined" in seen["/cookie"].html
    assert "undefined" in seen["/cookie again"].html


def test_places_that_cannot_be_visited(seen: Mapping[str, Rendering]) -> None:
    assert seen["dead"].failure is RenderingFailure.UNREACHABLE
    assert seen["private"].failure is RenderingFailure.REFUSED
    assert seen["ftp"].failure is RenderingFailure.REFUSED


def test_without_a_browser_a_visit_fails_at_once() -> None:
    async def run() -> Rendering:
        pool = BrowserPool(None, Guard())
        rendering = await pool.visit(VisitOrder("http://127.0.0.1/"))
        await pool.close()
        return rendering

    assert asyncio.run(run()).failure is RenderingFailure.NO_BROWSER


def test_a_browser_that_does_not_start_is_named() -> None:
    rendering = visit("http://127.0.0.1:9/", program=BrowserProgram("/bin/false"))
    assert (rendering.failure, rendering.detail) == (RenderingFailure.NO_BROWSER, "the browser ended while it was starting")


def test_the_setting_names_a_browser_by_name_or_path(tmp_path: Path) -> None:
    program = tmp_path / "my-browser"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    found = find_browser(str(program))
    assert found is not None
    assert found.path == str(program)
    assert configured_browser(Settings(browser="none")) is None
    with pytest.raises(SettingError, match="not a program"):
        find_browser("no-such-browser")


def test_s96_a_page_is_in_the_sandbox_and_no_process_is_roots() -> None:
    async def run() -> tuple[bool, list[int]]:
        program = installed()
        browser = await Chromium.start(program)
        resolver = Resolver()
        try:
            async with open_page(browser, LOOPBACK, resolver) as page:
                await page.begin()
                return browser.is_sandboxed, [_user(size.pid) for size in memory_of_tree(browser._keeper.pid)]
        finally:
            await browser.close()
            await resolver.close()

    is_sandboxed, users = asyncio.run(run())
    assert is_sandboxed
    assert 0 not in users
    assert until(lambda: left_processes() == [])


def _user(pid: int) -> int:
    return Path(f"/proc/{pid}").stat().st_uid


def _profiles(pids: Iterable[int]) -> set[Path]:
    """Folders of the browsers among these processes; others in the same place are of other tests."""
    commands = [Path(f"/proc/{pid}/cmdline").read_text("utf-8").replace("\0", " ") for pid in pids if Path(f"/proc/{pid}").exists()]
    return {Path(found) for command in commands for found in re.findall(r"--user-data-dir=(\S+)", command)}


def _one_of_many_processes(pool: BrowserPool, kind: str) -> int:
    browser = pool._current
    assert browser is not None
    for size in memory_of_tree(browser._keeper.pid):
        command = Path(f"/proc/{size.pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        if f"--type={kind}" in command or (not kind and "--type=" not in command and "remote-debugging-pipe" in command):
            return size.pid
    raise AssertionError(kind)


@pytest.mark.parametrize("delay_s", [0.0, pytest.param(1.0, marks=pytest.mark.full)])
@pytest.mark.parametrize("kind", ["renderer", pytest.param("", marks=pytest.mark.full), pytest.param("keeper", marks=pytest.mark.full)])
def test_f24_a_process_of_the_browser_is_killed_and_the_visit_is_made_again(
    site: Site, kind: str, delay_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the page loads or, with a delay of its response, before it begins to."""
    monkeypatch.setattr(page_visit, "LOAD_S", 60.0)  # beyond the deadline: the end is noticed while the page loads
    profiles: set[Path] = set()

    async def run(pool: BrowserPool) -> tuple[Rendering, Rendering]:
        site.page("/", "<!doctype html><title>fine</title>")
        site.page("/slow", "<!doctype html><title>slow</title><img src=/slow.png>", delay_s=delay_s)
        site.page("/slow.png", b"x", delay_s=1.0)
        await pool.visit(VisitOrder(site.url("/")))
        work = asyncio.create_task(pool.visit(VisitOrder(site.url("/slow"))))
        await asyncio.to_thread(site.wait_for_requests, 3)
        browser = pool._current
        assert browser is not None
        profiles.add(Path(browser.started.profile))
        os.kill(browser._keeper.pid if kind == "keeper" else _one_of_many_processes(pool, kind), signal.SIGKILL)
        again = await work, await pool.visit(VisitOrder(site.url("/")))
        profiles.update({Path(pool._current.started.profile)} if pool._current else ())
        return again

    killed, after = in_pool(run)
    assert "<title>slow" in killed.html, (killed.failure, killed.detail)
    assert "<title>fine" in after.html, (after.failure, after.detail)
    assert until(lambda: left_processes() == [])
    if kind != "keeper":  # of one that was killed the next one removes what is left, when it is a minute old
        assert [path for path in profiles if path.exists()] == []


@pytest.mark.full
def test_f25_a_worker_that_is_killed_leaves_no_process_and_no_profile(site: Site) -> None:
    site.page("/", BURNING)
    code = f"from tests.fetch.browser.visiting import visit; print('begun', flush=True); visit({site.url('/')!r})"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": ":".join(sys.path)}
    ) as worker:
        site.wait_for_requests(1)
        below = descendants(worker.pid)
        assert len(below) > 4
        profiles = _profiles(below)
        assert len(profiles) == 1
        worker.kill()
    assert until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in below))
    assert until(lambda: not any(path.exists() for path in profiles))


@pytest.mark.full
def test_an_abandoned_profile_is_removed_by_the_next_browser() -> None:
    program = installed()
    folder = Path(tempfile.mkdtemp(prefix="findable-browser-"))
    (folder / "keeper.lock").touch()
    (folder / "Default").mkdir()
    if program.user:
        for path in (folder, *folder.iterdir()):
            os.chown(path, *map(int, program.user.split(":")))
    os.utime(folder, (0, 0))

    async def run() -> None:
        await (await Chromium.start(program)).close()

    asyncio.run(run())
    assert not folder.exists()


@pytest.mark.full
def test_a_page_that_takes_too_much_memory_is_ended_and_the_browser_goes_on(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("findable.fetch.browser.chromium.MAX_BYTES", 400_000_000)
    site.page("/", "<!doctype html><title>fine</title>")
    site.page("/greedy", "<script>const a=[];setInterval(()=>a.push(new Uint8Array(5e7).fill(1)),20)</script>")
    greedy, after = visits([site.url("/greedy"), site.url("/")], concurrency=1)
    assert greedy.failure is RenderingFailure.CRASHED
    assert "fine" in after.html


@pytest.mark.full
def test_a_browser_is_replaced_after_a_number_of_visits_and_ended_when_idle(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("findable.fetch.browser.browser_pool.VISITS_PER_BROWSER", 2)
    monkeypatch.setattr("findable.fetch.browser.browser_pool.IDLE_S", 0.2)
    site.page("/", "<!doctype html><title>fine</title>")

    async def run(pool: BrowserPool) -> set[str]:
        profiles = set()
        for _ in range(4):
            assert not (await pool.visit(VisitOrder(site.url("/")))).failure
            profiles |= {pool._current.started.profile} if pool._current else set()
        assert await asyncio.to_thread(until, lambda: pool._current is None)
        return profiles

    assert len(in_pool(run)) >= 1
    assert until(lambda: left_processes() == [])


def test_a_visit_that_is_cancelled_closes_its_page(site: Site) -> None:
    site.page("/", BURNING)

    async def run(pool: BrowserPool) -> int:
        work = asyncio.create_task(pool.visit(VisitOrder(site.url("/"))))
        await asyncio.to_thread(site.wait_for_requests, 1)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        browser = pool._current
        return len(browser.contexts) if browser else 0

    assert in_pool(run) == 0


@pytest.mark.full
def test_s96_the_sandbox_is_given_up_only_where_the_operator_says_so(site: Site) -> None:
    site.page("/", "<!doctype html><title>fine</title>")
    if os.geteuid() == 0:
        as_root = replace(installed(), user="")
        refused = visit(site.url("/"), program=as_root)
        assert refused.failure is RenderingFailure.NO_BROWSER
        assert "sandbox" in refused.detail
    assert "fine" in visit(site.url("/"), program=replace(installed(), has_sandbox=False)).html


ASKING = """<!doctype html><title>Tea</title><script>
Notification.requestPermission().then((answer) => {
  document.body.insertAdjacentHTML('beforeend', `<p>${answer} ${Notification.permission}</p>`) });
document.write('<p>Written after the question</p>')</script>"""


@needs_chromium
def test_halves_of_characters_that_a_page_sends_end_no_browser(site: Site) -> None:
    """Scripts that cut a text within an emoji have them, in lines of the console, errors, names of frames."""
    site.page(
        "/",
        """<!doctype html><title>halves</title><iframe name=frame></iframe><script>const half = 'cut \\ud83d'; frame.name = half; document.title += half;
        console.error(half, '\\\\ud83d', '\\ud83d\\ude00'); history.pushState(0, half, '?' + half); fetch('/' + half).catch(() => 0); throw half</script>""",
    )
    seen = visit(site.url("/"), deadline_s=15.0)
    assert (seen.failure, seen.readiness) == (RenderingFailure.NONE, Readiness.QUIET)
    assert [line.text for line in seen.console if line.url == site.url("/")][:2] == ["cut \ufffd \\ud83d \U0001f600", "cut \ufffd"]


@needs_chromium
def test_the_browser_trusts_the_authority_of_the_operator_and_no_other_name() -> None:
    trusting = replace(installed(), ca_file=str(AUTHORITY))
    sites = [Site(certificate=name, name="localhost").start() for name in ("good", "wrong_host", "expired", "self_signed")]
    for site in sites:
        site.page("/", "<!doctype html><title>private</title><p>text")
    guard = Guard(AllowedTarget.parse_all("localhost,127.0.0.1"))
    found = visits([site.url("/") for site in sites], guard, program=trusting)
    without = visit(sites[0].url("/"), guard)
    for site in sites:
        site.stop()
    assert [(one.failure.value, one.detail) for one in (*found, without)] == [
        ("", ""),
        ("certificate", "net::ERR_CERT_COMMON_NAME_INVALID"),
        ("certificate", "net::ERR_CERT_DATE_INVALID"),
        ("certificate", "net::ERR_CERT_AUTHORITY_INVALID"),
        ("certificate", "net::ERR_CERT_AUTHORITY_INVALID"),
    ]


def test_the_browser_trusts_a_self_signed_certificate_in_the_file() -> None:
    site = Site(certificate="self_signed", name="localhost").start()
    site.page("/", "<!doctype html><title>private</title><p>text")
    program = replace(installed(), ca_file=str(CERTIFICATES / "self_signed.pem"))
    found = visit(site.url("/"), Guard(AllowedTarget.parse_all("localhost,127.0.0.1")), program=program)
    site.stop()
    assert (found.failure, "private" in found.html) == (RenderingFailure.NONE, True)


def test_a_page_that_asks_for_notifications_is_refused_and_goes_on(site: Site) -> None:
    seen = visit(site.page("/", ASKING))
    assert "<p>Written after the question</p>" in seen.html
    assert "<p>denied denied</p>" in seen.html
    assert not [line for line in seen.console if line.uncaught]
