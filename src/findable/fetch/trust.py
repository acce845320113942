"""Trusted certificate authorities: those of the system or else of certifi, and those of the operator.

Wheels of libcurl contain a path from the machine that built them, so the bundle is located here and passed to libcurl.
"""

import ssl
import tempfile
from pathlib import Path

import certifi

from findable.errors import SettingError

_BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",  # Debian, Ubuntu, Alpine, Arch
    "/etc/pki/tls/certs/ca-bundle.crt",  # Fedora, RHEL
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/ca-bundle.pem",  # openSUSE
    "/etc/ssl/cert.pem",  # BSD, macOS
)


def system_bundle() -> Path:
    """Return the PEM file of trusted authorities: from SSL_CERT_FILE or this Python, a usual location, or certifi.

    Empty files, as in incomplete container images, are skipped.
    """
    named = ssl.get_default_verify_paths()
    for candidate in (named.cafile, named.openssl_cafile, *_BUNDLES):
        if candidate and Path(candidate).is_file() and Path(candidate).stat().st_size:
            return Path(candidate)
    return Path(certifi.where())


class Trust:
    """Bundle of trusted certificate authorities as one file for libcurl, created once (libcurl caches it by name).

    Args:
        ca_file: PEM file with extra trusted roots. Raises SettingError if it cannot be read.
    """

    def __init__(self, ca_file: Path | None = None) -> None:
        self._made: Path | None = None
        self.path = system_bundle()
        if ca_file is None:
            return
        try:
            extra = ca_file.read_bytes()
        except OSError as error:
            raise SettingError("CA_FILE", f"{ca_file} cannot be read: {error.strerror}") from error
        if b"-----BEGIN CERTIFICATE-----" not in extra:
            raise SettingError("CA_FILE", f"{ca_file} contains no certificate in PEM format")
        known = self.path.read_bytes()
        with tempfile.NamedTemporaryFile(prefix="findable-roots-", suffix=".pem", delete=False) as file:
            file.write(known + b"\n" + extra)
        self.path = self._made = Path(file.name)

    def close(self) -> None:
        """Remove the temporary file."""
        if self._made:
            self._made.unlink(missing_ok=True)
            self._made = None
