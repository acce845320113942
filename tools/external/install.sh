#!/bin/sh
# Install the programs that tests run and the project does not need: from apt (apt.txt), npm (package-lock.json) and PyPI
# (requirements.lock), and the test data of others from GitHub (suites.json).
#
#   tools/external/install.sh VENV FOLDER
#
# VENV is the environment of the project, whose uv installs the Python programs into an environment of their own below FOLDER.
set -eu
venv=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
cd "$(dirname "$0")"

# Each line: a program, and the package of Debian that brings it. A program from elsewhere will do as well.
missing=
while read -r program package; do
    command -v "$program" >/dev/null 2>&1 || missing="$missing $package"
done <apt.txt
# shellcheck disable=SC2086 # one word for each package
[ -z "$missing" ] || ../system_packages.sh $missing

echo "installing into $folder …"
cp package.json package-lock.json "$folder"
npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --loglevel=error
"$venv/bin/uv" venv -q --clear --python "$venv/bin/python" "$folder/python"
"$venv/bin/uv" pip install -q --python "$folder/python/bin/python" --require-hashes -r requirements.lock
# The last, because all else is of use without it.
"$venv/bin/python" suites.py "$folder/suites"
