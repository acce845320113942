"""Find the installed Chromium, and build its command line."""

import os
import pwd
import shutil
from pathlib import Path

from msgspec import Struct

from findable.errors import SettingError
from findable.fetch.user_agent import CONTACT, user_agent
from findable.settings import Settings

NAMES = ("chromium-headless-shell", "chromium", "google-chrome", "google-chrome-stable", "chromium-browser")
"""Programs in order of preference. The shell is the same browser without windows, and needs half the processor time."""
NONE = "none"
"""Value of the setting that turns the browser off."""
UNPRIVILEGED = "nobody"
"""User that a service running as root starts the browser as: Chromium has no sandbox as root."""
HEAP_MB = 512
"""Memory limit for the scripts of one page."""
NO_BYPASS = "<-loopback>"
"""Hosts that are reached without the proxy: none. By default Chromium reaches loopback without it."""

_SWITCHES = (
    "--headless",
    "--remote-debugging-pipe",
    # Background activity of Chromium.
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    # Connections that bypass a proxy, and name resolution: only the fetcher's resolver resolves names. The proxy's address stays reachable.
    "--disable-quic",
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    # Each browser context sets its own proxy. Connections outside a context find no proxy.
    "--proxy-server=http://no-proxy.invalid:1",
    f"--proxy-bypass-list={NO_BYPASS}",
    # Devices and windows. The Notification API stays available, with permission denied: scripts that use it would fail without it.
    "--block-new-web-contents",
    "--deny-permission-prompts",
    "--disable-print-preview",
    "--disable-remote-playback-api",
    "--disable-speech-api",
    "--mute-audio",
    # Identical rendering on every machine, without its graphics driver.
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    f"--js-flags=--max-old-space-size={HEAP_MB}",
)
_FEATURES_OFF = (
    "AcceptCHFrame",
    "AutofillServerCommunication",
    "BackForwardCache",
    "CertificateTransparencyComponentUpdater",
    "DialMediaRouteProvider",
    "DnsOverHttps",
    "GlobalMediaControls",
    "InterestFeedContentSuggestions",
    "MediaRouter",
    "OptimizationHints",
    "Prerender2",
    "SpareRendererForSitePerProcess",
    "Translate",
    "WebBluetooth",
    "WebUsb",
)
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - not a temporary file: only its size is checked
MIN_SHARED_MEMORY_BYTES = 512 * 1024 * 1024


class BrowserProgram(Struct, frozen=True):
    """Path of a browser, how to start it, and how it identifies itself."""

    path: str
    has_sandbox: bool = True
    """False only if the operator has disabled the sandbox."""
    user: str = ""
    """``uid:gid`` to change to; empty to keep the current user."""
    isolates_network: bool = True
    """Whether the browser gets a separate network namespace if the system allows it; without one only the proxy restricts it."""
    contact: str = CONTACT
    """URL in its user agent."""
    ca_file: str = ""
    """PEM file of certificate authorities that it trusts in addition to its own."""

    @property
    def command(self) -> list[str]:
        """The program and its switches, without the profile folder."""
        command = [self.path, *_SWITCHES, f"--disable-features={','.join(_FEATURES_OFF)}"]
        # Each page sets the user agent of its device; shared workers keep this one.
        command.append(f"--user-agent={user_agent(self.contact)}")
        if not self.has_sandbox:
            command.append("--no-sandbox")
        if not _has_shared_memory():
            command.append("--disable-dev-shm-usage")
        return command


def find_browser(
    value: str = "", *, without_sandbox: bool = False, setting: str = "BROWSER", contact: str = CONTACT, ca_file: Path | None = None
) -> BrowserProgram | None:
    """Return the browser with the given name or path, by default an installed one; None if there is none.

    Raises SettingError for ``setting`` if the given program does not exist.
    """
    path = next((found for name in ((value,) if value else NAMES) if (found := shutil.which(name))), None)
    if path is None:
        if value:
            raise SettingError(setting, f"{value!r} is not a program that can be run")
        return None
    return BrowserProgram(
        str(Path(path).resolve()),
        has_sandbox=not without_sandbox,
        user=_unprivileged_user() if os.geteuid() == 0 else "",
        contact=contact,
        ca_file=str(ca_file or ""),
    )


def configured_browser(settings: Settings) -> BrowserProgram | None:
    """Return the browser of the settings; None if there is none, or it is turned off. Raises SettingError."""
    if settings.browser == NONE:
        return None
    return find_browser(
        settings.browser,
        without_sandbox=settings.browser_no_sandbox,
        setting=settings.name_of("browser"),
        contact=settings.user_agent_contact,
        ca_file=settings.ca_file,
    )


def _unprivileged_user() -> str:
    try:
        found = pwd.getpwnam(UNPRIVILEGED)
    except KeyError:
        return "65534:65534"
    return f"{found.pw_uid}:{found.pw_gid}"


def _has_shared_memory() -> bool:
    """Return whether there is enough shared memory for Chromium's processes; containers often have only 64 MB."""
    try:
        return os.access(SHARED_MEMORY, os.W_OK) and shutil.disk_usage(SHARED_MEMORY).free >= MIN_SHARED_MEMORY_BYTES
    except OSError:
        return False
