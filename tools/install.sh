#!/bin/sh
# Install everything requirements.lock names, by hash, and the project itself into a virtual environment.
#
#   tools/install.sh PYTHON VENV
#
# uv, itself taken from the lock, does it in a few seconds. Where it cannot (an index that only pip is set up for), pip does.
# Modules are compiled when they are first imported; most of them never are. A sandboxed process writes nothing: its modules are compiled here.
set -eu
python=$1
venv=$2
cd "$(dirname "$0")/.."

if ! "$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "Python 3.11 or newer with venv is needed. On Debian and Ubuntu:" >&2
    echo "    apt-get install python3 python3-venv" >&2
    echo "Another interpreter is named by: make PYTHON=/path/to/python3 …" >&2
    exit 1
fi

# An environment whose interpreter has gone is made anew; any other is kept and brought up to date.
"$venv/bin/python" -c '' 2>/dev/null || "$python" -m venv --clear "$venv"
inside=$venv/bin/python

echo "installing into $venv …"
pip() { "$inside" -m pip --disable-pip-version-check -qq "$@"; }
sed -n '/^uv==/,/[^\\]$/p' requirements.lock >"$venv/uv.lock" # its lines: version and hashes
pip install --require-hashes -r "$venv/uv.lock"
if ! "$inside" -m uv pip install -q --python "$inside" --require-hashes -r requirements.lock; then
    echo "uv could not; pip tries" >&2
    pip install --require-hashes -r requirements.lock
fi
pip install --no-deps --no-build-isolation -e .
"$inside" -c 'import compileall, PIL, typst; [compileall.compile_dir(package.__path__[0], quiet=1) for package in (PIL, typst)]'
