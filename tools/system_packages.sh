#!/bin/sh
# Install the Debian packages named, when some are missing: at once as root, else print the line to run and go on.
set -eu
missing=
for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing$missing …"
    install() { DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" </dev/null >/dev/null; }
    # shellcheck disable=SC2086 # one word for each package
    { apt-get -qq update >/dev/null && install $missing; } || for package in $missing; do
        install "$package" || echo "$package could not be installed: tests that need it are skipped and say so." >&2
    done
else
    echo "Some tests need packages of the system. On Debian and Ubuntu, as root:" >&2
    echo "    apt-get install$missing" >&2
fi
