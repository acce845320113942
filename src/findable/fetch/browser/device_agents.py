"""User agents of visits: those of Chrome on a phone or a desktop computer, followed by Findable's own name and URL."""

from findable import __version__
from findable.capture.devices import DESKTOP, Device
from findable.fetch.user_agent import CONTACT, PRODUCT_TOKEN, user_agent

_PHONE = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{version}.0.0.0 Mobile Safari/537.36"
_DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{version}.0.0.0 Safari/537.36"
"""User agents of Chrome since version 107, which have the same platform on every device: https://www.chromium.org/updates/ua-reduction/."""


def user_agent_override(device: Device, product: str, contact: str = CONTACT) -> dict[str, object]:
    """Return the parameters of Emulation.setUserAgentOverride: user agent, platform and client hints that agree.

    Like Googlebot's, the user agent is that of the browser with the name of the crawler at its end, so that servers send the page for the
    device and site owners see who visits.

    Args:
        device: the emulated device.
        product: name and version of the browser, like ``HeadlessChrome/156.0.8078.79``.
        contact: URL in the user agent.
    """
    is_phone = device is not DESKTOP
    full_version = product.partition("/")[2] or "0"
    version = full_version.partition(".")[0]
    return {
        "userAgent": f"{(_PHONE if is_phone else _DESKTOP).format(version=version)} {user_agent(contact).partition(' ')[2]}",
        "platform": "Linux armv81" if is_phone else "Linux x86_64",
        "userAgentMetadata": {
            "brands": [{"brand": "Chromium", "version": version}, {"brand": PRODUCT_TOKEN, "version": __version__.partition(".")[0]}],
            "fullVersionList": [{"brand": "Chromium", "version": full_version}, {"brand": PRODUCT_TOKEN, "version": __version__}],
            "platform": "Android" if is_phone else "Linux",
            "platformVersion": "10.0.0" if is_phone else "",
            "architecture": "" if is_phone else "x86",
            "model": "",
            "mobile": is_phone,
            "bitness": "" if is_phone else "64",
            "wow64": False,
        },
    }
